#pragma once

#include <bellwether/learners/gradient/gtd.h>

namespace bellwether {

struct TDRCRule {
  static constexpr const char* name = "tdrc";
  static constexpr Doc doc{
      .summary = "TD(lambda) with regularised corrections: gtd whose second weights are drawn towards zero.",
      .detail = R"(
delta = r + gamma' w.x' - w.x
e     = rho (gamma lambda e + x)
w    += alpha (delta e - gamma' (1 - lambda') (e.v) x')      lambda' is lambda at the next state
v    += beta (delta e - (x.v) x - kappa v)
)",
      .reference =
          "Ghiassian et al. (2020), Gradient temporal-difference learning with regularized corrections, ICML, "
          "arXiv:2007.00611",
      .note =
          "O(d) per step with dense features, O(active) amortised with sparse ones. kappa = 0 is gtd; a large kappa "
          "keeps v near zero and is off-policy TD. Between them it learns as fast as TD where TD is stable, and "
          "remains stable where TD is not, with beta = alpha and kappa = 1 left alone. It diverges when beta kappa "
          "exceeds 2."};

  struct Params {
    double alpha = 0.1;
    double lambda = 0.0;
    Schedule schedule = Schedule::constant;
    double n0 = 100;
    std::optional<double> beta{};
    double kappa = 1;

    static constexpr auto fields() {
      return std::tuple_cat(gradient_fields<Params>(), std::tuple{Field("kappa", &Params::kappa, non_negative,
                                                                        "how strongly v is drawn towards zero")});
    }
  };

  template <class Real>
  struct State {
    Params params;
    Real alpha;
    FollowedTrace<2, Real> e;  // the trace, and w and v, which follow it
    TraceProduct<1, Real> ev;  // e.v

    State(std::size_t dim, const Params& p) : params(p), alpha(same<Real>(p.alpha)), e(dim) {}

    template <class Step>
    bool update(const Step& s) {
      return gradient_step(*this, s, params.kappa,
                           [this](const Real& a, const Real& delta, const Real&) { e.follow(a * delta); });
    }

    static constexpr auto state() { return std::tuple{&State::e, &State::ev}; }
  };
};

using TDRC = LinearLearner<TDRCRule>;

}  // namespace bellwether
