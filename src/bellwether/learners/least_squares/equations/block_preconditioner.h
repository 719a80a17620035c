#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <bellwether/core/support/thread_team.h>
#include <bellwether/learners/least_squares/equations/transition_log.h>
#include <bellwether/linalg/dense/dense_solve.h>

namespace bellwether {

/// An approximate inverse of LSTD's matrix S + ridge I, for Krylov methods:
///
///   M = [ S_HH + ridge I          0          ]        H: the features with the most on the diagonal of S
///       [       0          diag(S) + ridge   ]
///
/// At first H is empty; with a block, S_HH is factored (LU). If it contains all features seen and all steps are used, M
/// is the matrix itself. Otherwise M treats the frequent features, on which the others depend, exactly, and each of the
/// many rare ones by itself. If the block is singular, its diagonal is used instead.
///
/// The diagonal takes a pass over the data. A block takes |d_H| |e_H| operations for every step that is used for S_HH
/// (if all steps would take too long, evenly spread pieces of 512 steps represent them), O(|H|^3) for the factors, and
/// O(|H|^2) more for each solution.
class BlockPreconditioner {
 public:
  /// Made from the first `count` steps, at least one; later steps make no difference.
  BlockPreconditioner(const TransitionLog& log, std::size_t count, double ridge);

  /// Adds the block; from the same log.
  void add_block(const TransitionLog& log);

  /// At most about so many multiplications, besides the factors.
  static constexpr double work = 2e9;

  /// Features have other numbers from now on, number[j] for j; those with numbers from `count` on are left out.
  void renumber(std::span<const std::uint32_t> number, std::size_t count);

  /// out = M^-1 v for n features; those that were not seen in the first `count` steps have only the ridge.
  void solve(const double* v, double* out, std::size_t n, ThreadTeam& team = ThreadTeam::alone()) const;

  /// Whether the block contains all features.
  bool complete() const { return factors_ && head_.size() == diagonal_.size(); }

  static constexpr std::size_t largest_block = 1024;

 private:
  void sum_diagonal(const TransitionLog& log);
  void choose_head();

  double ridge_;
  std::size_t count_;
  std::vector<double> diagonal_;
  std::vector<std::uint32_t> head_;      // features by their numbers in the log
  std::vector<std::uint32_t> position_;  // and in vectors
  std::optional<LuFactors> factors_;
};

}  // namespace bellwether
