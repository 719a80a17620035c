#pragma once

#include <algorithm>

#include <bellwether/core/registry.h>
#include <bellwether/learners/support/trace_change.h>
#include <bellwether/learners/support/traced_learner.h>
#include <bellwether/learners/support/weights_on_demand.h>
#include <bellwether/linalg/incremental_svd.h>

namespace bellwether {

class TLSTD final : public TracedLearner<TLSTD, 1, WeightsOnDemand<TLSTD>> {
 public:
  static constexpr const char* name = "tlstd";
  static constexpr Doc doc{
      .summary = "Truncated LSTD(lambda): least-squares TD from the largest singular values of its matrix.",
      .detail = R"(
e = rho (gamma lambda e + x)                     or the emphatic or replacing trace
A = (1 - beta) A + beta e (x - gamma' x')^T      beta = 1/(t+1)
b = (1 - beta) b + beta r e
w = V diag(1/sigma) U^T b                        A_k = U diag(sigma) V^T

A_k is A cut to its k = rank largest singular values, kept up to date step by step, never formed. Singular values below
cutoff * sigma_1 are taken as zero, which regularises the solution. With rank >= rank(A) and cutoff = 0 it is LSTD
without regularisation.
)",
      .reference = "Gehring, Pan, White (2016), Incremental truncated LSTD, IJCAI, arXiv:1511.08495",
      .note =
          "O(rank^2) a step and O(d rank^2 + rank^3) once in `rank` steps with sparse features, O(d rank) more a "
          "step with dense ones. No step size, and a bias that a larger rank takes away. w is computed when it is "
          "asked for, which costs a singular value decomposition of a matrix of 2 rank rows: ask for predictions in "
          "batches."};

  struct Params {
    std::int64_t rank = 50;
    double cutoff = 0.01;
    double lambda = 0.0;
    TraceRule trace = TraceRule::accumulating;
    std::optional<std::int64_t> block{};

    static constexpr auto fields() {
      return std::tuple{
          Field("rank", &Params::rank, at_least(1), "singular values kept; more than d means d"),
          Field("cutoff", &Params::cutoff, Range{0, 1, false, true}, "smallest sigma / sigma_1 that is inverted"),
          lambda_field<Params>(), trace_rule_field<Params>(),
          Field("block", &Params::block, at_least(1),
                "steps between truncations; auto: when as many new directions have come up as the rank")};
    }
  };

  TLSTD(std::size_t dim, const Params& params)
      : TracedLearner(dim),
        params_(checked(name, params)),
        mover_(params.trace),
        difference_(dim),
        change_(dim, params.trace),
        svd_(dim, at_most_dim(params.rank), at_most_dim(params.block.value_or(params.rank)),
             IncrementalSvd::Solves::never),
        start_(dim) {}

  const Params& params() const { return params_; }

  Settings findings() const override {
    const auto sigma = svd_.singular_values();
    const auto above =
        std::count_if(sigma.begin(), sigma.end(), [&](double s) { return s > params_.cutoff * sigma.front(); });
    return {{"singular_values_kept", std::to_string(sigma.size())},
            {"singular_values_inverted", std::to_string(above)}};
  }

  template <class X>
  bool update(const Transition<X>& s) {
    const Motion m = mover_.next(s);
    const auto d = difference_.difference(s.x, s.gn, s.xn);
    const auto e = [this](std::size_t j) { return e_.trace_at(j); };
    change_.with_factor(m, s.x, e, [&](double y, const auto& u) { svd_.resolve(m.f, y, u, d); });
    const double r = s.r - kernels::dot(d, start_.data());
    if (!bounded(r, e_.mass_after(m), svd_.magnitude())) return false;
    mover_.move(e_, m, s.x);
    e_.follow(r);
    svd_.commit(1, 1);
    ++in_block_;
    if (params_.block ? in_block_ == *params_.block : svd_.full()) {
      svd_.truncate();
      in_block_ = 0;
    }
    return true;
  }

  template <class X>
  double value(const X& x) const {
    return kernels::dot(x, weights().data());
  }
  void read(std::span<double> w) const {
    e_.read(w);  // (t+1) b
    const auto solution = svd_.pseudo_inverse(w, params_.cutoff);
    for (std::size_t j = 0; j < w.size(); ++j) w[j] = start_[j] + solution[j];
  }
  void assign(std::span<const double> w) { start_.assign(w.begin(), w.end()); }

 private:
  std::size_t at_most_dim(std::int64_t wanted) const {
    return static_cast<std::size_t>(std::min(wanted, static_cast<std::int64_t>(dim())));
  }

  Params params_;
  TraceMover mover_;
  EntryList difference_;
  TraceChange change_;
  IncrementalSvd svd_;  // of (t+1) A; the trace is followed by (t+1) b
  std::vector<double> start_;
  std::int64_t in_block_ = 0;
};

}  // namespace bellwether
