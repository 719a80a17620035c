#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <bellwether/learners/least_squares/equations/prepared_log.h>

namespace bellwether {

/// Removes the local features of a PreparedLog from the equations A w = b, A = S + ridge I. Hashed data have many: of
/// the features of a long list of categories, most occur in one episode only. With R for the shared features and E for
/// the local ones, the shared ones satisfy
///
///   (A_RR - A_RE A_EE^-1 A_ER) w_R = b_R - A_RE A_EE^-1 b_E
///
/// and the local ones follow from A_EE w_E = b_E - A_ER w_R. These equations are smaller, and Krylov methods need fewer
/// iterations for them: A_EE holds the chains by which one state's value follows from the next one's, which iterations
/// follow one link at a time.
///
/// A_EE is never formed. The trace of a feature is zero before its first row, and d is zero behind its last, so
/// A_EE is block upper triangular: a group's local features depend on those of later groups only. In the backward pass
/// that multiplies by S, a group's local weights are therefore found before anything is added for earlier rows, from
/// its diagonal block alone. The block is factored (LU) without pivoting, within its envelope: features are in the
/// order in which they last occur, so that rows of L are short, and columns of U as well if lambda is 0.
///
/// Memory: 8 bytes for each number within an envelope, at most 2 kB a local feature, mostly a tenth of this.
class LocalElimination {
 public:
  LocalElimination(const PreparedLog& log, double ridge);

  /// False if a block has no stable factors without pivoting. This may happen off-policy; nothing else may be called
  /// then.
  bool sound() const { return sound_; }

  /// Completes v, of which the shared part is given, by the local weights for which A v equals b in all local rows
  /// (zero if b is null); out = the shared rows of A v.
  void complete(const double* b, double* v, double* out) const;

  /// How many numbers the factors have.
  std::size_t factors() const { return factors_.size(); }

  static constexpr std::size_t largest_block = 256;

 private:
  /// Row i of L and column i of U up to the diagonal, each without the zeros in front of it except for up to three, one
  /// behind the other from `begin` on.
  struct Envelope {
    std::size_t begin;
    std::uint16_t row, column;  // numbers
    double inverse_pivot;
  };

  void form_block(std::size_t group, std::vector<double>& block);
  void factor(std::size_t group, const std::vector<double>& block);
  void solve(std::size_t group, double* z) const;

  const PreparedLog& log_;
  double ridge_;
  bool sound_ = true;
  std::vector<Envelope> envelopes_;  // one for each local feature
  GrowingVector<double> factors_;
};

}  // namespace bellwether
