#pragma once

#include <bellwether/core/params/registry.h>
#include <bellwether/learners/linear_learner.h>
#include <bellwether/learners/weight_vector.h>
#include <bellwether/linalg/dense/tridiagonal.h>
#include <bellwether/traces/entry_list.h>
#include <bellwether/traces/trace_rule.h>

namespace bellwether {

class ATDTridiagonalRule {
 public:
  static constexpr const char* name = "atd_tridiagonal";
  static constexpr Doc doc{
      .summary = "Accelerated TD with the three middle diagonals of the matrix.",
      .detail = R"(
delta = r + gamma' w.x' - w.x
e     = the trace, by the rule chosen
d     = x - gamma' x'
T_ij += e_i d_j     for |i - j| <= 1; T = eta I at first
w    += alpha0 delta T^-1 e

In means: w += (alpha0 / n) delta (T/n)^-1 e after n steps. Where transitions lead only to neighbours (one feature per
state, states in a row, lambda = 0) T leaves nothing out, and alpha0 = 1 gives LSTD with inverse_init = 1/eta.
)",
      .reference =
          "Pan, White, White (2017), Accelerated gradient temporal difference learning, AAAI, mention it; the "
          "variant is that of the authors' code",
      .note =
          "O(d) a step, with sparse features too: T^-1 e has hardly any zeros. The order of the features matters, as "
          "only neighbours are coupled. What T leaves out can make it indefinite even where the whole matrix is not, "
          "so this may diverge; there is no plain TD part to fall back on. Steps at which T is singular to working "
          "precision change T but not w, and are counted. eta is a regulariser here, not a step size."};

  struct Params {
    double eta = 1;
    double lambda = 0.0;
    TraceRule trace = TraceRule::accumulating;
    double alpha0 = 1;

    static constexpr auto fields() {
      return std::tuple{RidgeField("eta", &Params::eta, positive, "T starts as this times I"), lambda_field<Params>(),
                        trace_rule_field<Params>(), Field("alpha0", &Params::alpha0, positive, "step size")};
    }
  };

  WeightVector w;

  ATDTridiagonalRule(std::size_t dim, const Params& params)
      : w(dim), alpha0_(params.alpha0), mover_(params.trace), e_(dim), list_(dim), T_(dim, params.eta), p_(dim) {}

  template <class Step>
  bool update(const Step& s) {
    const double delta = w.td_error(s);
    const Motion m = mover_.next(s);
    if (!s.allows(delta, e_.mass_after(m))) return false;
    mover_.move(e_, m, s.x);
    list_.difference(s.x, s.gn, s.xn).for_each([&](std::size_t j, double d) {
      T_.add(j, j, e_.trace_at(j) * d);
      if (j > 0) T_.add(j - 1, j, e_.trace_at(j - 1) * d);
      if (j + 1 < w.size()) T_.add(j + 1, j, e_.trace_at(j + 1) * d);
    });
    std::fill(p_.begin(), p_.end(), 0.0);
    e_.for_each([&](std::size_t j, double e) { p_[j] = e; });
    if (!T_.solve(p_.data())) {
      ++skipped_;
      return true;
    }
    const double a = alpha0_ * delta;
    double largest = 0;
    for (const double p : p_) largest = std::fmax(largest, std::abs(p));
    if (!s.allows(a * largest)) return false;
    kernels::axpy(a, p_.data(), w.data(), w.size());
    return true;
  }

  Settings findings() const {
    if (skipped_ == 0) return {};
    return {{"singular_steps_left_out", std::to_string(skipped_)}};
  }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.w, self.mover_, self.e_, self.T_, self.skipped_);
  }

 private:
  double alpha0_;
  TraceMover mover_;
  FollowedTrace<0> e_;
  EntryList list_;
  Tridiagonal T_;
  std::vector<double> p_;  // T^-1 e
  std::uint64_t skipped_ = 0;
};

using ATDTridiagonal = LinearLearner<ATDTridiagonalRule>;

}  // namespace bellwether
