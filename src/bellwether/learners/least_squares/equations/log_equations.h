#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <bellwether/learners/least_squares/equations/block_preconditioner.h>
#include <bellwether/learners/least_squares/equations/local_elimination.h>
#include <bellwether/learners/least_squares/equations/prepared_log.h>
#include <bellwether/linalg/krylov/idr.h>

namespace bellwether {

/// The equations (S + ridge I) w = sum_t e_t target_t of all steps of a log, for many features.
///
/// Local features are eliminated, and the others solved for by IDR(4). The preconditioner is the diagonal of S at
/// first. Once the iterations have taken about as long as the block of a BlockPreconditioner would take to form, it is
/// formed: where it helps, this costs at most twice the time of having had it from the start, and where the diagonal
/// will do, nothing. Times are estimated from numbers of operations, so that answers depend on the steps alone.
class LogEquations {
 public:
  /// Solved by `team`, with the same bits for any number of threads.
  LogEquations(const TransitionLog& log, double ridge, ThreadTeam& team = ThreadTeam::alone());

  /// Forms the block after so many products instead, to measure what it is worth.
  void form_block_after(std::size_t products) { without_block_ = products; }

  /// w = the solution, by the log's numbers of features. Stops at a residual of `tolerance`, as Idr does.
  Idr::Result solve(double tolerance, std::size_t iterations, std::span<double> w);

 private:
  void prepare();
  Idr::Result solve_shared(std::span<const double> b, double tolerance, std::size_t iterations, std::span<double> v);
  double residual(std::span<const double> b, std::span<const double> w, std::vector<double>& r) const;

  const TransitionLog& log_;
  double ridge_;
  ThreadTeam& team_;
  std::optional<PreparedLog> prepared_;
  std::optional<LocalElimination> elimination_;
  std::optional<BlockPreconditioner> preconditioner_;
  bool has_block_ = false;
  std::size_t without_block_;  // products to make before there is one
};

}  // namespace bellwether
