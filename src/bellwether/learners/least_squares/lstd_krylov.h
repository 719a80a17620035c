#pragma once

#include <memory>
#include <optional>

#include <bellwether/core/params/registry.h>
#include <bellwether/learners/least_squares/equations/block_preconditioner.h>
#include <bellwether/learners/least_squares/equations/recorded_steps.h>
#include <bellwether/learners/linear_learner.h>
#include <bellwether/linalg/krylov/idr.h>

namespace bellwether {

class LSTDKrylovRule {
 public:
  static constexpr const char* name = "lstd_krylov";
  static constexpr Doc doc{
      .summary =
          "LSTD(lambda) without the matrix: stores the transitions, and solves the equations by products with them.",
      .detail = R"(
(S + I/p0) (w - w0) = sum_t (r_t - d_t.w0) e_t           p0 = inverse_init
S   = sum_t e_t d_t^T                                    d = x - gamma' x'
e_t = rho_t (gamma_t lambda e_{t-1} + x_t)               or a replacing or emphatic trace

S is never formed. A product with it is one pass over the transitions, backwards:
u_t = d_t.v
g_t = u_t + rho_{t+1} gamma_{t+1} lambda g_{t+1}
S v = sum_t rho_t g_t x_t

Solved by IDR(4) when weights or predictions are read. With at most 1024 features it is preconditioned by the LU
factors of S. With more, features that occur within 128 states only are eliminated exactly, and the diagonal of S is
the preconditioner; after 300 iterations the LU factors of the block of the 1024 largest entries are added to it.

damping > 0 damps singular values instead of shifting eigenvalues by a ridge, as lstd_stream does:
w = w0 + argmin_v sum_i (b - S v)_i^2 / N_i + damping |x|^2 |v|^2      N_i = sum e_i^2, |x|^2 its mean
Solved by conjugate gradients. Noise in data or features then changes weights little.
)",
      .reference =
          "Equations: Bradtke and Barto (1996), doi:10.1007/BF00114723; IDR(s): van Gijzen and Sonneveld (2011), "
          "doi:10.1145/2049662.2049667, which needs few more products than GMRES, Saad and Schultz (1986), "
          "doi:10.1137/0907058, and a tenth of its memory",
      .note =
          "For stored data and few questions: the weights are those of lstd, for O(active) a step and some dozens to "
          "hundreds of passes over the data when they are read. Memory is that of the data: 4 bytes for a binary "
          "feature, 12 for a sparse and 8 for a dense one, each state once, and 48 bytes a step; while it solves, "
          "about "
          "half as much again where half of the features stay from state to state, and some 20 numbers a feature. Up "
          "to "
          "1024 features, a question costs a few passes, and the factors are recomputed when the data have grown by a "
          "sixteenth to an eighth. With more, hashed ones for instance, every question costs all the iterations. The "
          "answer depends on the steps alone, not on earlier questions. Equations not "
          "solved to `tolerance` are not an error: see the finding `residual`. A large inverse_init or long traces "
          "need more iterations. Large equations are solved on several threads, one for each processor unless the "
          "caller allows fewer (`jobs` of `learn`, a ThreadLimit), with the same bits for any number; "
          "runs of a study have one each. Weights are cached, so even reading them is not safe from several threads at "
          "once. "
          "The memory for transitions is not on the heap: heap measurements do not see it."};

  struct Params {
    double lambda = 0.0;
    double inverse_init = 1;
    double damping = 0;
    TraceRule trace = TraceRule::accumulating;
    double tolerance = 1e-10;
    std::int64_t iterations = 2000;
    std::int64_t capacity = std::int64_t{1} << 30U;

    static constexpr auto fields() {
      return std::tuple{
          lambda_field<Params>(),
          RidgeField("inverse_init", &Params::inverse_init, positive,
                     "p0: a ridge of 1/p0 pulls the weights towards their start"),
          Field("damping", &Params::damping, at_least(0),
                "0: the ridge above; otherwise this instead: 0.003 suits most data, more if they are noisy"),
          trace_rule_field<Params>(),
          Field("tolerance", &Params::tolerance, Range{0, 1, false, true},
                "residual |b - A w| / |b| at which the solver stops"),
          Field("iterations", &Params::iterations, between(1, 1e9), "limit of the solver"),
          Field("capacity", &Params::capacity, between(1, 1e12),
                "memory in numbers of 8 bytes; steps that do not fit are left out")};
    }
  };

  static constexpr bool forms_weights = true;
  static constexpr Work work = Work::data;

  LSTDKrylovRule(std::size_t dim, const Params& params);

  template <class X>
  bool update(const Transition<X>& s);

  template <class X>
  double value(const X& x) const {
    return kernels::dot(x, solution().w.data());
  }
  void read(std::span<double> w) const;
  void assign(std::span<const double> w);

  /// Solves the equations if they have not been solved since the last step.
  Settings findings() const;

  /// Exact except for rounding, as far as there is room.
  void merge(const LSTDKrylovRule& other);

  static constexpr auto state() { return std::tuple{&LSTDKrylovRule::steps_, &LSTDKrylovRule::w0_}; }

 private:
  /// The solution of the equations of the first `steps` steps.
  struct Solution {
    std::size_t steps;
    std::vector<double> w;
    Idr::Result result;
  };
  struct Preconditioner {
    std::size_t steps;
    std::shared_ptr<const BlockPreconditioner> M;
  };

  const TransitionLog& log() const { return steps_.log(); }
  const Solution& solution() const;
  const BlockPreconditioner& preconditioner() const;
  Idr::Result solve(std::span<double> w) const;
  Idr::Result solve_damped(std::span<double> correction, ThreadTeam& team) const;
  Idr::Result solve_with_all_in_the_block(std::span<double> correction, ThreadTeam& team) const;

  Params params_;
  RecordedSteps steps_;
  std::vector<double> w0_;
  mutable std::optional<Solution> solution_;
  mutable std::optional<Preconditioner> preconditioner_;
};

using LSTDKrylov = LinearLearner<LSTDKrylovRule>;

}  // namespace bellwether
