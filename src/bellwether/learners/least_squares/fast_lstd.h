#pragma once

#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include <bellwether/core/params/registry.h>
#include <bellwether/core/support/rng.h>
#include <bellwether/learners/accelerated/transition_slots.h>
#include <bellwether/learners/linear_learner.h>
#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {

/// Where replayed transitions come from.
enum class ReplaySource : std::uint8_t { reservoir, window };
constexpr auto names(ReplaySource) { return std::array{"reservoir", "window"}; }

class FastLSTDRule {
 public:
  static constexpr const char* name = "fast_lstd";
  static constexpr Doc doc{
      .summary = "Fast LSTD: TD(0) on transitions drawn again and again from those seen, towards LSTD's solution.",
      .detail = R"(
The n-th update (n = 0, 1, ...), from a transition x, r, gamma', x', rho drawn from those stored:

delta = r + gamma' w.x' - w.x
w    += alpha_n rho delta x
alpha_n = alpha (c / (c + n))         (c / (c + n))^(3/4) when averaging; c = inf: alpha

reservoir: after every step, `updates` updates from a uniform sample of at most `capacity` of all transitions so far
window:    after every `window` steps, all but one of these transitions in random order; then they are forgotten
averaging: the weights are the mean of all w so far
)",
      .reference =
          "Prashanth, Korda, Munos (2014), Fast LSTD using stochastic approximation: finite time analysis and "
          "application to traffic control, ECML PKDD, arXiv:1306.2557; window: as run in Pan, White, White (2017), "
          "AAAI",
      .note =
          "O(updates d) a step, O(updates active) with sparse features; memory for `capacity` transitions. On a fixed "
          "set of transitions the fixed point is LSTD(0)'s solution; there are no traces. The paper's alpha is "
          "(1 - gamma) / 2 for |x| <= 1: the expected update v - alpha E[x d.v] shortens every error v while "
          "alpha E[|x|^2 (d.v)^2] <= 2 v.E[x d.v], where d = x - gamma x'; on-policy the left side is at most "
          "4 alpha E[(x.v)^2] and the right side at least 2 (1 - gamma) E[(x.v)^2]. That is cautious; more is often "
          "fine. A reservoir smaller than the data keeps the noise of its sample; a window is TD(0) in another order."};

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
          std::tuple{Field("c", &Params::c, positive_or_infinite,
                           "updates before step sizes begin to fall; inf: they do not fall"),
                     Field("averaging", &Params::averaging, "whether the weights are the mean of all iterates"),
                     Field("source", &Params::source, "which transitions are replayed"),
                     Field("capacity", &Params::capacity, between(1, 1e9), "transitions in the reservoir"),
                     Field("updates", &Params::updates, between(1, 1e6), "updates per step from the reservoir"),
                     Field("window", &Params::window, between(2, 1e9), "steps from one replay to the next"),
                     Field("seed", &Params::seed, "seed of the draws")});
    }
  };

  FastLSTDRule(std::size_t dim, const Params& params)
      : params_(params),
        kept_(wanted(), dim),
        room_(wanted()),
        picks_(static_cast<std::size_t>(windowed() ? params.window : params.updates)),
        rng_(static_cast<std::uint64_t>(params.seed), 0, Purpose::learner),
        w_(dim, 0.0),
        lag_(params.averaging ? dim : 0, 0.0),
        shown_(w_),
        shown_lag_(lag_) {}

  template <class Step>
  bool update(const Step& s) {
    if (!s.allows(s.r, s.rho)) return false;
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

  Settings findings() const {
    if (room_ == wanted()) return {};
    return {{"transitions_there_is_memory_for", std::to_string(room_)}};
  }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.kept_, self.room_, self.rng_, self.seen_, self.n_);
    visit.fixed(self.w_, self.lag_, self.shown_, self.shown_lag_);
  }

 private:
  bool windowed() const { return params_.source == ReplaySource::window; }

  /// Transitions to keep, if there is memory for as many.
  std::size_t wanted() const { return static_cast<std::size_t>(windowed() ? params_.window : params_.capacity); }

  /// Vitter's algorithm R keeps each of the n transitions seen so far with the same probability. A long one may reduce
  /// the room; those that have to go are chosen at random, so that the rest remains a uniform sample.
  template <class Step>
  bool step_reservoir(const Step& s) {
    room_ = kept_.room_for(s);
    while (kept_.size() > room_) kept_.remove(rng_.below(kept_.size()));
    const std::uint64_t slot = seen_ < room_ ? seen_ : rng_.below(seen_ + 1);
    ++seen_;
    if (slot < room_) kept_.put(slot, s);
    for (std::uint32_t& pick : picks_) pick = static_cast<std::uint32_t>(rng_.below(kept_.size()));
    return replay(s, picks_);
  }

  template <class Step>
  bool step_window(const Step& s) {
    room_ = kept_.room_for(s);
    if (kept_.size() >= room_ && !replay_window(s)) return false;
    kept_.put(kept_.size(), s);
    return kept_.size() < room_ || replay_window(s);
  }

  template <class Step>
  bool replay_window(const Step& s) {
    const std::size_t n = kept_.size();
    std::iota(picks_.begin(), picks_.end(), 0U);
    for (std::size_t i = 0; i + 1 < n; ++i) std::swap(picks_[i], picks_[i + rng_.below(n - i)]);
    kept_.clear();
    return replay(s, {picks_.data(), n - 1});
  }

  /// Updates w from these slots, and shows the result if all updates were allowed.
  template <class Step>
  bool replay(const Step& s, std::span<const std::uint32_t> picks) {
    std::uint64_t n = n_;
    for (const std::uint32_t pick : picks) {
      const bool fine = kept_.visit(pick, [&](const auto& x, const auto& xn, const TransitionSlots::Past& past) {
        const double delta = past.r + past.gn * kernels::dot(xn, w_.data()) - kernels::dot(x, w_.data());
        const double a = params_.alpha * s.step * fall(n) * past.rho * delta;
        if (!s.allows(a)) return false;
        kernels::axpy(a, x, w_.data());
        // With increments D_i the mean of w_1 .. w_n is w_n - sum_i (i - 1) D_i / n, of which only entries of x change.
        if (!lag_.empty()) kernels::axpy(static_cast<double>(n) * a, x, lag_.data());
        return true;
      });
      if (!fine) return false;
      ++n;
    }
    n_ = n;
    for (const std::uint32_t pick : picks) {
      kept_.visit(pick, [&](const auto& x, const auto&, const TransitionSlots::Past&) {
        show(x, w_, shown_);
        if (!lag_.empty()) show(x, lag_, shown_lag_);
      });
    }
    return true;
  }

  /// Copies the entries that x has.
  static void show(const SparseView& x, const std::vector<double>& from, std::vector<double>& to) {
    for (std::size_t k = 0; k < x.size; ++k) to[x.indices[k]] = from[x.indices[k]];
  }
  static void show(const DenseView&, const std::vector<double>& from, std::vector<double>& to) {
    std::copy(from.begin(), from.end(), to.begin());
  }

  /// alpha_n / alpha
  double fall(std::uint64_t n) const {
    if (params_.c == infinity) return 1;
    const double ratio = params_.c / (params_.c + static_cast<double>(n));
    return params_.averaging ? std::sqrt(ratio * std::sqrt(ratio)) : ratio;
  }

  Params params_;
  TransitionSlots kept_;
  std::size_t room_;
  std::vector<std::uint32_t> picks_;
  Rng rng_;
  std::uint64_t seen_ = 0;
  std::uint64_t n_ = 0;  // updates done
  std::vector<double> w_;
  std::vector<double> lag_;                // averaging: sum_i (i - 1) D_i
  std::vector<double> shown_, shown_lag_;  // both after the last complete step: one that diverges half-way is not shown
};

using FastLSTD = LinearLearner<FastLSTDRule>;

}  // namespace bellwether
