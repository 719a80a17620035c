#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <bellwether/learners/least_squares/transition_log.h>
#include <bellwether/linalg/dense/dense_solve.h>

namespace bellwether {

/// An approximate inverse of LSTD's matrix S + ridge I, for Krylov methods:
///
///   M = [ S_HH + ridge I          0          ]        H: the features with the most on the diagonal of S
///       [       0          diag(S) + ridge   ]
///
/// The block is factored (LU). If it contains all features seen and all steps are used, M is the matrix itself.
/// Otherwise M treats the frequent features, on which the others depend, exactly, and each of the many rare ones by
/// itself. If the block is singular, its diagonal is used instead.
///
/// Forming M takes a few passes over the data, and |d_H| |e_H| operations for every step that is used for S_HH: if all
/// steps would take too long, evenly spread pieces of 512 steps represent them. O(|H|^3) for the factors,
/// O(|H|^2 + features) for a solution.
class BlockPreconditioner {
 public:
  /// Made from the first `count` steps, at least one; later steps make no difference.
  BlockPreconditioner(const TransitionLog& log, std::size_t count, double ridge);

  /// out = M^-1 v for n features; those that were not seen in the first `count` steps have only the ridge.
  void solve(const double* v, double* out, std::size_t n) const;

  /// Whether the block contains all features.
  bool complete() const { return head_.size() == diagonal_.size(); }

  static constexpr std::size_t largest_block = 1024;

 private:
  void sum_diagonal(const TransitionLog& log, std::size_t count);
  void choose_head();
  void factor(const TransitionLog& log, std::size_t count);

  double ridge_;
  std::vector<double> diagonal_;
  std::vector<std::uint32_t> head_;
  std::optional<LuFactors> factors_;
};

}  // namespace bellwether
