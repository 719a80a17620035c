#pragma once

#include <array>
#include <variant>
#include <vector>

#include <bellwether/core/params/registry.h>
#include <bellwether/learners/least_squares/equations/damped_sums.h>
#include <bellwether/learners/least_squares/equations/key_sums.h>
#include <bellwether/learners/least_squares/recursive_least_squares.h>
#include <bellwether/learners/linear_learner.h>

namespace bellwether {

enum class InverseMethod : std::uint8_t { sherman_morrison, direct };
constexpr auto names(InverseMethod) { return std::array{"sherman_morrison", "direct"}; }

struct LSTDRule {
  static constexpr const char* name = "lstd";
  static constexpr Doc doc{
      .summary = "Least-squares TD(lambda): the weights at which the TD updates of all steps so far sum to zero.",
      .detail = R"(
e  = rho (gamma lambda e + x)                 or a replacing or emphatic trace
S += e d^T,  s += r e                         d = x - gamma' x'
w  = (S + I/p0)^-1 s                          p0 = inverse_init

sherman_morrison: the inverse P of S + I/p0 is updated at every step, from P = p0 I,
  P -= (P e)(d^T P) / c                       c = 1 + d.P e
  w += (delta / c) P e                        delta = r - d.w, P before the step
direct: S and s are summed, and the equations are solved (LU) when weights or predictions are read.

damping > 0 damps singular values instead of shifting eigenvalues by a ridge, as lstd_stream does:
w = w0 + argmin_v sum_i (s - S v)_i^2 / N_i + damping |x|^2 |v|^2      N_i = sum e_i^2, |x|^2 its mean
The sums are kept as by `direct`, and solved (QR) when weights or predictions are read.
)",
      .reference =
          "Bradtke and Barto (1996), Linear least-squares algorithms for temporal difference learning, "
          "doi:10.1007/BF00114723; Boyan (1999), Least-squares temporal difference learning, ICML",
      .note =
          "No step size, and the best use of every step, for d^2 memory. sherman_morrison: 2 d^2 operations a step "
          "with sparse features, 6 d^2 with dense ones, 2 d^2 of them collected into matrix products: a sparse step "
          "takes less time than reading and writing the matrix once, but one step in sqrt(d) does the work for all. "
          "Only the sparse features seen so far count in d. A prediction costs O(d) a feature. direct: O(|e| |d|) a "
          "step with sparse features, and d^3/3 to read the weights and for every call of predict: for many steps and "
          "few questions; numerically the safest. damping makes weights from noisy features or few steps smaller, and "
          "costs some 3 d^3 to read them: where they are wanted after every step, take lstd_stream, which "
          "follows the same minimum. I/p0 pulls the weights towards their start. A larger p0 trusts the "
          "first steps more, makes them wilder and costs digits; 1 suits features of size one. Off-policy, S + I/p0 "
          "may become singular on the way: sherman_morrison leaves out the steps that would make it so, and counts "
          "them. The emphatic trace makes this ELSTD, whose S is positive in expectation whatever the behaviour "
          "policy."};

  struct Params {
    double lambda = 0.0;
    double inverse_init = 1;
    double damping = 0;
    TraceRule trace = TraceRule::accumulating;
    InverseMethod method = InverseMethod::sherman_morrison;

    static constexpr auto fields() {
      return std::tuple{
          lambda_field<Params>(),
          RidgeField("inverse_init", &Params::inverse_init, positive,
                     "p0: the inverse starts at p0 I, a ridge of 1/p0"),
          Field("damping", &Params::damping, at_least(0),
                "0: the ridge above; otherwise this instead, solved on demand: 0.003 suits most data, more if noisy"),
          trace_rule_field<Params>(),
          Field("method", &Params::method, "inverse updated step by step, or equations solved on demand")};
    }
  };

  struct Head;

  /// The inverse, or for `direct` the sums, which settings with different ridges can share, or with damping those that
  /// settings with different damping can share. Inverses with different
  /// ridges share nothing; 13 of them side by side are slower than one after another, as fewer stay in cache.
  struct System {
    System(std::size_t dim, const Params& params);

    template <class Step, class Heads>
    bool step(const Step& s, const Heads&) {
      if (auto* recursive = std::get_if<RecursiveLeastSquares>(&matrix)) return recursive->update(s);
      if (auto* damped = std::get_if<DampedSums>(&matrix)) {
        const double next = s.gn == 0 ? 0.0 : kernels::dot(s.xn, w0.data());
        return damped->add(s, s.r - (kernels::dot(s.x, w0.data()) - s.gn * next));
      }
      double error = 0;
      const auto accepts = [&](const auto& d) { return s.allows(error = s.r - kernels::dot(d, w0.data())); };
      const auto take = [&](const auto& e) { kernels::axpy(error, e, b.data()); };
      return std::get<KeySums>(matrix).add(s, accepts, take);
    }

    template <class Heads>
    void assign(std::span<const double> w, const Heads&) {
      w0.assign(w.begin(), w.end());
      if (auto* recursive = std::get_if<RecursiveLeastSquares>(&matrix)) recursive->assign(w);
    }
    template <class X>
    double value(const Head& head, const X& x) const {
      if (const auto* recursive = std::get_if<RecursiveLeastSquares>(&matrix)) return recursive->dot(x);
      std::vector<double> w(w0.size());
      read(head, w);
      return kernels::dot(x, w.data());
    }
    void read(const Head& head, std::span<double> w) const;
    Settings findings(const Head&) const;

    /// Exact except for rounding.
    void merge(Head& head, const System& other, const Head& other_head, double share);

    static constexpr auto state() { return std::tuple{&System::matrix, &System::b, &System::w0}; }

    std::variant<RecursiveLeastSquares, KeySums, DampedSums> matrix;
    std::vector<double> b;   // direct: sum (r - d.w0) e
    std::vector<double> w0;  // direct: where learning starts; the recursion keeps its own
  };

  /// What one learner adds: its ridge or its damping.
  struct Head {
    Head(const System&, const Params& params) : inverse_init(params.inverse_init), damping(params.damping) {}

    double inverse_init;
    double damping;

    static constexpr auto state() { return std::tuple{}; }
  };

  /// The parameters without those in which settings that share the sums may differ.
  static Params in_common(Params params) {
    const bool damped = params.damping > 0;
    if (damped) params.damping = 1;
    if (damped || params.method == InverseMethod::direct) params.inverse_init = Params{}.inverse_init;
    return params;
  }

  static constexpr bool forms_weights = true;
  static constexpr Work work = Work::matrix;
};

using LSTD = LinearLearner<LSTDRule>;

}  // namespace bellwether
