#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <bellwether/learners/sharing/ensemble.h>
#include <bellwether/linalg/simd/dispatch.h>
#include <bellwether/linalg/simd/eight.h>
#include <bellwether/traces/transition.h>

namespace bellwether {

/// Eight learners of one rule that differ in alpha, side by side. What they have in common, the loop and the trace
/// unless alpha is inside it, is a double and is computed once; everything else is a Eight, with a lane for each
/// learner. The update is the rule's own, instantiated as `Rule::State<Eight>`.
///
/// A lane that diverges has ended: its weights are copied, and what it computes from then on is ignored.
template <class Rule>
class EightLanes {
 public:
  using Params = typename Rule::Params;

  EightLanes(std::size_t dim, const Params& params, const Eight& alpha) : params_(params), state_(dim, params) {
    state_.alpha = alpha;
    ended_.resize(dim);
  }

  void learn(const Batch& batch) {
    if (!any(alive_)) return;
    const auto update = [this](const auto& s) { return state_.update(s); };
    if (walk_.through(batch, params_, *this, update) < batch.size) end(alive_);
  }

  void assign(std::span<const double> w) { state_.e.assign(w); }

  /// w_j of lane l to lanes[8 j + l]
  void weights(double* lanes) const {
    for (std::size_t j = 0; j < ended_.size(); ++j) state_.e.at(j).store(lanes + Eight::width * j);
    for (std::size_t l = 0; l < Eight::width; ++l) {
      for (std::size_t j = 0; j < ended_.size() && diverged_at_[l]; ++j) lanes[Eight::width * j + l] = ended_[j][l];
    }
  }
  double weight(std::size_t j, std::size_t lane) const {
    return diverged_at_[lane] ? ended_[j][lane] : state_.e.at(j)[lane];
  }

  std::optional<std::uint64_t> diverged_at(std::size_t lane) const { return diverged_at_[lane]; }

  /// The guard of a step (traces/transition.h): ends the lanes in which one of these numbers is out of range. False
  /// when no lane is left.
  template <class... T>
  bool allows(const T&... numbers) {
    // No number is beyond the limit if their sum is not.
    if (!any_less(same<Eight>(divergence_limit), Eight{} + (magnitude(numbers) + ...), alive_)) return true;
    return end_beyond(T(numbers)...);
  }

 private:
  static EightBools within_limit(const Eight& a) { return magnitude(a) <= divergence_limit; }
  static EightBools within_limit(double a) { return EightBools::same(bounded(a)); }

  // Rare, so kept out of the loop.
  template <class... T>
  [[gnu::noinline]] bool end_beyond(const T&... numbers) {
    return end(alive_ & ~(within_limit(numbers) & ...));
  }

  [[gnu::noinline]] bool end(const EightBools& lanes) {
    for (std::size_t j = 0; j < ended_.size(); ++j) ended_[j] = choose(lanes, state_.e.at(j), ended_[j]);
    for (std::size_t l = 0; l < Eight::width; ++l) {
      if (lanes[l]) diverged_at_[l] = walk_.steps();
    }
    alive_ = alive_ & ~lanes;
    return any(alive_);
  }

  Params params_;
  StepWalk walk_;
  typename Rule::template State<Eight> state_;
  EightBools alive_ = EightBools::same(true);
  std::vector<Eight> ended_;  // the weights of the lanes that have ended
  std::array<std::optional<std::uint64_t>, Eight::width> diverged_at_;
};

/// Any number of learners that differ in alpha, by eights.
template <class Rule>
class Lanes final : public Ensemble {
 public:
  using Params = typename Rule::Params;

  Lanes(std::size_t dim, const std::vector<Params>& members) : Ensemble(dim), size_(members.size()) {
    for (std::size_t first = 0; first < size_; first += Eight::width) {
      std::array<double, Eight::width> alpha;
      for (std::size_t l = 0; l < Eight::width; ++l) {
        alpha[l] = checked(Rule::name, members[std::min(first + l, size_ - 1)]).alpha;
      }
      packs_.emplace_back(dim, members[first], Eight::load(alpha.data()));
    }
  }

  /// The parameters without those in which members may differ.
  static Params in_common(Params params) {
    params.alpha = Params{}.alpha;
    return params;
  }

  std::size_t size() const override { return size_; }

  void learn(const Batch& batch) override {
    check_batch(Rule::name, dim(), batch);
    for (auto& pack : packs_) with_best_instructions([&] { pack.learn(batch); });
    steps_ += batch.size;
  }

  void start_from(std::span<const double> w) override {
    check_start(Rule::name, dim(), steps_, w);
    for (auto& pack : packs_) pack.assign(w);
  }

  void weights(std::size_t member, std::span<double> w) override {
    const auto& pack = packs_[member / Eight::width];
    for (std::size_t j = 0; j < dim(); ++j) w[j] = pack.weight(j, member % Eight::width);
  }

  void eight_weights(std::size_t first, std::span<double> lanes) override {
    if (first % Eight::width != 0) return Ensemble::eight_weights(first, lanes);
    packs_[first / Eight::width].weights(lanes.data());
    for (std::size_t l = size_ - first; l < Eight::width; ++l) {
      for (std::size_t j = 0; j < dim(); ++j) lanes[Eight::width * j + l] = 0;
    }
  }

  std::optional<std::uint64_t> diverged_at(std::size_t member) const override {
    return packs_[member / Eight::width].diverged_at(member % Eight::width);
  }

  Settings findings(std::size_t) const override { return {}; }

 private:
  std::size_t size_;
  std::uint64_t steps_ = 0;
  std::vector<EightLanes<Rule>> packs_;
};

}  // namespace bellwether
