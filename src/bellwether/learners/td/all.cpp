#include <bellwether/learners/td/all.h>

#include <bellwether/learners/families.h>
#include <bellwether/learners/sharing/entries.h>

namespace bellwether {

std::vector<RegisteredLearner> td_learners() { return registered(TDLearners{}); }

}  // namespace bellwether
