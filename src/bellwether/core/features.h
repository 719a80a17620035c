#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

/// Feature vectors in three layouts, and tables of them.
///
///   dense    x = (v_0, ..., v_{d-1})            every value stored
///   sparse   x_j = v_i where j = index_i        values and their indices; an index appears once
///   binary   x_j = 1 where j = index_i          indices only
///
/// A learner is written once, as a template over the view; only the kernels know the layout. Views do not own memory:
/// they point into a `RowBuffer`, a NumPy array or a memory-mapped file.
namespace bellwether {

/// How feature vectors are stored. All vectors of a batch have one layout.
enum class Layout : std::uint8_t { dense, sparse, binary };

/// Every feature of one vector.
struct DenseView {
  const double* values;
  std::size_t size;  // d

  /// Calls f(j, x_j) for every feature.
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t j = 0; j < size; ++j) f(j, values[j]);
  }
};

/// The features of one vector that are not zero.
struct SparseView {
  const std::uint32_t* indices;
  const double* values;
  std::size_t size;  // how many

  /// Calls f(j, x_j) for every feature that is stored.
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t i = 0; i < size; ++i) f(std::size_t{indices[i]}, values[i]);
  }
};

/// The features of one vector that are one; the others are zero.
struct BinaryView {
  const std::uint32_t* indices;
  std::size_t size;  // how many

  /// Calls f(j, 1.0) for every feature that is one.
  template <class F>
  void for_each(F&& f) const {
    for (const std::uint32_t *j = indices, *end = j + size; j != end; ++j) f(std::size_t{*j}, 1.0);
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

/// Calls `f` with the view of `x`.
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
  std::size_t dim = 0;                     // features of a vector
  std::size_t rows = 0;                    // vectors
  const double* values = nullptr;          // null when binary
  const std::uint32_t* indices = nullptr;  // null when dense
  const std::size_t* offsets = nullptr;    // null when dense; else rows + 1 of them

  /// Row i as a given view; X must be the view of `layout`.
  template <class X>
  X as(std::size_t i) const {
    if constexpr (std::is_same_v<X, DenseView>) return {values + i * dim, dim};
    else if constexpr (std::is_same_v<X, SparseView>) return {indices + offsets[i], values + offsets[i], length(i)};
    else return {indices + offsets[i], length(i)};
  }

  /// Row i, whatever its layout.
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
/// cleared repeatedly stops allocating.
///
/// A row is written piece by piece and closed by `end_row`, whatever the layout:
///
///     RowBuffer rows(Layout::sparse, 4);
///     rows.add(2, 0.5);      // feature 2
///     rows.end_row();
///
/// Indices and dense pieces count from the beginning of the current part. A row is one part, unless several feature
/// maps share it; each then calls its features 0, 1, 2, ... as if it were alone.
class RowBuffer {
 public:
  RowBuffer(Layout layout, std::size_t dim) : layout_(layout), dim_(dim) { offsets_.push_back(0); }

  Layout layout() const { return layout_; }
  std::size_t dim() const { return dim_; }
  std::size_t rows() const { return rows_; }

  /// Removes all rows.
  void clear();

  /// Begins a part: indices count from feature `first` of the row.
  void begin_part(std::size_t first) { part_ = first; }
  std::size_t part() const { return part_; }

  /// Sets a feature. At most once for each feature; in a binary table the value is 1.
  void add(std::uint32_t index, double value = 1.0) {
    if (layout_ == Layout::dense) {
      open_dense_row()[part_ + index] = value;
      return;
    }
    indices_.push_back(static_cast<std::uint32_t>(part_) + index);
    if (layout_ == Layout::sparse) values_.push_back(value);
  }

  /// Sets these features to 1.
  void add_ones(std::span<const std::uint32_t> indices);

  /// The first `count` features of the part, to be filled in; initially zero. Not for binary tables.
  std::span<double> dense_part(std::size_t count);

  /// Appends a complete dense row of zeros and returns it, to be filled in.
  std::span<double> add_dense();

  /// Closes the row that was being written.
  void end_row();

  /// Writes a copy of `x`. Its layout is the same or one that this table can hold (anything but dense into binary).
  void write(const Features& x);

  /// Appends a copy of `x` as a row.
  void append(const Features& x) {
    write(x);
    end_row();
  }

  /// Drops every row but the last.
  void keep_last();

  /// The rows closed so far; valid until the buffer changes.
  FeatureRows view() const;

  /// The rows, for saving (core/state.h).
  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.rows_, self.values_, self.indices_, self.offsets_);
  }

 private:
  /// The row being written, which begins as zeros.
  double* open_dense_row() {
    if (values_.size() == rows_ * dim_) values_.resize(values_.size() + dim_, 0.0);
    return values_.data() + rows_ * dim_;
  }

  Layout layout_;
  std::size_t dim_;
  std::size_t rows_ = 0;
  std::size_t part_ = 0;
  std::vector<double> values_;
  std::vector<std::uint32_t> indices_;
  std::vector<std::size_t> offsets_;
};

/// Throws InvalidArgument unless every index is below `dim`, appears once in its row, and every value is finite.
/// Learners do not check their batches; call this for data from outside.
void check_rows(const FeatureRows& rows, const char* owner);

}  // namespace bellwether
