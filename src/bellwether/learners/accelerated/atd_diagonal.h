#pragma once

#include <bellwether/core/params/registry.h>
#include <bellwether/learners/linear_learner.h>
#include <bellwether/learners/weight_vector.h>
#include <bellwether/linalg/dense/max_tree.h>
#include <bellwether/traces/entry_list.h>
#include <bellwether/traces/trace_rule.h>

namespace bellwether {

class ATDDiagonalRule {
 public:
  static constexpr const char* name = "atd_diagonal";
  static constexpr Doc doc{
      .summary = "Accelerated TD with the diagonal of the matrix: a step size for every feature, from its own data.",
      .detail = R"(
delta = r + gamma' w.x' - w.x
e     = the trace, by the rule chosen
s_j  += e_j (x_j - gamma' x'_j)
p_j   = e_j / s_j where s_j > cutoff max_i s_i, 0 elsewhere
w    += alpha0 delta p + eta delta e

In means, with a_j = s_j / n after n steps: alpha0 (delta / n) e_j / a_j. With one feature per state and lambda = 0 the
accelerated part is an average over visits.
)",
      .reference =
          "Pan, White, White (2017), Accelerated gradient temporal difference learning, AAAI, mention it without a "
          "formula; this is our interpretation",
      .note =
          "O(d) a step with dense features, O(entries of the trace) with sparse ones. The largest s_j is kept in a "
          "tree, O(log d) for each change. A diagonal does not know how features interact: expect much less than from "
          "atd. Steps fall like 1/n; off-policy s_j may become negative, and only eta moves the weights of such "
          "features. alpha0 = 0 is TD(lambda) with step size eta."};

  struct Params {
    double eta = 1e-3;
    double lambda = 0.0;
    TraceRule trace = TraceRule::accumulating;
    double cutoff = 0.01;
    double alpha0 = 1;

    static constexpr auto fields() {
      return std::tuple{StepSizeField("eta", &Params::eta, non_negative, "step size of the plain TD part"),
                        lambda_field<Params>(), trace_rule_field<Params>(),
                        Field("cutoff", &Params::cutoff, unit, "entries below this times the largest are not inverted"),
                        Field("alpha0", &Params::alpha0, non_negative, "step size of the accelerated part")};
    }
  };

  WeightVector w;

  ATDDiagonalRule(std::size_t dim, const Params& params)
      : w(dim), params_(params), mover_(params.trace), e_(dim), list_(dim), sums_(dim) {}

  template <class Step>
  bool update(const Step& s) {
    const double delta = w.td_error(s);
    const double slow = params_.eta * delta;
    const double fast = params_.alpha0 * delta;
    const Motion m = mover_.next(s);
    if (!s.allows(slow, fast, e_.mass_after(m))) return false;
    mover_.move(e_, m, s.x);
    accumulate(list_.difference(s.x, s.gn, s.xn));
    const double least = params_.cutoff * sums_.largest();
    double steepest = 0;  // max |p_j|
    e_.for_each([&](std::size_t j, double e) {
      if (sums_[j] > least) steepest = std::fmax(steepest, std::abs(e) / sums_[j]);
    });
    if (!s.allows(fast * steepest)) return false;
    e_.for_each([&](std::size_t j, double e) {
      w[j] += slow * e;
      if (sums_[j] > least) w[j] += fast * (e / sums_[j]);
    });
    return true;
  }

  static constexpr auto state() {
    return std::tuple{&ATDDiagonalRule::w, &ATDDiagonalRule::mover_, &ATDDiagonalRule::e_, &ATDDiagonalRule::sums_};
  }

 private:
  /// s_j += e_j d_j
  void accumulate(const SparseView& d) {
    d.for_each([&](std::size_t j, double value) { sums_.assign(j, sums_[j] + e_.trace_at(j) * value); });
  }
  void accumulate(const DenseView& d) {
    sums_.assign_all([&](std::size_t j, double sum) { return sum + e_.trace_at(j) * d.values[j]; });
  }

  Params params_;
  TraceMover mover_;
  FollowedTrace<0> e_;
  EntryList list_;
  MaxTree sums_;  // s
};

using ATDDiagonal = LinearLearner<ATDDiagonalRule>;

}  // namespace bellwether
