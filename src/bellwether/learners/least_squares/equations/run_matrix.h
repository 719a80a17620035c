#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <bellwether/linalg/dense/growing_vector.h>

namespace bellwether {

/// A sparse matrix for products, whose rows are states one after another. Of a state, most entries often are those of
/// the state before, so an entry that stays the same for several rows is stored once, as a run:
///
///   p_i = sum_{runs that contain row i} v_j  =  c_0 + ... + c_i        c_first += v_j,  c_{last + 1} -= v_j
///
/// A product therefore reads v once for each run, whatever its length; sums over rows, for products with the transposed
/// matrix, are differences of running sums in the same way. Running sums begin anew with every group of up to 128 rows,
/// which keeps them in the fastest cache and their rounding errors small. Entries of a single row are added directly.
///
/// A run takes 8 bytes, a single entry 5, and either 8 more unless all entries of the matrix are 1.
class RunMatrix {
 public:
  static constexpr std::size_t largest_group = 128;

  explicit RunMatrix(std::size_t columns) : pending_of_(columns, 0) {}

  /// Adds an entry to a row of the group that is being added. Rows come in ascending order.
  void add(std::size_t row, std::uint32_t column, double value);

  /// Ends a group of `rows` rows.
  void end_group(std::size_t rows);

  /// Frees what only adding needs.
  void finish();

  /// Divides the columns into parts for add_transposed: part i has the columns bounds[i] .. bounds[i + 1] - 1. Takes 16
  /// bytes for each group and part.
  void divide(std::span<const std::uint32_t> bounds);

  /// The number of runs and single entries.
  std::size_t entries() const { return starts_.back().runs + starts_.back().singles; }

  /// Calls use(column) for each of them.
  template <class Use>
  void for_each_column(Use&& use) const {
    for (std::size_t k = 0; k < starts_.back().runs; ++k) use(runs_[k].column);
    for (std::size_t k = 0; k < starts_.back().singles; ++k) use(columns_[k]);
  }

  /// p_i += sum_j X_ij v_j for the rows of a group.
  void add_product(std::size_t group, const double* v, double* p) const;

  /// out_j += sum_i X_ij h_i over the rows of a group, for all columns or for those of a part.
  /// Fastest for one group after another, from the last to the first.
  void add_transposed(std::size_t group, const double* h, double* out) const;
  void add_transposed(std::size_t group, std::size_t part, const double* h, double* out) const;

  /// Calls use(row, column, value) for all entries of a group.
  template <class Use>
  void for_each(std::size_t group, Use&& use) const {
    const Start& first = starts_[group * parts_];
    const Start& end = starts_[(group + 1) * parts_];
    for (std::size_t k = first.runs; k < end.runs; ++k) {
      const Run& run = runs_[k];
      for (std::size_t i = run.begin; i < run.end; ++i) use(i, run.column, valued_ ? run_values_[k] : 1.0);
    }
    for (std::size_t k = first.singles; k < end.singles; ++k) use(row_[k], columns_[k], valued_ ? values_[k] : 1.0);
  }

 private:
  struct Run {
    std::uint32_t column;
    std::uint16_t begin, end;  // rows of the group
  };
  struct Pending {
    Run run;
    double value;
  };
  /// Where the entries of a part of a group begin.
  struct Start {
    std::size_t runs, singles;
  };

  template <bool valued>
  void add_product_of(std::size_t group, const double* v, double* p) const;
  template <bool valued>
  void add_transposed_of(std::size_t group, std::size_t part, const double* h, double* out) const;
  void keep_values();

  bool valued_ = false;
  GrowingVector<Run> runs_;
  GrowingVector<double> run_values_;
  GrowingVector<std::uint32_t> columns_;  // of single entries
  GrowingVector<std::uint8_t> row_;       // in the group
  GrowingVector<double> values_;
  std::vector<std::uint8_t> rows_;  // of the groups
  std::size_t parts_ = 1;
  std::vector<Start> starts_{Start{0, 0}};  // of the parts of the first group, of the second, ..., and the end
  std::vector<Pending> pending_;            // runs of the group that is being added
  std::vector<std::uint32_t> pending_of_;   // where the last run of a column may be among them
};

}  // namespace bellwether
