#pragma once

#include <bellwether/core/params/registry.h>
#include <bellwether/learners/least_squares/fast_lstd.h>
#include <bellwether/learners/least_squares/ilstd.h>
#include <bellwether/learners/least_squares/lstd.h>
#include <bellwether/learners/least_squares/lstd_krylov.h>
#include <bellwether/learners/least_squares/lstd_stream.h>
#include <bellwether/learners/least_squares/projected_lstd.h>
#include <bellwether/learners/least_squares/tlstd.h>

namespace bellwether {

/// The learners of this folder. Adding one takes a header and a line here.
using LeastSquaresLearners = TypeList<LSTD, LSTDKrylov, LSTDStream, ILSTD, TLSTD, ProjectedLSTD, FastLSTD>;

}  // namespace bellwether
