#pragma once

#include <bellwether/core/params/registry.h>
#include <bellwether/learners/accelerated/atd.h>
#include <bellwether/learners/accelerated/atd_compensated.h>
#include <bellwether/learners/accelerated/atd_diagonal.h>
#include <bellwether/learners/accelerated/atd_full.h>
#include <bellwether/learners/accelerated/atd_sketch.h>
#include <bellwether/learners/accelerated/atd_tridiagonal.h>

namespace bellwether {

/// The learners of this folder. Adding one takes a header and a line here.
using AcceleratedLearners = TypeList<ATD, ATDFull, ATDDiagonal, ATDTridiagonal, ATDSketch, ATDCompensated>;

}  // namespace bellwether
