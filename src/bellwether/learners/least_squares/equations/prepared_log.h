#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <bellwether/core/support/thread_team.h>
#include <bellwether/learners/least_squares/equations/run_matrix.h>
#include <bellwether/learners/least_squares/equations/transition_log.h>

namespace bellwether {

/// A TransitionLog in a form that is fast to multiply by. Exchanging the sums over time, a product with
/// S = sum_t e_t d_t^T, e_t = f_t e_{t-1} + a_t, is one backward pass over the data, and a product with its transpose a
/// forward pass: O(non-zeros) for any lambda.
///
///   S v   = sum_t a_t g_t              g_t = d_t.v + f_{t+1} g_{t+1}
///   S^T v = sum_t d_t s_t              s_t = f_t s_{t-1} + a_t.v
///
/// States go by rows 0, 1, ... of a RunMatrix, each once: x_{t+1} of a step is mostly x_t of the next, so that
/// d_t.v = p_r - gamma_{t+1} p_{r+1} with the products p = X v. Rows form groups of up to 128, cut where an episode
/// ends if possible.
///
/// Features may be numbered anew. First come the shared ones, the most frequent first, so that they are neighbours in
/// memory. Then come the local ones, which occur in the rows of a single group only, in the order in which they last
/// occur; LocalElimination removes them from the equations. If the log has dense rows, features keep
/// their numbers and none is local.
///
/// Memory: that of the run matrix, about half of the log's where half of the entries stay from one step to the next,
/// and 33 bytes a row. Dense rows are not copied, so the log must outlive this object and must not change.
class PreparedLog {
 public:
  enum class Numbering {
    kept,        // as in the log
    shared,      // by frequency; all features count as shared
    local_last,  // as above
  };
  /// Products with S are computed by `team`, and have the same bits for any number of threads.
  PreparedLog(const TransitionLog& log, Numbering numbering, ThreadTeam& team = ThreadTeam::alone());

  std::size_t features() const { return number_.size(); }
  std::size_t shared() const { return shared_; }

  /// The new number of a feature of the log.
  std::uint32_t number(std::size_t feature) const { return number_[feature]; }
  std::span<const std::uint32_t> numbers() const { return number_; }

  /// About how many multiplications a product takes.
  double work() const { return work_; }

  /// out = S v, out = S^T v, and out = sum_t e_t target_t.
  void product(const double* v, double* out) const;
  void transposed_product(const double* v, double* out) const;
  void right_side(double* out) const;

  /// A row's part in the products. Rows in which no step begins only pass on what comes from others.
  struct Row {
    double own;  // 1 if a step begins in the row, otherwise 0
    double gn;   // gamma_{t+1} of that step; the state x_{t+1} is the next row
    double f;    // 1 where no step begins
    double y;
  };

  /// What a backward pass brings from later rows: p of the row behind, and f_{t+1} g_{t+1}.
  struct Carry {
    double p = 0;
    double g = 0;
  };

  /// A group, for those who go through them on their own: its rows, and its local features.
  struct Group {
    std::size_t first, last;              // rows first .. last - 1
    std::size_t first_local, last_local;  // the features that occur here only
    std::size_t rows() const { return last - first; }
    std::size_t locals() const { return last_local - first_local; }
  };
  std::size_t groups() const { return groups_.size(); }
  const Group& group(std::size_t k) const { return groups_[k]; }
  Row row(std::size_t r) const { return {static_cast<double>(own_[r]), gn_[r], f_[r], y_[r]}; }

  /// h_r = y_r g_r for the rows of group k, from their products p. Returns what the group before needs.
  Carry backward(std::size_t k, const double* p, double* h, Carry carry) const;

  /// A matrix with a row for each state.
  struct States {
    explicit States(std::size_t features) : shared(features), local(features) {}
    RunMatrix shared, local;           // the parts with the shared and with the local features
    std::vector<const double*> dense;  // rows that are dense, null for others; empty if none is
  };
  /// The states, and all a_t / y_t.
  const States& x() const { return x_; }
  const States& a() const { return a_ ? *a_ : x_; }

  /// The backward pass that multiplies by S + ridge I, for the shared features:
  ///
  ///   p = X v of all rows, then carry = between(k, p, h, carry) for every group, which is to say what h is, and then
  ///   out = ridge v + sum_r h_r a_r
  ///
  /// The first is divided among threads by rows, the last by features, and what is between by stretches of groups from
  /// which nothing passes to others, such as whole episodes: each number is the same sum in the same order, whoever
  /// computes it. Calls of `between` may run at the same time for different stretches.
  using Between = std::function<Carry(std::size_t k, double* p, double* h, Carry carry)>;
  void pass(const double* v, double ridge, double* out, const Between& between) const;

 private:
  bool ends_in(std::size_t r) const;  // whether nothing passes between row r and the next
  void find_rows();
  void number_features(Numbering numbering);
  void fill();
  void find_stretches();
  void divide_features();
  void multiply_shared(const States& states, std::size_t k, const double* v, double* p) const;
  void add_dense(const States& states, std::size_t k, const double* h, double* out, std::size_t first,
                 std::size_t last) const;  // of features first .. last - 1
  void multiply(const States& states, std::size_t k, const double* v, double* p) const;
  void add_transposed(const States& states, std::size_t k, const double* h, double* out) const;

  const TransitionLog& log_;
  ThreadTeam& team_;
  std::vector<std::uint8_t> own_;  // the numbers of rows, in arrays: most passes need only two of them
  std::vector<double> gn_, f_, y_;
  std::vector<Group> groups_;
  std::vector<std::size_t> stretches_;   // the first group of each, and the number of groups
  std::vector<std::uint32_t> bounds_;    // the first shared feature of each part, and their number
  mutable std::vector<double> between_;  // p and then h of all rows, during a pass
  std::vector<std::uint32_t> number_;
  std::size_t shared_;
  double work_ = 0;
  bool traces_ = false;  // whether any f_t is not 0
  States x_;
  std::optional<States> a_;  // in a log with additions
};

}  // namespace bellwether
