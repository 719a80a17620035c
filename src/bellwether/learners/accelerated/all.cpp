#include <bellwether/learners/accelerated/all.h>

#include <bellwether/learners/families.h>
#include <bellwether/learners/sharing/entries.h>

namespace bellwether {

std::vector<RegisteredLearner> accelerated_learners() { return registered(AcceleratedLearners{}); }

}  // namespace bellwether
