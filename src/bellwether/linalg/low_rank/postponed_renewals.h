#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <bellwether/linalg/dense/capped_vector.h>

namespace bellwether {

/// Renewals of S = diag(D) + U V^T that rows of the matrix have not taken part in yet.
///
/// A renewal does the same to every row that none of its samples touches. With u and v the row's entries of U and V, e
/// that of a trace and w that of the weights:
///
///   w -= (u.q + b e) / D;    u = u Z + e z;    v = v Y;    e = c e
///
/// All of it is linear in u, v, e and w, so the renewals that a row has missed combine into one of the same form, which
/// is kept for every number of missed renewals. A row is brought up to date when a sample touches it, and at the latest
/// when `sweep` comes to it: there is room for the last `most` renewals.
///
/// O(most k^3) a renewal, O(k^2) a row that is brought up to date. Nothing is allocated after construction.
class PostponedRenewals {
 public:
  static constexpr std::size_t most = 128;

  /// What a renewal does to rows without samples. Z and Y have `columns` rows, `stride` apart.
  struct Renewal {
    const double* Z;
    const double* Y;
    std::size_t stride, columns;
    const double* z;
    std::size_t z_columns;
    const double* q;
    double c, b;
  };

  /// `width` is that of rows of U and of V. Without room for rows nothing can be postponed.
  PostponedRenewals(std::size_t rows, std::size_t width);

  bool enabled() const { return !slots_.empty(); }
  std::size_t rows() const { return stamps_.size(); }  // 0 unless it is enabled
  void add_row() {
    if (enabled()) stamps_.push_back(now_);
  }
  bool stale(std::size_t row) const { return enabled() && stamps_[row] != now_; }

  /// Postpones a renewal for all rows; `take_part` exempts one.
  void postpone(const Renewal& renewal);
  void take_part(std::size_t row) { stamps_[row] = now_; }
  void all_take_part();

  /// u.q + b e of the renewals missed, by which w D falls.
  double step(std::size_t row, const double* u, double e) const;

  /// u.q + b e with the u and e that the row would have if it were brought up to date.
  double product(std::size_t row, const double* u, double e, const double* q, double b) const;

  /// Brings u, v and e of a row up to date.
  void bring(std::size_t row, double* u, double* v, double& e);

  /// The next rows, first .. end-1, to be brought up to date so that none misses more than `most` renewals.
  struct Range {
    std::size_t first, end;
  };
  Range sweep();

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.stamps_, self.now_, self.oldest_, self.cycle_, self.next_, self.end_);
    visit.fixed(self.slots_);
    visit.require(self.next_ <= self.end_ && self.end_ <= self.stamps_.size());
    visit.require(self.oldest_ <= self.cycle_ && self.cycle_ <= self.now_ && self.now_ - self.oldest_ < most);
    for (std::size_t r = 0; r < self.stamps_.size(); ++r) {
      visit.require(self.oldest_ <= self.stamps_[r] && self.stamps_[r] <= self.now_);
    }
  }

 private:
  /// Z, Y, z, q, c and b, in this order.
  double* slot(std::uint64_t generation) { return slots_.data() + generation % most * size_; }
  const double* slot(std::uint64_t generation) const { return slots_.data() + generation % most * size_; }

  std::size_t width_, size_;
  CappedVector<std::uint64_t> stamps_;  // by row: the renewals it took part in or was exempt from
  std::uint64_t now_ = 0;               // renewals so far
  std::uint64_t oldest_ = 0;            // no row has an older stamp
  std::uint64_t cycle_ = 0;             // when the current round of sweeps began
  std::size_t next_ = 0;                // row to be swept
  std::size_t end_ = 0;                 // rows when the round began; later ones are newer than it
  std::vector<double> slots_;           // by stamp: the renewals since then, as one
  std::vector<double> work_;
};

}  // namespace bellwether
