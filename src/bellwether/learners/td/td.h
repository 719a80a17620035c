#pragma once

#include <bellwether/core/registry.h>
#include <bellwether/learners/traced_learner.h>

namespace bellwether {

enum class TraceKind : std::uint8_t { accumulating, replacing };
constexpr auto names(TraceKind) { return std::array{"accumulating", "replacing"}; }

struct TDParams {
  double alpha = 0.1;
  double lambda = 0.0;
  Schedule schedule = Schedule::constant;
  double n0 = 100;
  TraceKind trace = TraceKind::accumulating;

  static constexpr auto fields() {
    return std::tuple_cat(linear_fields<TDParams>(),
                          std::tuple{Field("trace", &TDParams::trace, "what a repeated visit does to the trace")});
  }
};

template <class Real>
class BasicTD final : public TracedLearner<BasicTD<Real>> {
  using Base = TracedLearner<BasicTD>;
  using Base::advance, Base::bounded, Base::e_, Base::td_error;

 public:
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
      .note = "O(d) a step with dense features, O(active) amortised with sparse ones. Off-policy it may diverge."};

  using Params = TDParams;

  BasicTD(std::size_t dim, const Params& params) : Base(dim), params_(checked(name, params)) {}

  const Params& params() const { return params_; }

  template <class X>
  bool update(const Transition<X>& s) {
    const Real a = this->alpha(s) * td_error(s);
    const Motion m{s.rho * s.g * s.l, s.rho};
    if (params_.trace == TraceKind::accumulating) return advance(s.x, m, a);
    if (!bounded(a, e_.mass_after(m))) return false;
    e_.decay(m.f);
    e_.replace(s.x, m.y);
    e_.follow(a);
    return true;
  }

 private:
  Params params_;
};

using TD = BasicTD<double>;

}  // namespace bellwether
