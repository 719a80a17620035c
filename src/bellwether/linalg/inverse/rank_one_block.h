#pragma once

#include <cstddef>
#include <vector>

namespace bellwether {

/// The small algebra of many Sherman-Morrison updates at once.
///
/// Let P_0 be the inverse of a matrix S_0, and S_i = S_{i-1} + e_i d_i^T. The gain of an update is g_i = P_i e_i, and
/// everything a least-squares learner needs depends on the samples of a block only through
///
///   T = D^T P_0 E,   T_ij = d_i.P_0 e_j          E = [e_0 .. e_{m-1}],  D = [d_0 .. d_{m-1}]
///
/// Elimination without pivoting, I + T = L R with L unit lower triangular, *is* Sherman-Morrison:
///
///   R_ii = 1 + d_i.P_{i-1} e_i                   the denominator of update i, and d_i.g_i = 1 - 1/R_ii
///   L_ij = d_i.g_j                               for j < i
///   [g_0 .. g_{m-1}] = P_0 E R^-1
///   P_m  = P_0 - P_0 E (I + T)^-1 D^T P_0 = P_0 - P_0 E R^-1 L^-1 D^T P_0
///
/// Another sample is another row and column of T: O(m^2), whatever the size of P_0.
class RankOneBlock {
 public:
  explicit RankOneBlock(std::size_t capacity);

  std::size_t size() const { return size_; }
  void clear() { size_ = 0; }

  /// To be filled before `append`, i being size():
  double* row() { return t_.data(); }     // T_ij = d_i.P_0 e_j for j = 0 .. i
  double* column() { return s_.data(); }  // T_ji = d_j.P_0 e_i for j = 0 .. i-1

  /// Eliminates the sample and returns its pivot R_ii. `accept` or `neutralise` must follow, which keep
  /// the sample or leave it out. A pivot near zero means that S_i is singular.
  double append();

  /// L_ij = d_i.g_j, j < i, of the last eliminated sample.
  const double* lower() const { return t_.data(); }

  void accept();

  /// Keeps the sample as if d_i were 0: S_i = S_{i-1}. From now on the caller's T_ij and T_ji are 0 for this d_i.
  void neutralise();

  /// y = R^-1 y and y = L^-1 y, for the first size() entries.
  void solve_upper(double* y) const;
  void solve_lower(double* y) const;

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.size_);
    visit.require(self.size_ <= self.capacity_);
    visit.fixed(self.upper_, self.lower_);
  }

 private:
  void keep(double scale, double pivot);

  std::size_t capacity_;
  std::size_t size_ = 0;
  double pivot_ = 1;
  std::vector<double> t_, s_;
  std::vector<double> upper_;  // R by rows
  std::vector<double> lower_;  // L by columns: column p has its entries p+1 .. at lower_[p * capacity + i]
};

}  // namespace bellwether
