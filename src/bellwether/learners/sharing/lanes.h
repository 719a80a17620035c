#pragma once

#include <array>
#include <string_view>
#include <vector>

#include <bellwether/learners/linear_learner.h>
#include <bellwether/learners/sharing/ensemble.h>
#include <bellwether/linalg/simd/eight.h>

namespace bellwether {

/// Eight learners that differ in alpha, side by side: what they have in common (the loop, and the trace unless alpha is
/// inside it) is a double and is computed once, what they have not is an Eight. The update rule is the one learner's.
///
/// A lane that diverges is over: its weights are copied out as they are, and what the lane computes from then on is
/// ignored.
template <class Derived>
class LinearLearner<Derived, Eight> {
 public:
  void set_alphas(const Eight& alpha) { alpha_ = alpha; }

  void learn(const Batch& batch) {
    if (!any(alive_)) return;
    const auto update = [this](const auto& s) { return self().update(s); };
    if (walk_.through(batch, self().params(), update) < batch.size) end(alive_);
  }

  /// w_j of lane l to lanes[8 j + l]
  void weights(double* lanes) const {
    for (std::size_t j = 0; j < last_.size(); ++j) self().weight_at(j).store(lanes + Eight::width * j);
    for (std::size_t l = 0; l < Eight::width; ++l) {
      for (std::size_t j = 0; j < last_.size() && diverged_at_[l]; ++j) lanes[Eight::width * j + l] = last_[j][l];
    }
  }
  double weight(std::size_t j, std::size_t lane) const {
    return diverged_at_[lane] ? last_[j][lane] : self().weight_at(j)[lane];
  }

  std::optional<std::uint64_t> diverged_at(std::size_t lane) const { return diverged_at_[lane]; }

 protected:
  explicit LinearLearner(std::size_t dim) : last_(dim) {}

  template <class X>
  Eight alpha(const Transition<X>& s) const {
    return alpha_ * s.step;
  }
  template <class X>
  Eight beta(const Transition<X>& s) const {
    return second_step(self().params(), alpha_) * s.step;
  }

  /// Ends the lanes for which a step may not be made that has these numbers in it. False when none is left.
  template <class... T>
  bool bounded(const T&... numbers) {
    // No number is beyond the limit if their sum is not.
    if (!any_less(same<Eight>(divergence_limit), Eight{} + (magnitude(numbers) + ...), alive_)) return true;
    return end_beyond(T(numbers)...);
  }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
  const Derived& self() const { return static_cast<const Derived&>(*this); }

  static EightBools within_limit(const Eight& a) { return magnitude(a) <= divergence_limit; }
  static EightBools within_limit(double a) { return EightBools::same(bellwether::bounded(a)); }

  // What is rare is kept out of the loop.
  template <class... T>
  [[gnu::noinline]] bool end_beyond(const T&... numbers) {
    return end(alive_ & ~(within_limit(numbers) & ...));
  }

  [[gnu::noinline]] bool end(const EightBools& lanes) {
    for (std::size_t j = 0; j < last_.size(); ++j) last_[j] = choose(lanes, self().weight_at(j), last_[j]);
    for (std::size_t l = 0; l < Eight::width; ++l) {
      if (lanes[l]) diverged_at_[l] = walk_.steps();
    }
    alive_ = alive_ & ~lanes;
    return any(alive_);
  }

  StepWalk walk_;
  Eight alpha_{};
  EightBools alive_ = EightBools::same(true);
  std::vector<Eight> last_;  // the weights of the lanes that are over
  std::array<std::optional<std::uint64_t>, Eight::width> diverged_at_;
};

/// Any number of learners that differ in alpha, by eights. `Basic` is the learner as a template over its numbers.
///
/// The loop is compiled for several instruction sets, and a template can not be: so there is a function
/// `learn_together(Basic<Eight>&, const Batch&)` for every learner, see linear_lanes.h.
template <template <class> class Basic>
class Lanes final : public Ensemble {
 public:
  using Member = Basic<double>;
  static constexpr std::array<std::string_view, 1> differing{"alpha"};

  Lanes(std::size_t dim, const std::vector<typename Member::Params>& members) : Ensemble(dim), size_(members.size()) {
    for (std::size_t first = 0; first < size_; first += Eight::width) {
      Eight alpha{};
      for (std::size_t l = 0; l < Eight::width; ++l) {
        alpha.set(l, checked(Member::name, members[std::min(first + l, size_ - 1)]).alpha);
      }
      packs_.emplace_back(dim, members[first]).set_alphas(alpha);
    }
  }

  std::size_t size() const override { return size_; }

  void learn(const Batch& batch) override {
    check_batch(Member::name, dim(), batch);
    for (auto& pack : packs_) learn_together(pack, batch);
    steps_ += batch.size;
  }

  void start_from(std::span<const double> w) override {
    check_start(Member::name, dim(), steps_, w);
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
  std::vector<Basic<Eight>> packs_;
};

}  // namespace bellwether
