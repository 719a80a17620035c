#pragma once

#include <algorithm>

#include <bellwether/core/registry.h>
#include <bellwether/linalg/svd/gram_factor.h>
#include <bellwether/linalg/svd/sketch.h>
#include <bellwether/traces/entry_list.h>
#include <bellwether/traces/trace_rule.h>

namespace bellwether {

class ATDSketch final : public LinearLearner<ATDSketch> {
 public:
  static constexpr const char* name = "atd_sketch";
  static constexpr Doc doc{
      .summary = "Accelerated TD whose matrix is known through a random sketch of its rows.",
      .detail = R"(
delta = r + gamma' w.x' - w.x
e     = the trace, by the rule chosen
d     = x - gamma' x'
N    += (S e) d^T                                        N = S sum e d^T, k x d; S drawn once
w    += alpha0 delta N^T (N N^T + omega I)^-1 S e  +  eta delta e

In means, with B = N / n after n steps: alpha0 (delta / n) B^T (B B^T + omega/n^2 I)^-1 S e. Rank 0 is TD(lambda) with
step size eta; rank d with a sketch that can be inverted, and eta = 0, comes to LSTD(lambda) as omega goes to 0.
)",
      .reference =
          "Pan, Azer, White (2017), Effective sketching methods for value function approximation, UAI, "
          "arXiv:1708.01298",
      .note =
          "O(k d + k^2) a step with dense features. With sparse ones O(k active + k^2) amortised, not O(k d): steps "
          "are kept as combinations of the rows of N, which are added up once in 256 steps. Keeps k d numbers, and "
          "as many for a gaussian sketch. Sketching one side leaves the fixed point alone: unlike in projected_lstd, "
          "with eta > 0 k decides how fast it is reached, not where it is. omega is measured against |S e|^2 |d|^2: "
          "with features far below 1 in size it has to be smaller, or steps are timid; where it is lost in rounding "
          "it is raised, and said so."};

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
      return std::tuple{Field("eta", &Params::eta, non_negative, "step size of the plain TD part"),
                        lambda_field<Params>(),
                        trace_rule_field<Params>(),
                        Field("rank", &Params::rank, at_least(0), "rows k of the sketch; more than d means d"),
                        Field("sketch", &Params::sketch, "how the sketch is drawn"),
                        Field("omega", &Params::omega, at_least(1e-3), "regulariser of the k x k matrix"),
                        Field("alpha0", &Params::alpha0, non_negative, "step size of the accelerated part"),
                        Field("seed", &Params::seed, "of the sketch")};
    }
  };

  ATDSketch(std::size_t dim, const Params& params)
      : LinearLearner(dim),
        params_(checked(name, params)),
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
    if (params.trace == TraceRule::replacing) places_.resize(dim);
  }

  const Params& params() const { return params_; }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    LinearLearner::state(self, visit);
    visit(self.mover_, self.e_, self.N_, self.gram_);
    visit.fixed(self.Se_, self.z_);
    visit(self.largest_, self.owed_);
  }

  Settings findings() const final {
    if (gram_.ridge() == params_.omega) return {};
    return {{"omega_raised_to", format_number(gram_.ridge())}};
  }

  template <class X>
  bool update(const Transition<X>& s) {
    const double delta = s.r + s.gn * value(s.xn) - value(s.x);
    const double slow = params_.eta * delta;
    const Motion m = mover_.next(s);
    if (!bounded(delta, slow, e_.mass_after(m))) return false;
    if (rank_ == 0) {
      mover_.move(e_, m, s.x);
    } else {
      const double fast = params_.alpha0 * delta;
      const auto d = list_.difference(s.x, s.gn, s.xn);
      const double dd = kernels::squared_norm(d);
      S_.apply(s.x, Sx_.data(), work_.data());
      // |M^-1 S e| <= |S e| / omega, and |S e| <= mass max |S x|: what follows stays finite when this does.
      largest_ = std::max(largest_, std::sqrt(kernels::dot(Sx_.data(), Sx_.data(), rank_)));
      const double size = e_.mass_after(m) * largest_;
      if (!bounded(fast * size / params_.omega, size, size * std::sqrt(dd))) return false;
      mover_.move(e_, m, s.x);
      project_trace(m);
      absorb(d, dd);
      std::copy(Se_.begin(), Se_.end(), q_.begin());
      gram_.solve(q_.data());
      kernels::axpy(fast, q_.data(), z_.data(), rank_);
      ++owed_;
    }
    e_.follow(slow);
    if (owed_ == (std::is_same_v<X, DenseView> ? 1 : 256)) settle();
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

 private:
  /// S e from S x where the trace is linear; where it is not, from its entries.
  void project_trace(Motion m) {
    if (params_.trace != TraceRule::replacing) {
      for (std::size_t i = 0; i < rank_; ++i) Se_[i] = m.f * Se_[i] + m.y * Sx_[i];
      return;
    }
    std::size_t n = 0;
    e_.for_each([&](std::size_t j, double e) {
      places_[n] = static_cast<std::uint32_t>(j);
      all_[n++] = e;
    });
    S_.apply(SparseView{places_.data(), all_.data(), n}, Se_.data(), work_.data());
  }

  /// N += (S e) d^T. The weights w = u + N^T z, u being what follows e_, stay as they are.
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
  FollowedTrace<1> e_;
  EntryList list_;
  TallMatrix N_;  // N^T
  GramFactor gram_;
  std::vector<double> Se_, Sx_, y_, q_;
  std::vector<double> z_;
  std::vector<double> work_;
  std::vector<double> all_;
  std::vector<std::uint32_t> places_;
  double largest_ = 0;  // |S x|
  int owed_ = 0;        // steps since z was last 0
};

}  // namespace bellwether
