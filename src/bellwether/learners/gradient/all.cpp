#include <bellwether/learners/gradient/all.h>

#include <bellwether/learners/families.h>
#include <bellwether/learners/sharing/entries.h>

namespace bellwether {

std::vector<RegisteredLearner> gradient_learners() { return registered(GradientLearners{}); }

}  // namespace bellwether
