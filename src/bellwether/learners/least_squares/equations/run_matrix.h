#pragma once

#include <cstddef>
#include <cstdint>
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

  /// The number of runs and single entries.
  std::size_t entries() const { return groups_.back().runs + groups_.back().singles; }

  /// p_i += sum_j X_ij v_j for the rows of a group.
  void add_product(std::size_t group, const double* v, double* p) const;

  /// out_j += sum_i X_ij h_i over the rows of a group.
  void add_transposed(std::size_t group, const double* h, double* out) const;

  /// Calls use(row, column, value) for all entries of a group.
  template <class Use>
  void for_each(std::size_t group, Use&& use) const {
    const Group& first = groups_[group];
    const Group& end = groups_[group + 1];
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
  /// Where a group begins.
  struct Group {
    std::size_t runs, singles, rows;
  };

  template <bool valued>
  void add_product_of(std::size_t group, const double* v, double* p) const;
  template <bool valued>
  void add_transposed_of(std::size_t group, const double* h, double* out) const;
  void keep_values();

  bool valued_ = false;
  GrowingVector<Run> runs_;
  GrowingVector<double> run_values_;
  GrowingVector<std::uint32_t> columns_;  // of single entries
  GrowingVector<std::uint8_t> row_;       // in the group
  GrowingVector<double> values_;
  std::vector<Group> groups_{Group{0, 0, 0}};
  std::vector<Pending> pending_;           // runs of the group that is being added
  std::vector<std::uint32_t> pending_of_;  // where the last run of a column may be among them
};

}  // namespace bellwether
