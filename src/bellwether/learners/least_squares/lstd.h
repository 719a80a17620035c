#pragma once

#include <array>
#include <variant>

#include <bellwether/core/registry.h>
#include <bellwether/learners/least_squares/key_sums.h>
#include <bellwether/learners/least_squares/recursive_least_squares.h>
#include <bellwether/learners/sharing/roster.h>
#include <bellwether/learners/weights_on_demand.h>

namespace bellwether {

enum class InverseMethod : std::uint8_t { sherman_morrison, direct };
constexpr auto names(InverseMethod) { return std::array{"sherman_morrison", "direct"}; }

class LSTD final : public WeightsOnDemand<LSTD> {
 public:
  static constexpr const char* name = "lstd";
  static constexpr Doc doc{
      .summary = "Least-squares TD(lambda): the weights at which the TD updates of all steps so far sum to zero.",
      .detail = R"(
e  = rho (gamma lambda e + x)                 or a replacing, or an emphatic trace
S += e d^T,  s += r e                         d = x - gamma' x'
w  = (S + I/p0)^-1 s                          p0 = inverse_init

sherman_morrison: the inverse P of S + I/p0 follows step by step, from P = p0 I,
  P -= (P e)(d^T P) / c                       c = 1 + d.P e
  w += (delta / c) P e                        delta = r - d.w, P before the step
direct: S and s are summed, and the equations are solved (LU) when weights or predictions are asked for.
)",
      .reference =
          "Bradtke and Barto (1996), Linear least-squares algorithms for temporal difference learning, "
          "doi:10.1007/BF00114723; Boyan (1999), Least-squares temporal difference learning, ICML",
      .note =
          "No step size, and the best use of every step, for d^2 memory. sherman_morrison: 2 d^2 operations a step "
          "with sparse features, 6 d^2 with dense ones, 2 d^2 of them gathered into matrix products: a sparse step "
          "takes less time than reading and writing the matrix once, but one step in sqrt(d) does the work for all. Of "
          "sparse features only those seen so far count in d. "
          "A prediction costs O(d) a feature. direct: O(|e| |d|) a step with sparse features, and d^3/3 for reading "
          "the weights and for every call of predict: for many steps and few questions; numerically the safest. I/p0 "
          "pulls the weights to where they start. A larger p0 trusts the first steps more, makes them wilder and "
          "costs digits; 1 suits features of size one. Off-policy, S + I/p0 may be singular on the way: "
          "sherman_morrison leaves out the steps that would make it so, and counts them. The emphatic "
          "trace makes this ELSTD, whose S is positive in expectation whatever the behaviour policy."};

  struct Params {
    double lambda = 0.0;
    double inverse_init = 1;
    TraceRule trace = TraceRule::accumulating;
    InverseMethod method = InverseMethod::sherman_morrison;

    static constexpr auto fields() {
      return std::tuple{
          lambda_field<Params>(),
          Field("inverse_init", &Params::inverse_init, positive, "p0: the inverse starts at p0 I, a ridge of 1/p0"),
          trace_rule_field<Params>(),
          Field("method", &Params::method, "inverse updated step by step, or equations solved on demand")};
    }
  };

  LSTD(std::size_t dim, const Params& params) : LSTD(std::vector{params}, dim) {}

  /// Several that have the sums in common and solve each with its own ridge, by `direct`: see Together. Inverses
  /// followed step by step have nothing in common that would be worth it, and 13 of them side by side are slower than
  /// one after another, as fewer stay in cache.
  LSTD(const std::vector<Params>& members, std::size_t dim);
  static Params in_common(Params params) {
    if (params.method == InverseMethod::direct) params.inverse_init = Params{}.inverse_init;
    return params;
  }
  const Roster& roster() const { return roster_; }

  const Params& params() const { return members_.front(); }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    WeightsOnDemand::state(self, visit);
    visit(self.system_);
    visit.fixed(self.b_, self.w0_);
  }

  Settings findings() const override { return findings(0); }
  Settings findings(std::size_t) const;

  /// Exact but for rounding.
  void merge(const LSTD& other);

  template <class X>
  bool update(const Transition<X>& s) {
    if (auto* recursive = std::get_if<RecursiveLeastSquares>(&system_)) return recursive->update(s);
    double error = 0;
    const auto accepts = [&](const auto& d) { return bounded(error = s.r - kernels::dot(d, w0_.data())); };
    const auto take = [&](const auto& e) { kernels::axpy(error, e, b_.data()); };
    return std::get<KeySums>(system_).add(s, accepts, take);
  }

  template <class X>
  double value(const X& x) const {
    if (const auto* recursive = std::get_if<RecursiveLeastSquares>(&system_)) return recursive->value(x);
    std::vector<double> w(dim());
    solve(0, w);
    return kernels::dot(x, w.data());
  }

  void read(std::span<double> w) const { read(0, w); }
  void read(std::size_t member, std::span<double> w) const;
  void assign(std::span<const double> w);

 private:
  void solve(std::size_t member, std::span<double> w) const;

  Roster roster_;
  std::vector<Params> members_;
  std::variant<RecursiveLeastSquares, KeySums> system_;
  std::vector<double> b_;   // sum (r - d.w0) e, for direct
  std::vector<double> w0_;  // where direct starts from; the recursion holds it itself
};

}  // namespace bellwether
