#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <bellwether/core/features.h>
#include <bellwether/data/numpy/npz.h>

namespace bellwether {

/// Rows of features in an .npz, read in order, a few at a time. Features `x` are stored as
///
///   dense    x           shape (n, d)
///   sparse   x_indptr    n+1 offsets; row i is entries indptr[i] .. indptr[i+1] of
///            x_indices   indices below d, each once in a row, and
///            x_data      values, as in scipy.sparse.csr_array
///   binary   the same without x_data: all values are 1
///
/// The number of sparse or binary features d is `x_shape[1]` or `dim`, if the archive has one of them. Otherwise it is
/// unknown, since no row needs to hold the last feature.
class NpzFeatures {
 public:
  /// Throws InvalidArgument when arrays are missing, do not hold numbers or do not match.
  NpzFeatures(const NpzArchive& archive, std::string name);

  /// Whether an archive has features of this name.
  static bool in(const NpzArchive& archive, const std::string& name);

  Layout layout() const { return layout_; }
  std::uint64_t rows() const { return rows_; }
  std::optional<std::uint64_t> dim() const { return dim_; }

  /// One more than the largest index, found by reading all indices. For sparse and binary rows.
  std::uint64_t least_dim(const NpzArchive& archive) const;

  /// Reads the next `count` rows, which replace those read before. Throws InvalidArgument when offsets are wrong.
  void read(std::size_t count);

  /// What is wrong with row i of those read, when there are `dim` features: a value that is not finite, an index that
  /// is too large or occurs twice. Empty when the row is valid.
  std::string objection(std::size_t i, std::size_t dim);

  /// Appends row i of those read, which must be valid.
  void append(std::size_t i, RowBuffer& to);

 private:
  NpyReader open(const NpzArchive& archive, const std::string& suffix) const;
  std::size_t first(std::size_t i) const { return static_cast<std::size_t>(offsets_[i] - offsets_[0]); }
  std::string objection_to_indices(const double* indices, std::size_t size, std::size_t dim);

  std::string file_, name_;
  Layout layout_ = Layout::dense;
  std::uint64_t rows_ = 0;
  std::uint64_t entries_ = 0;
  std::optional<std::uint64_t> dim_;

  std::optional<NpyReader> values_reader_, indices_reader_, offsets_reader_;
  std::vector<double> values_, indices_;
  std::vector<double> offsets_;             // of the rows that were read, and the end of the last one
  std::uint64_t row_ = 0;                   // the first of the rows that were read
  std::vector<std::uint32_t> row_indices_;  // work space
  std::vector<double> sorted_;              // work space
};

}  // namespace bellwether
