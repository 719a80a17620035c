#pragma once

#include <optional>

#include "support/rules.h"

namespace bellwether::testing {

/// F = rho_{t-1} gamma F + i, M = lambda i + (1 - lambda) F; beta may take the place of gamma.
struct EmphasisReference {
  double interest = 1;
  std::optional<double> beta{};
  double F = 0;

  double next(const RuleStep& s) {
    const double i = interest * s.i;
    F = s.g == 0 ? i : s.rhop * beta.value_or(s.g) * F + i;
    return s.l * i + (1 - s.l) * F;
  }
};

}  // namespace bellwether::testing
