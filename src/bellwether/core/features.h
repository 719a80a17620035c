#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

/// Feature vectors in three layouts, and tables of them.
///
///   dense    x = (v_0, ..., v_{d-1})            every value stored
///   sparse   x_j = v_i where j = index_i        values and their places; a place appears once
///   binary   x_j = 1 where j = index_i          places only
///
/// A learner is written once, as a template over the view; only the kernels know the layout. Views do not own: they
/// point into a `RowBuffer`, a NumPy array or a memory-mapped file.
namespace bellwether {

enum class Layout : std::uint8_t { dense, sparse, binary };

struct DenseView {
  const double* values;
  std::size_t size;

  template <class F>
  void for_each(F&& f) const {
    for (std::size_t j = 0; j < size; ++j) f(j, values[j]);
  }
};

struct SparseView {
  const std::uint32_t* indices;
  const double* values;
  std::size_t size;

  template <class F>
  void for_each(F&& f) const {
    for (std::size_t i = 0; i < size; ++i) f(std::size_t{indices[i]}, values[i]);
  }
};

struct BinaryView {
  const std::uint32_t* indices;
  std::size_t size;

  template <class F>
  void for_each(F&& f) const {
    for (std::size_t i = 0; i < size; ++i) f(std::size_t{indices[i]}, 1.0);
  }
};

/// One feature vector of any layout.
struct Features {
  Layout layout;
  const std::uint32_t* indices;  // null when dense
  const double* values;          // null when binary
  std::size_t size;              // stored entries: d when dense

  Features(DenseView x) : layout(Layout::dense), indices(nullptr), values(x.values), size(x.size) {}
  Features(SparseView x) : layout(Layout::sparse), indices(x.indices), values(x.values), size(x.size) {}
  Features(BinaryView x) : layout(Layout::binary), indices(x.indices), values(nullptr), size(x.size) {}
};

/// Calls `f` with the view that `x` holds.
template <class F>
decltype(auto) visit(const Features& x, F&& f) {
  switch (x.layout) {
    case Layout::dense: return f(DenseView{x.values, x.size});
    case Layout::sparse: return f(SparseView{x.indices, x.values, x.size});
    default: return f(BinaryView{x.indices, x.size});
  }
}

/// A view of many feature vectors of one layout. Dense rows lie one after another; sparse and binary rows are in
/// compressed row form: row i is entries offsets[i] .. offsets[i+1].
struct FeatureRows {
  Layout layout = Layout::dense;
  std::size_t dim = 0;
  std::size_t rows = 0;
  const double* values = nullptr;
  const std::uint32_t* indices = nullptr;
  const std::size_t* offsets = nullptr;

  /// Row i as a given view; X must be the view of `layout`.
  template <class X>
  X as(std::size_t i) const {
    if constexpr (std::is_same_v<X, DenseView>) return {values + i * dim, dim};
    else if constexpr (std::is_same_v<X, SparseView>) return {indices + offsets[i], values + offsets[i], length(i)};
    else return {indices + offsets[i], length(i)};
  }

  Features row(std::size_t i) const {
    switch (layout) {
      case Layout::dense: return as<DenseView>(i);
      case Layout::sparse: return as<SparseView>(i);
      default: return as<BinaryView>(i);
    }
  }

  /// Rows first .. first+count-1 as a table of their own.
  FeatureRows slice(std::size_t first, std::size_t count) const {
    FeatureRows part = *this;
    part.rows = count;
    if (layout == Layout::dense) part.values = values + first * dim;
    else part.offsets = offsets + first;
    return part;
  }

  /// Stored entries of row i of a sparse or binary table.
  std::size_t length(std::size_t i) const { return offsets[i + 1] - offsets[i]; }
};

/// A growing table of feature vectors that owns its storage. Clearing keeps the memory, so a buffer that is filled and
/// cleared again and again stops allocating.
class RowBuffer {
 public:
  RowBuffer(Layout layout, std::size_t dim) : layout_(layout), dim_(dim) { offsets_.push_back(0); }

  Layout layout() const { return layout_; }
  std::size_t dim() const { return dim_; }
  std::size_t rows() const { return layout_ == Layout::dense ? values_.size() / dim_ : offsets_.size() - 1; }

  void clear();

  /// Appends a dense row of zeros and returns it for filling.
  std::span<double> add_dense();

  /// Sparse and binary rows are written entry by entry and closed by `end_row`.
  void add(std::uint32_t index, double value = 1.0) {
    indices_.push_back(index);
    if (layout_ == Layout::sparse) values_.push_back(value);
  }
  void end_row() { offsets_.push_back(indices_.size()); }

  /// Appends a copy of a row of the same layout.
  void append(const Features& x);

  /// Drops every row but the last.
  void keep_last();

  FeatureRows view() const;

 private:
  Layout layout_;
  std::size_t dim_;
  std::vector<double> values_;
  std::vector<std::uint32_t> indices_;
  std::vector<std::size_t> offsets_;
};

/// Throws InvalidArgument unless every index is below `dim`, appears once in its row, and every value is finite.
/// Learners trust their batches; call this where data come from outside.
void check_rows(const FeatureRows& rows, const char* owner);

}  // namespace bellwether
