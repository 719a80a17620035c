#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <bellwether/core/batch.h>

namespace bellwether::python {

namespace nb = nanobind;

using Array = nb::ndarray<nb::ro, nb::device::cpu>;

/// What an argument is, for messages: "an array of shape (3, 4) and dtype int64", "a list".
std::string described(nb::handle object);

/// Throws ValueError: "reward is an array of shape (3,) and dtype float64; a float64 array of shape (4,) is expected".
[[noreturn]] void reject(const char* argument, nb::handle object, const std::string& expected);

/// Indices of the features that are 1, a row of them for each state: the fastest way to give binary features. Every
/// state has the same number of them; where it differs, use a SciPy CSR matrix of booleans.
struct Active {
  std::unique_ptr<std::uint32_t[]> copied;  // where the array had another dtype than uint32 or int32
  nb::object array;                         // keeps the memory alive
  const std::uint32_t* indices = nullptr;
  std::size_t rows = 0;
  std::size_t each = 0;  // active features of a row
  std::size_t dim = 0;
  bool one = false;  // a single state, from a list without rows

  Active(nb::object array, std::size_t dim);
};

/// Whether low <= v <= high for all values.
bool are_between(const double* values, std::size_t size, double low, double high);

/// An index that a row has more than once, if any; rows that are not in order are sorted in `space`.
std::optional<std::uint32_t> index_twice(std::span<const std::uint32_t> row, std::vector<std::uint32_t>& space);

/// Features of many states as Python gives them: a float64 or float32 array of a row for each state, a SciPy CSR
/// matrix, or Active. Memory of Python is used where it is, if it is laid out as the library needs it; float32 and
/// other strides are converted block by block.
///
/// Everything is checked once, here: numbers are finite, indices below dim and each once in its row.
class Rows {
 public:
  Rows() = default;
  Rows(const char* argument, nb::object object);

  std::size_t size() const { return size_; }
  std::size_t dim() const { return dim_; }
  Layout layout() const { return layout_; }

  /// How many rows `view` may give at once, beside one more: all of them, unless numbers have to be converted or rows
  /// have no offsets of their own.
  std::size_t at_once() const { return direct() && each_ == 0 ? size_ : block; }

  /// Rows first .. first+count-1; what has to be converted is written to `space`.
  FeatureRows view(std::size_t first, std::size_t count, std::vector<double>& space) const;

 private:
  static constexpr std::size_t block = 4096;

  bool direct() const { return floats_ == nullptr && (layout_ != Layout::dense || contiguous_); }
  std::size_t offset(std::size_t row) const { return offsets_ == nullptr ? row * each_ : offsets_[row]; }
  void take_dense(const char* argument, const nb::object& object);
  void take_csr(const char* argument, const nb::object& matrix);
  void take_active(const Active& active);
  double dense_value(std::size_t row, std::size_t column) const;
  bool is_sound() const;
  void check(const char* argument) const;

  Layout layout_ = Layout::dense;
  std::size_t size_ = 0;
  std::size_t dim_ = 0;
  bool contiguous_ = true;
  std::int64_t row_stride_ = 0;  // in numbers
  std::int64_t column_stride_ = 0;
  const double* values_ = nullptr;
  const float* floats_ = nullptr;  // instead of values
  const std::uint32_t* indices_ = nullptr;
  const std::size_t* offsets_ = nullptr;  // of the rows among the indices; none where all rows are of one length
  std::size_t each_ = 0;                  // which is this one
  std::size_t stored_ = 0;                // indices that there are
  std::unique_ptr<std::uint32_t[]> own_indices_;
  std::vector<std::size_t> multiples_;  // of each_, as the offsets of any block of rows
  std::vector<nb::object> owners_;      // of the memory
};

/// A column of a batch: a number for each step, or one for all.
class Column {
 public:
  Column() = default;

  /// Throws ValueError unless there are `size` finite numbers, or one.
  Column(const char* argument, const nb::object& object, std::size_t size);

  const double* data() const { return data_; }

 private:
  const double* data_ = nullptr;
  std::vector<double> own_;
  nb::object owner_;
};

/// A float64 array of Python that owns these numbers.
nb::object numpy_array(std::vector<double> values);

}  // namespace bellwether::python
