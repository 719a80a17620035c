#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include <bellwether/linalg/dense/capped_vector.h>

namespace bellwether {

/// The rows of a matrix that the sparse samples a_j, d_j of a block touch. Each has a slot, given out when the row
/// first appears, which holds its entries of all samples.
class RowHistories {
 public:
  static constexpr std::uint32_t nowhere = 0xffffffff;

  /// `span` is the largest number of samples.
  RowHistories(std::size_t rows, std::size_t span)
      : span_(span), slots_(rows, nowhere), rows_(rows), entries_(rows * 2 * span), diagonal_(rows) {}

  std::size_t size() const { return rows_.size(); }
  std::size_t row(std::size_t slot) const { return rows_[slot]; }
  std::uint32_t slot(std::size_t row) const { return slots_[row]; }  // or nowhere
  std::span<const std::uint32_t> rows() const { return {rows_.data(), rows_.size()}; }

  /// The slot of a row, a new one if need be; histories move then.
  std::uint32_t use(std::size_t row) {
    if (slots_[row] == nowhere) {
      slots_[row] = static_cast<std::uint32_t>(size());
      rows_.push_back(static_cast<std::uint32_t>(row));
      entries_.resize(entries_.size() + 2 * span_);
      diagonal_.push_back(0.0);
    }
    return slots_[row];
  }

  /// The entries of a_0, a_1, ..., and from `span` on those of d_0, d_1, ...
  double* history(std::size_t slot) { return entries_.data() + slot * 2 * span_; }
  const double* history(std::size_t slot) const { return entries_.data() + slot * 2 * span_; }

  /// The row's entry of the diagonal of E Delta^T.
  double& diagonal(std::size_t slot) { return diagonal_[slot]; }
  double diagonal(std::size_t slot) const { return diagonal_[slot]; }

  void clear() {
    for (std::size_t s = 0; s < size(); ++s) slots_[rows_[s]] = nowhere;
    rows_.clear();
    entries_.clear();
    diagonal_.clear();
  }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit.fixed(self.slots_);
    visit(self.rows_, self.entries_, self.diagonal_);
    visit.require([&] { return self.consistent(); });
  }

 private:
  /// Rows in use know their slots, slots their rows, and every slot has its room.
  bool consistent() const {
    const auto in_use = std::count_if(slots_.begin(), slots_.end(), [](std::uint32_t slot) { return slot != nowhere; });
    if (static_cast<std::size_t>(in_use) != size()) return false;
    for (std::size_t s = 0; s < size(); ++s) {
      if (rows_[s] >= slots_.size() || slots_[rows_[s]] != s) return false;
    }
    return entries_.size() == size() * 2 * span_ && diagonal_.size() == size();
  }

  std::size_t span_;
  std::vector<std::uint32_t> slots_;
  CappedVector<std::uint32_t> rows_;  // by slot
  CappedVector<double> entries_;
  CappedVector<double> diagonal_;
};

}  // namespace bellwether
