#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <bellwether/learners/least_squares/transition_log.h>

namespace bellwether {

/// An approximate inverse of LSTD's matrix S + ridge I, for Krylov methods:
///
///   M = [ S_HH + ridge I          0          ]        H: the features with the most on the diagonal of S
///       [       0          diag(S) + ridge   ]
///
/// The block is factored (LU). Where all features seen fit into it and all steps are used, M is the matrix itself.
/// Otherwise the features that occur often, on which the rest hangs, are dealt with exactly and the many rare ones each
/// on its own. Should the block be singular, the diagonal stands for it too.
///
/// Forming it costs a few passes over the data, and |d_H| |e_H| operations for every step that is used for S_HH: where
/// all steps would take long, pieces of 512 steps, evenly spread, stand for the whole. O(|H|^3) for the
/// factors, O(|H|^2 + features) for a solution.
class BlockPreconditioner {
 public:
  /// Of the first `count` steps, one at least; what came after them makes no difference.
  BlockPreconditioner(const TransitionLog& log, std::size_t count, double ridge);
  ~BlockPreconditioner();
  BlockPreconditioner(const BlockPreconditioner&) = delete;
  BlockPreconditioner& operator=(const BlockPreconditioner&) = delete;

  /// out = M^-1 v for n features; those that have come since count as if they were nowhere but in `ridge`.
  void solve(const double* v, double* out, std::size_t n) const;

  /// Whether M has all features in one block.
  bool complete() const { return head_.size() == diagonal_.size(); }
  std::size_t block() const { return head_.size(); }

  static constexpr std::size_t largest_block = 1024;

 private:
  struct Factors;

  void sum_diagonal(const TransitionLog& log, std::size_t count);
  void choose_head();
  void factor(const TransitionLog& log, std::size_t count);

  double ridge_;
  std::vector<double> diagonal_;
  std::vector<std::uint32_t> head_;
  std::unique_ptr<Factors> factors_;
};

}  // namespace bellwether
