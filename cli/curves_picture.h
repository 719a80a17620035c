#pragma once

#include <string>

#include "ranking.h"

namespace bellwether::cli {

/// Learning curves of a case, every learner at its best setting, as SVG; empty when there is nothing to draw. Learners
/// that end with ten times the error they began with are left out.
std::string curves_picture(const StoreReader& reader, const Shown& shown, const Case& c, const Ranking& ranking);

}  // namespace bellwether::cli
