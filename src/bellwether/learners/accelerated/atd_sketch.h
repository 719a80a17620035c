#pragma once

#include <algorithm>

#include <bellwether/core/params/registry.h>
#include <bellwether/learners/linear_learner.h>
#include <bellwether/linalg/svd/gram_factor.h>
#include <bellwether/linalg/svd/sketch.h>
#include <bellwether/traces/entry_list.h>
#include <bellwether/traces/trace_rule.h>

namespace bellwether {

class ATDSketchRule {
 public:
  static constexpr const char* name = "atd_sketch";
  static constexpr Doc doc{
      .summary = "Accelerated TD whose matrix is known only through a random sketch of its rows.",
      .detail = R"(
delta = r + gamma' w.x' - w.x
e     = the trace, by the rule chosen
d     = x - gamma' x'
N    += (S e) d^T                                        N = S sum e d^T, k x d; S drawn once
w    += alpha0 delta N^T (N N^T + omega I)^-1 S e  +  eta delta e

In means, with B = N / n after n steps: alpha0 (delta / n) B^T (B B^T + omega/n^2 I)^-1 S e. Rank 0 is TD(lambda) with
step size eta; rank d with an invertible sketch and eta = 0 tends to LSTD(lambda) as omega goes to 0.
)",
      .reference =
          "Pan, Azer, White (2017), Effective sketching methods for value function approximation, UAI, "
          "arXiv:1708.01298",
      .note =
          "O(k d + k^2) a step with dense features. With sparse ones O(k active + k^2) amortised, not O(k d): steps "
          "are kept as combinations of the rows of N, which are added up once in 256 steps. Memory is k d numbers, "
          "twice that with a gaussian sketch. Sketching one side does not move the fixed point: unlike in "
          "projected_lstd, with eta > 0 k decides how fast it is reached, not where it is. omega is compared with "
          "|S e|^2 |d|^2: with features far below 1 in size it has to be smaller, or steps are timid; where it would "
          "be lost in rounding it is raised, which the findings report."};

  struct Params {
    double eta = 1e-3;
    double lambda = 0.0;
    TraceRule trace = TraceRule::accumulating;
    std::int64_t rank = 50;
    SketchKind sketch = SketchKind::gaussian;
    double omega = 1;
    double alpha0 = 1;
    std::int64_t seed = 1;

    static constexpr auto fields() {
      return std::tuple{StepSizeField("eta", &Params::eta, non_negative, "step size of the plain TD part"),
                        lambda_field<Params>(),
                        trace_rule_field<Params>(),
                        Field("rank", &Params::rank, at_least(0), "rows k of the sketch; more than d means d"),
                        Field("sketch", &Params::sketch, "how the sketch is drawn"),
                        Field("omega", &Params::omega, at_least(1e-3), "regulariser of the k x k matrix"),
                        Field("alpha0", &Params::alpha0, non_negative, "step size of the accelerated part"),
                        Field("seed", &Params::seed, "of the sketch")};
    }
  };

  static double least_numbers(std::size_t dim, const Params& params) {
    return 2 * static_cast<double>(dim) * std::min(static_cast<double>(dim), static_cast<double>(params.rank));
  }

  ATDSketchRule(std::size_t dim, const Params& params)
      : params_(params),
        rank_(std::min(static_cast<std::size_t>(params.rank), dim)),
        S_(params.sketch, std::max<std::size_t>(rank_, 1), dim, static_cast<std::uint64_t>(params.seed)),
        mover_(params.trace),
        e_(dim),
        list_(dim),
        N_(dim, rank_),
        gram_(rank_, params.omega),
        Se_(rank_),
        Sx_(S_.rows()),
        y_(rank_),
        q_(rank_),
        z_(rank_),
        work_(S_.workspace()),
        all_(dim) {
    if (params.trace == TraceRule::replacing) indices_.resize(dim);
  }

  template <class Step>
  bool update(const Step& s) {
    const double delta = s.r + s.gn * value(s.xn) - value(s.x);
    const double slow = params_.eta * delta;
    const Motion m = mover_.next(s);
    if (!s.allows(delta, slow, e_.mass_after(m))) return false;
    if (rank_ == 0) {
      mover_.move(e_, m, s.x);
    } else {
      const double fast = params_.alpha0 * delta;
      const auto d = list_.difference(s.x, s.gn, s.xn);
      const double dd = kernels::squared_norm(d);
      S_.apply(s.x, Sx_.data(), work_.data());
      // |(N N^T + omega I)^-1 S e| <= |S e| / omega and |S e| <= mass max |S x|: if these are finite, the rest is too.
      largest_ = std::max(largest_, std::sqrt(kernels::dot(Sx_.data(), Sx_.data(), rank_)));
      const double size = e_.mass_after(m) * largest_;
      if (!s.allows(fast * size / params_.omega, size, size * std::sqrt(dd))) return false;
      mover_.move(e_, m, s.x);
      project_trace(m);
      absorb(d, dd);
      // z += alpha0 delta (N N^T + omega I)^-1 S e
      std::copy(Se_.begin(), Se_.end(), q_.begin());
      gram_.solve(q_.data());
      kernels::axpy(fast, q_.data(), z_.data(), rank_);
      ++owed_;
    }
    e_.follow(slow);
    if (owed_ == (std::is_same_v<decltype(s.x), DenseView> ? 1 : 256)) settle();
    return true;
  }

  template <class X>
  double value(const X& x) const {
    return owed_ == 0 ? e_.dot(x) : e_.dot(x) + N_.form(x, z_.data());
  }
  void read(std::span<double> w) const {
    e_.read(w);
    if (owed_ == 0) return;
    for (std::size_t j = 0; j < w.size(); ++j) w[j] += kernels::dot(N_.row(j), z_.data(), rank_);
  }
  void assign(std::span<const double> w) { e_.assign(w); }

  Settings findings() const {
    if (gram_.ridge() == params_.omega) return {};
    return {{"omega_raised_to", format_number(gram_.ridge())}};
  }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.mover_, self.e_, self.N_, self.gram_);
    visit.fixed(self.Se_, self.z_);
    visit(self.largest_, self.owed_);
  }

 private:
  /// S e from S x where the trace is linear, from the entries of e where it is not.
  void project_trace(Motion m) {
    if (params_.trace != TraceRule::replacing) {
      for (std::size_t i = 0; i < rank_; ++i) Se_[i] = m.f * Se_[i] + m.y * Sx_[i];
      return;
    }
    std::size_t n = 0;
    e_.for_each([&](std::size_t j, double e) {
      indices_[n] = static_cast<std::uint32_t>(j);
      all_[n++] = e;
    });
    S_.apply(SparseView{indices_.data(), all_.data(), n}, Se_.data(), work_.data());
  }

  /// N += (S e) d^T. The weights w = u + N^T z stay as they are: u -= ((S e).z) d.
  template <class D>
  void absorb(const D& d, double dd) {
    N_.transposed_times(d, y_.data());
    gram_.add(Se_.data(), y_.data(), dd);
    N_.add_outer(1, d, Se_.data());
    if (owed_ > 0) e_.add_to(-kernels::dot(Se_.data(), z_.data(), rank_), d);
  }

  /// u += N^T z, z = 0
  void settle() {
    N_.times(z_.data(), all_.data());
    e_.add_to(1, DenseView{all_.data(), all_.size()});
    std::fill(z_.begin(), z_.end(), 0.0);
    owed_ = 0;
  }

  Params params_;
  std::size_t rank_;
  Sketch S_;
  TraceMover mover_;
  FollowedTrace<1> e_;  // followed by u, where w = u + N^T z
  EntryList list_;
  TallMatrix N_;     // N^T
  GramFactor gram_;  // of N N^T + omega I
  std::vector<double> Se_, Sx_, y_, q_;
  std::vector<double> z_;
  std::vector<double> work_;
  std::vector<double> all_;
  std::vector<std::uint32_t> indices_;  // replacing traces: of the entries of e
  double largest_ = 0;                  // |S x| so far
  int owed_ = 0;                        // steps since z was last 0
};

using ATDSketch = LinearLearner<ATDSketchRule>;

}  // namespace bellwether
