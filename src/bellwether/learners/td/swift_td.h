#pragma once

#include <bellwether/learners/linear_learner.h>
#include <bellwether/learners/td/swift_state.h>

namespace bellwether {

class SwiftTDRule {
 public:
  static constexpr const char* name = "swift_td";
  static constexpr Doc doc{
      .summary = "SwiftTD: true online TD(lambda) that learns a step size for every feature, and bounds them together.",
      .detail = R"(
V = w.x ; V' = w.x' ; D = r + gamma' V' - V_old ; c = V - V_old     (V_old = V at the start of an episode)
z, p, z_bar *= gamma lambda
tau = sum_j exp(beta_j) x_j^2 ; b = z.x

where x_j != 0:
  y_j      = min(1, eta / tau) exp(beta_j) x_j                       the step, y_j = 0 elsewhere
  z_j     += y_j (1 - b)                                             a dutch trace
  p_j     += h_old_j x_j ; z_bar_j += y_j (1 - b - z_bar_j x_j)
  g_j      = -h_old_j x_j (z_j - y_j) - h_j y_j x_j
  if tau > eta:  h_j = h_old_j = g_j = z_bar_j = 0 ; beta_j += ln(epsilon) x_j^2, at least ln eta_min
for every j:
  w_j     += D z_j - c y_j
  beta_j  += theta / exp(beta_j) (D - c) p_j, clipped to [ln eta_min, ln eta]
  h_old_j, h_j = h_j, h_j + g_j + D z_bar_j - c y_j
V_old = V'

Three ideas: the exact online lambda-return of true online TD; step sizes exp(beta_j) that learn, as
in tidbd, from p and h, which follow the derivatives of prediction and weights in beta; and a bound:
the step sizes of one state's features together (tau) never count for more than eta, and are lowered
a little (epsilon) whenever they would.
)",
      .reference =
          "Javed, Sharifnassab, Sutton (2024), SwiftTD: a fast and robust algorithm for temporal difference learning, "
          "Reinforcement Learning Journal 2 (RLC 2024)",
      .note =
          "O(active + features whose step size still moves) a step, at most O(d); a change of a step size that is "
          "small "
          "enough is postponed. Traces end with the episode, at a restart, and below 1e-200; with a cutoff also when "
          "|z_j| < cutoff exp(beta_j), which is looked at from time to time. On-policy: rho is ignored. theta = 0, eta "
          "= inf, epsilon = 1 is true online TD. The published update observes x' at the end of a step; here x is "
          "observed at the beginning of the next, which gives the same weights where x follows from the step before, "
          "needs no x' where the discount is 0, and lets a restart begin anew. An episode that begins over the bound "
          "begins with c = 0; published, its c is left over from the episode before. Of the published versions this is "
          "the dense one: the sparse ones reset h and z_bar before they are used."};

  struct Params {
    double alpha = 1e-2;
    double lambda = 0.95;
    double eta = 0.1;
    double epsilon = 0.999;
    double theta = 1e-3;
    double eta_min = 1e-10;
    double cutoff = 0;

    static constexpr auto fields() {
      return std::tuple{
          StepSizeField("alpha", &Params::alpha, positive,
                        "step size of every feature at the start; at most eta counts"),
          lambda_field<Params>(),
          Field("eta", &Params::eta, positive_or_infinite, "bound of the share of an error that one step corrects"),
          Field("epsilon", &Params::epsilon, Range{0, 1, true, false}, "factor of step sizes when the bound is hit"),
          Field("theta", &Params::theta, non_negative, "meta step size: how fast step sizes change"),
          Field("eta_min", &Params::eta_min, at_least(1e-300), "least step size"),
          Field("cutoff", &Params::cutoff, Range{0, 1, false, true},
                "traces below this share of their step size end; published: 1e-5")};
    }
  };

  SwiftTDRule(std::size_t dim, const Params& params);

  static constexpr auto state() { return std::tuple{&SwiftTDRule::state_, &SwiftTDRule::V_old_, &SwiftTDRule::mass_}; }

  template <class Step>
  bool update(const Step& s) {
    if (s.g == 0) state_.cut();
    std::size_t n = 0;
    s.x.for_each([&](std::size_t j, double value) {
      if (value != 0) active_[n++] = {.j = j, .x = value};
    });
    return step(std::span(active_.data(), n), value(s.xn), s.r, s.g, s.gn, s.gn * s.ln);
  }

  template <class X>
  double value(const X& x) const {
    return state_.value(x);
  }
  void read(std::span<double> w) const;
  void assign(std::span<const double> w);

  /// exp(beta_j)
  double step_size(std::size_t j) const { return 1 / state_.inverse_step_size(j); }

  /// The number of features with a trace.
  std::size_t traced() const { return state_.traced(); }

 private:
  struct Active {
    std::size_t j = 0;
    double x = 0;
    double y = 0;  // the step
    SwiftState::Letters now{};
  };

  /// The update once x is listed; `decay` is gamma' lambda'.
  bool step(std::span<Active> active, double Vn, double r, double g, double gn, double decay);

  Params params_;
  SwiftState state_;
  std::vector<Active> active_;
  double lowering_;  // ln epsilon
  double V_old_ = 0;
  double mass_ = 0;  // no |z_j| is larger
};

using SwiftTD = LinearLearner<SwiftTDRule>;

}  // namespace bellwether
