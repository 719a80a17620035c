#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <bellwether/core/learner.h>
#include <bellwether/core/learner_checks.h>
#include <bellwether/linalg/dense/aligned_vector.h>

namespace bellwether {

/// Learners of one type that learn from the same steps, and compute once what they have in common: a trace, a matrix,
/// its factorisation, or only the loop.
///
/// A member is the learner with its parameters, bit for bit: the same weights after the same steps, the same step at
/// which it diverges, the same findings. What is shared changes how long it takes and nothing else. After a member has
/// diverged the others go on.
class Ensemble {
 public:
  virtual ~Ensemble() = default;

  std::size_t dim() const { return dim_; }
  virtual std::size_t size() const = 0;  // members

  /// Learns from consecutive steps that continue those seen before. Allocates nothing, except when a member diverges.
  virtual void learn(const Batch& batch) = 0;

  /// Sets the weights that every member starts from, before the first step.
  virtual void start_from(std::span<const double> w) = 0;

  /// The weights of a member, d of them. May work for them, and then for several members at once.
  virtual void weights(std::size_t member, std::span<double> w) = 0;

  /// Room for the weights of eight members side by side. Those of a feature are in one cache line.
  using Lanes = AlignedVector;

  /// The weights of members first .. first+7 side by side: w_j of member first + l at lanes[8 j + l], and 0 where there
  /// is no such member.
  virtual void eight_weights(std::size_t first, std::span<double> lanes);

  /// The step (from 0) at which a member diverged, if it has.
  virtual std::optional<std::uint64_t> diverged_at(std::size_t member) const = 0;

  virtual Settings findings(std::size_t member) const = 0;

 protected:
  explicit Ensemble(std::size_t dim) : dim_(checked_dim(dim)) {}
  Ensemble(const Ensemble&) = default;
  Ensemble& operator=(const Ensemble&) = default;

 private:
  std::size_t dim_;
};

}  // namespace bellwether
