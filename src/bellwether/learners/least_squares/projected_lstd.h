#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <bellwether/core/params/registry.h>
#include <bellwether/learners/linear_learner.h>
#include <bellwether/linalg/inverse/inverse_sum.h>
#include <bellwether/linalg/svd/sketch.h>
#include <bellwether/traces/trace_rule.h>

namespace bellwether {

/// The traces that commute with a projection; the maximum in replacing traces does not.
enum class ProjectedTrace : std::uint8_t { accumulating, emphatic };
constexpr auto names(ProjectedTrace) { return std::array{"accumulating", "emphatic"}; }

class ProjectedLSTDRule {
 public:
  static constexpr const char* name = "projected_lstd";
  static constexpr Doc doc{
      .summary = "LSTD(lambda) on a few random projections of the features; the predictions are averaged.",
      .detail = R"(
For each of the projections S (k x d, drawn once), with f = S x and f' = S x' in R^k:

e     = rho (gamma lambda e + f)         emphatic: rho (gamma lambda e + M f), M the emphasis as in etd
d     = f - gamma' f'
u     = P e ; q = P^T d ; c = 1 + d.u    P = inverse_init I at first
P    -= u q^T / c
v    += (r - d.v) / c u                  so that (I / inverse_init + sum e d^T) v = sum e r

w     = mean over the projections of S^T v

Starting weights w0 stay outside the projections, which learn the rest, from r - w0.(x - gamma' x').
)",
      .reference =
          "Ghavamzadeh, Lazaric, Maillard, Munos (2010), LSTD with random projections, NIPS; averaged over five "
          "projections in Pan, White, White (2017), Accelerated gradient temporal difference learning, AAAI",
      .note =
          "O(projections (k^2 + cost of S x)) a step: S x costs k d with dense features and k active with sparse ones "
          "for gaussian, d log d and k active for srht, d and active for count_sketch and aggregation. gaussian "
          "stores projections k d numbers, the others next to nothing. Only what k random combinations of the "
          "features can express is learned: more data do not remove that bias, a larger rank does; with rank = d it "
          "is LSTD except for the regulariser. inverse_init should be well above 1 / |x|^2, but not by more than ten "
          "orders of magnitude, or the inverse is lost in rounding. A step that would make the matrix singular is "
          "left out and counted."};

  struct Params {
    double inverse_init = 1;
    double lambda = 0.0;
    ProjectedTrace trace = ProjectedTrace::accumulating;
    std::int64_t rank = 50;
    std::int64_t projections = 5;
    SketchKind sketch = SketchKind::gaussian;
    std::int64_t seed = 1;

    static constexpr auto fields() {
      return std::tuple{
          RidgeField("inverse_init", &Params::inverse_init, positive,
                     "P starts as this times I; large values regularise little"),
          lambda_field<Params>(),
          Field("trace", &Params::trace, "what a visit does to the trace; emphatic is stable off-policy"),
          Field("rank", &Params::rank, at_least(1), "rows k of a projection; more than d means d"),
          Field("projections", &Params::projections, between(1, 1000), "independent projections that are averaged"),
          Field("sketch", &Params::sketch, "how projections are drawn"),
          Field("seed", &Params::seed, "seed of the projections")};
    }
  };

  static double least_numbers(std::size_t dim, const Params& params) {
    return 2 * static_cast<double>(dim) * std::min(static_cast<double>(dim), static_cast<double>(params.rank));
  }

  ProjectedLSTDRule(std::size_t dim, const Params& params)
      : dim_(dim),
        inverse_init_(params.inverse_init),
        rank_(std::min(static_cast<std::size_t>(params.rank), dim)),
        mover_(params.trace == ProjectedTrace::emphatic ? TraceRule::emphatic : TraceRule::accumulating) {
    for (std::int64_t i = 0; i < params.projections; ++i) {
      parts_.emplace_back(
          Sketch(params.sketch, rank_, dim, static_cast<std::uint64_t>(params.seed), static_cast<std::uint64_t>(i)),
          params.inverse_init);
    }
    work_.resize(parts_.front().S.workspace());
  }

  template <class Step>
  bool update(const Step& s) {
    const double r =
        start_.empty() ? s.r : s.r + s.gn * kernels::dot(s.xn, start_.data()) - kernels::dot(s.x, start_.data());
    const Motion m = mover_.next(s);
    if (!s.allows(r, m.f, m.y)) return false;
    for (Part& part : parts_) {
      if (!part.prepare(s, r, m, work_.data())) return false;
    }
    for (Part& part : parts_) {
      skipped_ += part.learn() ? 0 : 1;
      lost_ += std::abs(part.c) > 1e12 ? 1 : 0;  // so many of the 16 digits of P are lost at once
    }
    return true;
  }

  template <class X>
  double value(const X& x) const {
    std::vector<double> f(rank_);
    std::vector<double> work(work_.size());
    double sum = 0;
    for (const Part& part : parts_) {
      part.S.apply(x, f.data(), work.data());
      sum += kernels::dot(f.data(), part.v.data(), rank_);
    }
    return sum / static_cast<double>(parts_.size()) + (start_.empty() ? 0 : kernels::dot(x, start_.data()));
  }

  void read(std::span<double> w) const {
    std::vector<double> part_w(w.size());
    std::vector<double> work(work_.size());
    std::fill(w.begin(), w.end(), 0.0);
    for (const Part& part : parts_) {
      part.S.apply_transposed(part.v.data(), part_w.data(), work.data());
      kernels::axpy(1 / static_cast<double>(parts_.size()), part_w.data(), w.data(), w.size());
    }
    if (!start_.empty()) kernels::axpy(1, start_.data(), w.data(), w.size());
  }
  void assign(std::span<const double> w) { start_.assign(w.begin(), w.end()); }

  Settings findings() const {
    Settings found;
    if (skipped_ > 0) found.emplace_back("singular_steps_left_out", std::to_string(skipped_));
    if (lost_ > 0) found.emplace_back("steps_that_lost_12_digits", std::to_string(lost_));
    return found;
  }

  /// Exact except for rounding, as the projections are the same.
  void merge(const ProjectedLSTDRule& other) {
    check_same_start(name, start_, other.start_);
    std::vector<Part> sums = parts_;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      Part& sum = sums[i];
      const Part& part = other.parts_[i];
      if (!add_inverse(rank_, inverse_init_, sum.P.row(0), rank_, sum.v.data(), part.P.row(0), part.v.data())) {
        throw InvalidArgument(std::string(name) + ": the sum of two matrices is singular");
      }
      sum.e = part.e;
    }
    parts_ = std::move(sums);
    mover_ = other.mover_;
    skipped_ += other.skipped_;
    lost_ += other.lost_;
  }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.mover_);
    for (auto& part : self.parts_) {
      visit(part.P);
      visit.fixed(part.v, part.e);
    }
    visit(self.start_, self.skipped_, self.lost_);
    visit.require(self.start_.empty() || self.start_.size() == self.dim_);
  }

 private:
  /// LSTD in the coordinates of one projection.
  struct Part {
    Part(Sketch sketch, double inverse_init)
        : S(std::move(sketch)),
          P(S.rows(), S.rows()),
          v(S.rows()),
          e(S.rows()),
          next_e(S.rows()),
          d(S.rows()),
          u(S.rows()),
          q(S.rows()) {
      for (std::size_t i = 0; i < S.rows(); ++i) P.row(i)[i] = inverse_init;
    }

    /// Computes the step without taking it; false if it is not allowed.
    template <class Step>
    bool prepare(const Step& s, double r, Motion m, double* work) {
      const std::size_t k = S.rows();
      S.apply(s.x, d.data(), work);
      for (std::size_t i = 0; i < k; ++i) next_e[i] = m.f * e[i] + m.y * d[i];
      if (s.gn != 0) {
        S.apply(s.xn, q.data(), work);
        kernels::axpy(-s.gn, q.data(), d.data(), k);
      }
      P.times(next_e.data(), u.data());
      P.transposed_times(DenseView{d.data(), k}, q.data());
      const double du = kernels::dot(d.data(), u.data(), k);
      c = 1 + du;
      delta = r - kernels::dot(d.data(), v.data(), k);
      const double sizes[] = {kernels::dot(d.data(), d.data(), k), kernels::dot(u.data(), u.data(), k),
                              kernels::dot(q.data(), q.data(), k), kernels::dot(next_e.data(), next_e.data(), k)};
      // What rounding can leave of a c that should be 0.
      singular = std::abs(c) <= 1e-12 * (1 + std::sqrt(sizes[0] * sizes[1]));
      return s.allows(delta, c, sizes[0], sizes[1], sizes[2], sizes[3]);
    }

    /// Takes the step; false when P has to stay as it is.
    bool learn() {
      std::swap(e, next_e);
      if (singular) return false;
      P.add_outer(-1 / c, DenseView{u.data(), u.size()}, q.data());
      kernels::axpy(delta / c, u.data(), v.data(), v.size());
      return true;
    }

    Sketch S;
    TallMatrix P;  // k x k
    std::vector<double> v, e, next_e, d, u, q;
    double c = 1;
    double delta = 0;
    bool singular = false;
  };

  std::size_t dim_;
  double inverse_init_;
  std::size_t rank_;
  TraceMover mover_;
  std::vector<Part> parts_;
  std::vector<double> work_;
  std::vector<double> start_;  // w0; empty: 0
  std::uint64_t skipped_ = 0;
  std::uint64_t lost_ = 0;
};

using ProjectedLSTD = LinearLearner<ProjectedLSTDRule>;

}  // namespace bellwether
