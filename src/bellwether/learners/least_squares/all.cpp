#include <bellwether/learners/least_squares/all.h>

#include <bellwether/learners/families.h>
#include <bellwether/learners/sharing/entries.h>

namespace bellwether {

std::vector<RegisteredLearner> least_squares_learners() { return registered(LeastSquaresLearners{}); }

}  // namespace bellwether
