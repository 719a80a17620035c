#pragma once

#include <bellwether/core/params/registry.h>
#include <bellwether/learners/gradient/gtd.h>
#include <bellwether/learners/gradient/gtd2.h>
#include <bellwether/learners/gradient/htd.h>
#include <bellwether/learners/gradient/tdrc.h>
#include <bellwether/learners/gradient/true_online_gtd.h>

namespace bellwether {

/// The learners of this folder. Adding one takes a header and a line here.
using GradientLearners = TypeList<GTD, GTD2, HTD, TDRC, TrueOnlineGTD>;

}  // namespace bellwether
