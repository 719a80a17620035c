#pragma once

#include <bellwether/learners/linear_learner.h>
#include <bellwether/traces/followed_trace.h>

namespace bellwether {

enum class TraceKind : std::uint8_t { accumulating, replacing };
constexpr auto names(TraceKind) { return std::array{"accumulating", "replacing"}; }

struct TDRule {
  static constexpr const char* name = "td";
  static constexpr Doc doc{
      .summary = "TD(lambda) with accumulating or replacing traces; lambda = 0 is TD(0).",
      .detail = R"(
delta = r + gamma' w.x' - w.x
e     = rho (gamma lambda e + x)              accumulating
e_j   = max(rho gamma lambda e_j, rho x_j)    replacing, for features >= 0
w    += alpha delta e
)",
      .reference = "Sutton (1988), Learning to predict by the methods of temporal differences, doi:10.1007/BF00115009",
      .note = "O(d) per step with dense features, O(active) amortised with sparse ones. Off-policy it may diverge."};

  struct Params {
    double alpha = 0.1;
    double lambda = 0.0;
    Schedule schedule = Schedule::constant;
    double n0 = 100;
    TraceKind trace = TraceKind::accumulating;

    static constexpr auto fields() {
      return std::tuple_cat(linear_fields<Params>(),
                            std::tuple{Field("trace", &Params::trace, "what a repeated visit does to the trace")});
    }
  };

  template <class Real>
  struct State {
    Params params;
    Real alpha;
    FollowedTrace<1, Real> e;  // the trace, and the weights w that follow it

    State(std::size_t dim, const Params& p) : params(p), alpha(same<Real>(p.alpha)), e(dim) {}

    template <class Step>
    bool update(const Step& s) {
      const Real delta = s.r + s.gn * e.dot(s.xn) - e.dot(s.x);
      const Real a = alpha * s.step * delta;
      const Motion m{s.rho * s.g * s.l, s.rho};
      if (!s.allows(a, e.mass_after(m))) return false;
      if (params.trace == TraceKind::accumulating) e.move(m, s.x);
      else e.replace(m, s.x);
      e.follow(a);
      return true;
    }

    static constexpr auto state() { return std::tuple{&State::e}; }
  };
};

using TD = LinearLearner<TDRule>;

}  // namespace bellwether
