#pragma once

#include <bellwether/core/params/registry.h>
#include <bellwether/learners/least_squares/recursive_least_squares.h>
#include <bellwether/learners/linear_learner.h>

namespace bellwether {

class ATDFullRule {
 public:
  static constexpr const char* name = "atd_full";
  static constexpr Doc doc{
      .summary =
          "Accelerated TD with the whole matrix: TD(lambda) whose steps are multiplied by the inverse of LSTD's "
          "matrix.",
      .detail = R"(
delta = r + gamma' w.x' - w.x
e     = rho (gamma lambda e + x)                         or a replacing or emphatic trace
A     = (I/p0 + sum e d^T) / (t+1)                       d = x - gamma' x', p0 = inverse_init, t = 0, 1, ...
w    += alpha0 / (t+1) delta A^-1 e + eta delta e        A includes this step
)",
      .reference =
          "Pan, White, White (2017), Accelerated gradient temporal difference learning, AAAI, arXiv:1611.09328",
      .note =
          "What low-rank ATD approximates, for d^2 memory and 2 d^2 operations a step. With eta = 0 and alpha0 = 1 it "
          "is exactly LSTD(lambda) with the same inverse_init, after every step. eta adds a plain TD step, which helps "
          "where the matrix does not know a direction yet and is noise later; alpha0 below 1 forgets the first steps "
          "more slowly. A^-1 / (t+1) is the inverse of the sum, which is what is stored, in blocks as in lstd."};

  struct Params {
    double lambda = 0.0;
    double alpha0 = 1;
    double eta = 0.001;
    double inverse_init = 1;
    TraceRule trace = TraceRule::accumulating;

    static constexpr auto fields() {
      return std::tuple{
          lambda_field<Params>(),
          Field("alpha0", &Params::alpha0, positive, "factor of the accelerated step, which falls as 1/(t+1)"),
          StepSizeField("eta", &Params::eta, non_negative, "step size of the additional plain TD step"),
          RidgeField("inverse_init", &Params::inverse_init, positive,
                     "p0: the inverse starts at p0 I, a ridge of 1/p0"),
          trace_rule_field<Params>()};
    }
  };

  static constexpr bool forms_weights = true;
  static constexpr Work work = Work::matrix;

  RecursiveLeastSquares w;

  ATDFullRule(std::size_t dim, const Params& params)
      : w(dim, params.inverse_init, params.trace), alpha0_(params.alpha0), eta_(params.eta) {}

  template <class Step>
  bool update(const Step& s) {
    return w.update(s, alpha0_, eta_);
  }

  Settings findings() const { return w.findings(); }

  /// Exact with alpha0 = 1 and eta = 0; otherwise only the matrix is exact, and the weights are a mean weighted by the
  /// matrices.
  void merge(const ATDFullRule& other) { w.merge(name, other.w); }

  static constexpr auto state() { return std::tuple{&ATDFullRule::w}; }

 private:
  double alpha0_, eta_;
};

using ATDFull = LinearLearner<ATDFullRule>;

}  // namespace bellwether
