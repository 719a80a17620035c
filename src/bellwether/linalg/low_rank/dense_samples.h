#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <bellwether/linalg/dense/capped_vector.h>
#include <bellwether/linalg/low_rank/diagonal_plus_low_rank.h>

namespace bellwether {

/// Samples e_i d_i^T gathered on top of S_0 = diag(D) + U V^T, with gains s_i = S_i^-1 e_i, for vectors without zeros:
/// the vectors and the gains are stored, and a gain is Sherman and Morrison's formula applied sample by sample,
///
///   v = S_0^-1 e;    v -= (d_j.v) s_j  for j = 0, 1, ...;    s = v / (1 + d.v)
///
/// O(rows (k + m)) per sample. `SparseSamples` does the same for sparse vectors.
class DenseSamples final : public GatheredSamples {
 public:
  explicit DenseSamples(const DiagonalPlusLowRank& S);

  void begin(const DiagonalPlusLowRank& S);

  /// Eliminates a sample, one number per row; `keep` or `leave_out` must follow.
  GainProducts push(const DiagonalPlusLowRank& S, const double* e, const double* d);
  void keep();
  void leave_out();

  /// The gain of the last pushed sample.
  const double* gain() const { return G_.data() + gain_ * rows_; }

  bool has_room() const { return count_ < limit_; }
  std::size_t rows() const { return rows_; }  // of the matrix that `begin` saw
  std::size_t count() const override { return count_; }
  Products products() const override;
  void prepare(const double* left, const double* right, std::size_t stride, std::size_t columns) override;
  void add(const RowTile& tile, double* E_left, double* Delta_right, std::size_t stride) const override;
  void diagonal(const RowTile& tile, double* sums) const override;

  /// Computes what `products` returns.
  void multiply_out(const DiagonalPlusLowRank& S);

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.rows_, self.count_, self.gain_, self.E_, self.D_, self.G_);
    const std::size_t rows = std::max<std::size_t>(self.rows_, 1);
    visit.require(self.count_ <= self.limit_ &&
                  self.rows_ <= self.E_.capacity() / std::max<std::size_t>(self.limit_, 1));
    for (const auto* samples : {&self.E_, &self.D_, &self.G_}) {
      visit.require(self.count_ <= samples->size() / rows);
    }
  }

 private:
  std::size_t limit_, width_;
  std::size_t rows_ = 0;
  std::size_t count_ = 0;
  std::size_t gain_ = 0;
  CappedVector<double> E_, D_, G_;  // one row per sample
  std::vector<double> EE_, DD_, UE_, VD_, small_;
  const double* left_ = nullptr;
  const double* right_ = nullptr;
  std::size_t stride_ = 0;
  std::size_t columns_ = 0;
};

}  // namespace bellwether
