#pragma once

#include <numeric>

#include <bellwether/core/registry.h>
#include <bellwether/core/rng.h>
#include <bellwether/learners/accelerated/transition_store.h>
#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {

/// Which transitions are learned from again.
enum class ReplaySource : std::uint8_t { reservoir, window };
constexpr auto names(ReplaySource) { return std::array{"reservoir", "window"}; }

class FastLSTD final : public LinearLearner<FastLSTD> {
 public:
  static constexpr const char* name = "fast_lstd";
  static constexpr Doc doc{
      .summary = "Fast LSTD: TD(0) on transitions drawn again and again from those seen, towards LSTD's solution.",
      .detail = R"(
An update, of a transition x, r, gamma', x', rho drawn from those kept, is the n-th with n = 0, 1, ...

delta = r + gamma' w.x' - w.x
w    += alpha_n rho delta x
alpha_n = alpha (c / (c + n))         (c / (c + n))^(3/4) when averaging; c = inf: alpha

reservoir: after every step, `updates` updates from a uniform sample of at most `capacity` of all transitions so far
window:    after every `window` steps, these transitions in random order, all but one; then they are forgotten
averaging: the weights are the mean of all w so far
)",
      .reference =
          "Prashanth, Korda, Munos (2014), Fast LSTD using stochastic approximation: finite time analysis and "
          "application to traffic control, ECML PKDD, arXiv:1306.2557; window: as run in Pan, White, White (2017), "
          "AAAI",
      .note =
          "O(updates d) a step, O(updates active) with sparse features; keeps capacity transitions. A fixed set of "
          "transitions has LSTD(0)'s solution as its fixed point; there are no traces. The paper's alpha is "
          "(1 - gamma) / 2 for |x| <= 1: the expected update v - alpha E[x d.v] shortens every error v while "
          "alpha E[|x|^2 (d.v)^2] <= 2 v.E[x d.v], where d = x - gamma x', on-policy the left side is at most "
          "4 alpha E[(x.v)^2] and the right at least 2 (1 - gamma) E[(x.v)^2]. That is cautious; more is often fine. A "
          "reservoir smaller than the data keeps the noise of its sample; a window is TD(0) in another order."};

  struct Params {
    double alpha = 0.1;
    Schedule schedule = Schedule::constant;
    double n0 = 100;
    double c = infinity;
    bool averaging = false;
    ReplaySource source = ReplaySource::reservoir;
    std::int64_t capacity = 1000;
    std::int64_t updates = 1;
    std::int64_t window = 100;
    std::int64_t seed = 1;

    static constexpr auto fields() {
      return std::tuple_cat(
          std::tuple{alpha_field<Params>()}, schedule_fields<Params>(),
          std::tuple{
              Field("c", &Params::c, positive_or_infinite, "updates before step sizes fall on their own account"),
              Field("averaging", &Params::averaging, "whether weights are the mean of all iterates"),
              Field("source", &Params::source, "which transitions are learned from again"),
              Field("capacity", &Params::capacity, between(1, 1e9), "of the reservoir, in transitions"),
              Field("updates", &Params::updates, between(1, 1e6), "per step, from the reservoir"),
              Field("window", &Params::window, between(2, 1e9), "steps from one replay to the next"),
              Field("seed", &Params::seed, "of the draws")});
    }
  };

  FastLSTD(std::size_t dim, const Params& params)
      : LinearLearner(dim),
        params_(checked(name, params)),
        kept_(static_cast<std::size_t>(windowed() ? params.window : params.capacity), dim),
        room_(static_cast<std::size_t>(windowed() ? params.window : params.capacity)),
        picks_(static_cast<std::size_t>(windowed() ? params.window : params.updates)),
        rng_(static_cast<std::uint64_t>(params.seed), 0, Purpose::learner),
        w_(dim, 0.0),
        lag_(params.averaging ? dim : 0, 0.0),
        shown_(w_),
        shown_lag_(lag_) {}

  const Params& params() const { return params_; }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    LinearLearner::state(self, visit);
    visit(self.kept_, self.room_, self.rng_, self.seen_, self.n_);
    visit.fixed(self.w_, self.lag_, self.shown_, self.shown_lag_);
  }

  Settings findings() const final {
    const auto wanted = static_cast<std::size_t>(windowed() ? params_.window : params_.capacity);
    if (room_ == wanted) return {};
    return {{"transitions_there_is_memory_for", std::to_string(room_)}};
  }

  template <class X>
  bool update(const Transition<X>& s) {
    if (!bounded(s.r, s.rho)) return false;
    return windowed() ? step_window(s) : step_reservoir(s);
  }

  template <class X>
  double value(const X& x) const {
    const double now = kernels::dot(x, shown_.data());
    return lag_.empty() || n_ == 0 ? now : now - kernels::dot(x, shown_lag_.data()) / static_cast<double>(n_);
  }
  void read(std::span<double> w) const {
    std::copy(shown_.begin(), shown_.end(), w.begin());
    if (!lag_.empty() && n_ > 0) kernels::axpy(-1 / static_cast<double>(n_), shown_lag_.data(), w.data(), w.size());
  }
  void assign(std::span<const double> w) {
    w_.assign(w.begin(), w.end());
    shown_ = w_;
  }

 private:
  bool windowed() const { return params_.source == ReplaySource::window; }

  /// Vitter's algorithm R: of n transitions seen each is kept with the same probability. One that is long may leave
  /// less room; those that must go are chosen at random, so that the rest is still a uniform sample.
  template <class X>
  bool step_reservoir(const Transition<X>& s) {
    room_ = kept_.room_for(s);
    while (kept_.size() > room_) kept_.remove(rng_.below(kept_.size()));
    const std::uint64_t slot = seen_ < room_ ? seen_ : rng_.below(seen_ + 1);
    ++seen_;
    if (slot < room_) kept_.put(slot, s);
    for (std::uint32_t& pick : picks_) pick = static_cast<std::uint32_t>(rng_.below(kept_.size()));
    return replay(picks_, s.step);
  }

  template <class X>
  bool step_window(const Transition<X>& s) {
    room_ = kept_.room_for(s);
    if (kept_.size() >= room_ && !replay_window(s.step)) return false;
    kept_.put(kept_.size(), s);
    return kept_.size() < room_ || replay_window(s.step);
  }

  bool replay_window(double step) {
    const std::size_t n = kept_.size();
    std::iota(picks_.begin(), picks_.end(), 0U);
    for (std::size_t i = 0; i + 1 < n; ++i) std::swap(picks_[i], picks_[i + rng_.below(n - i)]);
    kept_.clear();
    return replay({picks_.data(), n - 1}, step);
  }

  /// Updates w from these slots, and shows the result once all have gone well.
  bool replay(std::span<const std::uint32_t> picks, double step) {
    std::uint64_t n = n_;
    for (const std::uint32_t pick : picks) {
      const bool fine = kept_.visit(pick, [&](const auto& x, const auto& xn, const TransitionStore::Past& past) {
        const double delta = past.r + past.gn * kernels::dot(xn, w_.data()) - kernels::dot(x, w_.data());
        const double a = params_.alpha * step * fall(n) * past.rho * delta;
        if (!bounded(a)) return false;
        kernels::axpy(a, x, w_.data());
        // With increments D_i, the mean of w_1 .. w_n is w_n - sum_i (i - 1) D_i / n: only entries of x change.
        if (!lag_.empty()) kernels::axpy(static_cast<double>(n) * a, x, lag_.data());
        return true;
      });
      if (!fine) return false;
      ++n;
    }
    n_ = n;
    for (const std::uint32_t pick : picks) {
      kept_.visit(pick, [&](const auto& x, const auto&, const TransitionStore::Past&) {
        show(x, w_, shown_);
        if (!lag_.empty()) show(x, lag_, shown_lag_);
      });
    }
    return true;
  }

  /// The entries that x has.
  static void show(const SparseView& x, const std::vector<double>& from, std::vector<double>& to) {
    for (std::size_t k = 0; k < x.size; ++k) to[x.indices[k]] = from[x.indices[k]];
  }
  static void show(const DenseView&, const std::vector<double>& from, std::vector<double>& to) {
    std::copy(from.begin(), from.end(), to.begin());
  }

  double fall(std::uint64_t n) const {
    if (params_.c == infinity) return 1;
    const double ratio = params_.c / (params_.c + static_cast<double>(n));
    return params_.averaging ? std::sqrt(ratio * std::sqrt(ratio)) : ratio;
  }

  Params params_;
  TransitionStore kept_;
  std::size_t room_;
  std::vector<std::uint32_t> picks_;
  Rng rng_;
  std::uint64_t seen_ = 0;
  std::uint64_t n_ = 0;  // updates done
  std::vector<double> w_;
  std::vector<double> lag_;                // averaging: sum_i (i - 1) D_i
  std::vector<double> shown_, shown_lag_;  // both as of the last step: a step that diverges half-way shows nothing
};

}  // namespace bellwether
