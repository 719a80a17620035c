#pragma once

#include <bellwether/learners/accelerated/all.h>
#include <bellwether/learners/gradient/all.h>
#include <bellwether/learners/least_squares/all.h>
#include <bellwether/learners/td/all.h>

namespace bellwether {

/// Every learner there is.
using Learners = decltype(TDLearners{} + GradientLearners{} + LeastSquaresLearners{} + AcceleratedLearners{});

}  // namespace bellwether
