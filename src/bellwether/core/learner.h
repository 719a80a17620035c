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

class StateReader;
class StateWriter;

/// Learns a linear value function v(s) = w.x(s) from steps of experience.
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

  /// Learns from consecutive steps that continue those seen before. Throws InvalidArgument when the batch has another
  /// number of features.
  void learn(const Batch& batch);

  /// v(s) for features x. Never throws and stays finite, also after divergence.
  virtual double predict(const Features& x) const = 0;

  /// v(s) for every row; `values` has one place per row.
  virtual void predict(const FeatureRows& rows, std::span<double> values) const;

  /// The weights w, d of them.
  virtual void weights(std::span<double> w) const = 0;
  std::vector<double> weights() const;

  /// Sets the weights that learning starts from. Throws InvalidArgument when learning has begun.
  void start_from(std::span<const double> w);

  /// The registered name, such as "td".
  virtual std::string_view type() const = 0;

  /// Every parameter with its value.
  virtual Settings settings() const = 0;

  /// What the learner chose or noticed on the way, such as the rank of its matrix or how many samples it left out:
  /// names with values as text. Empty for most.
  virtual Settings findings() const { return {}; }

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
  /// not fit, and for learners whose weights are all they keep: what these have learned does not add up.
  void absorb(const Learner& other);

  std::size_t dim() const { return dim_; }

  /// Steps seen, including those after a divergence.
  std::uint64_t steps() const { return steps_; }

  /// The step (from 0) whose update would have left the range of finite numbers, if there was one.
  std::optional<std::uint64_t> diverged_at() const { return diverged_at_; }

 protected:
  explicit Learner(std::size_t dim);
  Learner(const Learner&) = default;
  Learner& operator=(const Learner&) = default;

  /// What `absorb` does once the two fit. Refuses, unless a learner knows better.
  virtual void add_statistics(const Learner& other);

 private:
  /// Learns from the batch; returns how many steps were learned before divergence, `batch.size` when there was none.
  virtual std::size_t learn_steps(const Batch& batch) = 0;
  virtual void assign_weights(std::span<const double> w) = 0;
  virtual void write_state(StateWriter& out) const = 0;
  virtual void read_state(StateReader& in) = 0;

  /// The type, the number of features and the settings: learners that agree in these can have each other's state.
  std::string identity() const;

  std::size_t dim_;
  std::uint64_t steps_ = 0;
  std::optional<std::uint64_t> diverged_at_;
};

}  // namespace bellwether
