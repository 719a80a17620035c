#pragma once

#include <array>
#include <cstdint>

#include <bellwether/core/learner_checks.h>
#include <bellwether/traces/emphasis.h>
#include <bellwether/traces/followed_trace.h>

namespace bellwether {

/// How the trace of a least-squares or accelerated learner moves.
enum class TraceRule : std::uint8_t {
  accumulating,  // e   = rho (gamma lambda e + x)
  replacing,     // e_j = max(rho gamma lambda e_j, rho x_j), for features >= 0
  emphatic,      // e   = rho (gamma lambda e + M x), M the emphasis with interest i
};
constexpr auto names(TraceRule) { return std::array{"accumulating", "replacing", "emphatic"}; }

template <class P>
constexpr auto trace_rule_field() {
  return Field("trace", &P::trace, "what a visit does to the trace; emphatic is stable off-policy");
}

/// Moves a trace by the rule chosen:
///
///     const Motion m = mover_.next(s);                         // once a step
///     if (!bounded(delta, e.mass_after(m))) return false;
///     mover_.move(e, m, s.x);
class TraceMover {
 public:
  explicit TraceMover(TraceRule rule) : rule_(rule) {}

  /// e = f e + y x, or where the trace replaces e = max(f e, y x).
  template <class Step>
  Motion next(const Step& s) {
    const double emphasis = rule_ == TraceRule::emphatic ? emphasis_.next(s, 1.0, s.g) : 1.0;
    return {s.rho * s.g * s.l, s.rho * emphasis};
  }

  template <std::size_t N, class X>
  void move(FollowedTrace<N>& e, Motion m, const X& x) const {
    if (rule_ == TraceRule::replacing) e.replace(m, x);
    else e.move(m, x);
  }

  static constexpr auto state() { return std::tuple{&TraceMover::emphasis_}; }

 private:
  TraceRule rule_;
  Emphasis emphasis_;
};

}  // namespace bellwether
