#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <bellwether/core/batch.h>
#include <bellwether/core/error.h>
#include <bellwether/core/params/settings.h>

namespace bellwether {

class StateReader;  // internal: bytes to state and back
class StateWriter;

/// Learns a linear value function v(s) = w.x(s) from steps of experience. The value of a state is the expected return
/// of the target policy from there,
///
///   v(s) = E_pi[R_1 + gamma_1 R_2 + gamma_1 gamma_2 R_3 + ... | S_0 = s]        in the unit of the reward
///
/// Learners differ in how they find the weights w; docs/guide.md helps to choose. They are made by name
/// (learners/learners.h) and take steps in batches of any size (core/batch.h):
///
///     const auto learner = make_learner("true_online_td", stream.dim(), {{"alpha", 0.02}, {"lambda", 0.9}});
///     for (int i = 0; i < 100; ++i) learner->learn(stream.next(1000));
///     if (learner->diverged_at()) std::puts("a smaller alpha, or another learner");
///     const std::vector<double> w = learner->weights();
///
/// A learner owns everything it needs, and keeps nothing of a batch after `learn` returns. It has no locks: one thread
/// at a time, or one learner for each thread.
///
/// The contract every learner keeps, and tests check:
///   - the same steps give the same weights, bit for bit, however they are cut into batches;
///   - dense, sparse and binary batches of the same numbers give the same weights to rounding;
///   - `learn` allocates nothing; `predict` and `weights` change nothing;
///   - copies are independent;
///   - saved and loaded in the midst of it, it goes on bit for bit;
///   - a learner that diverges stops learning, keeps finite weights, and says at which step it happened.
class Learner {
 public:
  virtual ~Learner() = default;

  /// Learns from consecutive steps that continue those seen before: the trace carries over from batch to batch. To
  /// begin elsewhere, mark the first step `restart`. Throws InvalidArgument, before it learns anything, when the batch
  /// has another number of features. Costs O(active features) to O(d^2) a step, as docs/reference.md says for each.
  void learn(const Batch& batch);

  /// v(s) for features x, which must be `dim` of them or indices below it. Never throws and stays finite, also after
  /// divergence. For most learners it is a dot product; some solve for their weights first, as `lstd_krylov` does.
  virtual double predict(const Features& x) const = 0;

  /// v(s) for every row; `values` has one entry for each. Faster than one by one where weights have to be formed first.
  virtual void predict(const FeatureRows& rows, std::span<double> values) const;

  /// Copies the weights w into `w`, which has `dim` entries; or into a new vector.
  virtual void weights(std::span<double> w) const = 0;
  std::vector<double> weights() const;

  /// Sets the weights that learning starts from; zero otherwise. Throws InvalidArgument when learning has begun, when
  /// there are not `dim` of them, or when one is not finite.
  void start_from(std::span<const double> w);

  /// The registered name, such as "td".
  virtual std::string_view type() const = 0;

  /// Every parameter with its value: `make_learner(type(), dim(), settings())` makes another that has learned nothing.
  virtual Settings settings() const = 0;

  /// What the learner chose or noticed on the way, such as the rank of its matrix or how many samples it left out:
  /// names with values as text, for people and logs. Empty for most.
  virtual Settings findings() const { return {}; }

  /// A copy with everything it has learned; the two then go their own ways.
  virtual std::unique_ptr<Learner> clone() const = 0;

  /// Everything that learning has changed, as bytes. A learner of the same type, dimension and settings that loads them
  /// continues as this one would, bit for bit. `load` throws InvalidArgument when the bytes are another learner's or
  /// end too early, after which the learner is of no use, and when learning has begun.
  std::string save() const;
  void load(std::string_view bytes);

  /// The same as a part of something larger (core/state.h).
  void save(StateWriter& out) const;
  void load(StateReader& in);

  /// Takes over what `other`, a learner of the same type, dimension and settings, has learned from other episodes, as
  /// if this one had met them after its own, and goes on from where `other` is. Throws InvalidArgument when the two do
  /// not fit, when one of them has diverged, and for learners whose weights are all they keep: what these have learned
  /// does not add up. `lstd`, `lstd_krylov` and `projected_lstd` end up as if one had seen all episodes, to rounding.
  void absorb(const Learner& other);

  std::size_t dim() const { return dim_; }

  /// Steps seen, including those after a divergence.
  std::uint64_t steps() const { return steps_; }

  /// The step (from 0) whose update would have left the range of finite numbers, if there was one. The weights are
  /// those before it, and learning has stopped there for good; make a new learner to try again.
  std::optional<std::uint64_t> diverged_at() const { return diverged_at_; }

 protected:
  /// Throws InvalidArgument when `dim` is 0.
  explicit Learner(std::size_t dim);
  Learner(const Learner&) = default;
  Learner& operator=(const Learner&) = default;

  /// What `absorb` does once the two fit. Refuses, unless a learner knows better.
  virtual void add_statistics(const Learner& other);

 private:
  /// Learns from the batch; returns how many steps were learned before divergence, `batch.size` when there was none.
  virtual std::size_t learn_steps(const Batch& batch) = 0;
  virtual void assign_weights(std::span<const double> w) = 0;  // called before the first step only; w is checked
  virtual void write_state(StateWriter& out) const = 0;        // what `identity` and the counts do not say
  virtual void read_state(StateReader& in) = 0;

  /// The type, the number of features and the settings: learners that agree in these can have each other's state.
  std::string identity() const;

  std::size_t dim_;
  std::uint64_t steps_ = 0;
  std::optional<std::uint64_t> diverged_at_;
};

}  // namespace bellwether
