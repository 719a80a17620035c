#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include <bellwether/core/params.h>

namespace bellwether {

/// Which members of a learner still learn, where one learner does the work of several (see Together). It computes once
/// a step what they have in common, and for each what is its own; a learner alone is the case of one member.
///
/// A member that diverges while others go on leaves what it had, as nothing will be computed for it any more. When the
/// last one diverges the learner itself stops, and its state is what that member had.
///
/// A learner alone never loses its only member, so there is nothing here to save with it.
class Roster {
 public:
  struct Left {
    std::vector<double> w;
    Settings findings;
    std::uint64_t step = 0;  // at which it left, from 0
  };

  explicit Roster(std::size_t size) : learning_(size), left_(size) {
    std::iota(learning_.begin(), learning_.end(), std::size_t{0});
  }

  std::size_t size() const { return left_.size(); }

  /// The members that learn, in order.
  const std::vector<std::size_t>& learning() const { return learning_; }

  /// What a member left, if it did.
  const std::optional<Left>& left(std::size_t member) const { return left_[member]; }

  /// Calls `learns(k)` for every member k that learns. Those for which it is false leave, with the weights and
  /// findings of `leaves(k)`; only if they are the last it returns false instead.
  template <class Learns, class Leaves>
  bool keep(Learns&& learns, Leaves&& leaves) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < learning_.size(); ++i) {
      const std::size_t k = learning_[i];
      if (learns(k)) {
        learning_[kept++] = k;
      } else if (kept > 0 || i + 1 < learning_.size()) {
        left_[k] = leaves(k);
        left_[k]->step = step_;
      } else {
        return false;
      }
    }
    learning_.resize(kept);
    return true;
  }

  /// A step has been taken.
  void next() { ++step_; }

 private:
  std::uint64_t step_ = 0;
  std::vector<std::size_t> learning_;
  std::vector<std::optional<Left>> left_;
};

}  // namespace bellwether
