#pragma once

#include <bellwether/traces/trace_rule.h>

#include "support/rules.h"

namespace bellwether::testing {

/// All rules.
inline constexpr TraceRule trace_rules[] = {TraceRule::accumulating, TraceRule::replacing, TraceRule::emphatic};

/// The trace of a rule, as textbooks write it.
struct TextbookTrace {
  TraceRule rule;
  Vector e;
  double F = 0;

  TextbookTrace(TraceRule trace_rule, Eigen::Index dim) : rule(trace_rule), e(Vector::Zero(dim)) {}

  const Vector& next(const RuleStep& s) {
    F = s.g == 0 ? s.i : s.rhop * s.g * F + s.i;
    const double M = rule == TraceRule::emphatic ? s.l * s.i + (1 - s.l) * F : 1;
    if (rule == TraceRule::replacing) e = (s.rho * s.g * s.l * e).cwiseMax(s.rho * s.x);
    else e = s.rho * (s.g * s.l * e + M * s.x);
    return e;
  }
};

}  // namespace bellwether::testing
