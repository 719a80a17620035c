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
/// Most users never choose: a feature map knows its layout, and `Stream` and `learn` follow it. With features of your
/// own, choose by how many are not zero. A step of a linear learner costs O(d) with dense vectors and O(stored entries)
/// with the others: with 10 of 1024 features active, `binary` saves 99 % of the work. Weights do not depend on the
/// layout, except for rounding.
///
/// Views do not own memory: they point into a `RowBuffer` or into arrays of the caller, which must outlive them.
/// Indices count from 0 and need no order. Nothing is checked on the way; `check_rows` does, for data from outside.
namespace bellwether {

/// How feature vectors are stored. All vectors of a batch have one layout, but a learner may get batches of different
/// layouts, one after another.
enum class Layout : std::uint8_t { dense, sparse, binary };

/// Every feature of one vector, zeros included.
struct DenseView {
  const double* values;  // d of them, one after another
  std::size_t size;      // d

  /// Calls f(j, x_j) for every feature.
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t j = 0; j < size; ++j) f(j, values[j]);
  }
};

/// The features of one vector that are not zero. (A stored zero is allowed; it costs as much as any other entry.)
struct SparseView {
  const std::uint32_t* indices;  // below d, each once
  const double* values;          // of these features
  std::size_t size;              // how many are stored; d is not known here

  /// Calls f(j, x_j) for every feature that is stored.
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t i = 0; i < size; ++i) f(std::size_t{indices[i]}, values[i]);
  }
};

/// The features of one vector that are one; the others are zero. Tile coding and tables of states are of this kind.
struct BinaryView {
  const std::uint32_t* indices;  // below d, each once
  std::size_t size;              // how many are one

  /// Calls f(j, 1.0) for every feature that is one.
  template <class F>
  void for_each(F&& f) const {
    for (const std::uint32_t *j = indices, *end = j + size; j != end; ++j) f(std::size_t{*j}, 1.0);
  }
};

/// One feature vector of any layout: what `Learner::predict` takes. The three views convert to it by themselves.
///
///     const std::vector<std::uint32_t> on{3, 17};
///     const double value = learner->predict(BinaryView{on.data(), on.size()});
struct Features {
  Layout layout;                 // which of the three views it came from
  const std::uint32_t* indices;  // null when dense
  const double* values;          // null when binary
  std::size_t size;              // stored entries: d when dense

  Features(DenseView x) : layout(Layout::dense), indices(nullptr), values(x.values), size(x.size) {}
  Features(SparseView x) : layout(Layout::sparse), indices(x.indices), values(x.values), size(x.size) {}
  Features(BinaryView x) : layout(Layout::binary), indices(x.indices), values(nullptr), size(x.size) {}
};

/// Calls `f` with the view of `x` that its layout asks for, and returns what `f` returns: the same type for all three.
/// Code that is a template over the view is thus written once. The squared length of x:
///
///     double square = 0;
///     visit(x, [&](const auto& view) { view.for_each([&](std::size_t, double v) { square += v * v; }); });
template <class F>
decltype(auto) visit(const Features& x, F&& f) {
  switch (x.layout) {
    case Layout::dense: return f(DenseView{x.values, x.size});
    case Layout::sparse: return f(SparseView{x.indices, x.values, x.size});
    default: return f(BinaryView{x.indices, x.size});
  }
}

/// A view of many feature vectors of one layout. Dense rows lie one after another; sparse and binary rows are in
/// compressed row form, as SciPy's CSR matrices: row i is the entries offsets[i] .. offsets[i+1] - 1 of `indices` and
/// `values`.
struct FeatureRows {
  Layout layout = Layout::dense;
  std::size_t dim = 0;                     // features of a vector
  std::size_t rows = 0;                    // vectors
  const double* values = nullptr;          // null when binary
  const std::uint32_t* indices = nullptr;  // null when dense
  const std::size_t* offsets = nullptr;    // null when dense; else rows + 1 of them

  /// Row i as a given view; X must be the view of `layout`, which is not checked. For loops that know their layout.
  template <class X>
  X as(std::size_t i) const {
    if constexpr (std::is_same_v<X, DenseView>) return {values + i * dim, dim};
    else if constexpr (std::is_same_v<X, SparseView>) return {indices + offsets[i], values + offsets[i], length(i)};
    else return {indices + offsets[i], length(i)};
  }

  /// Row i, whatever its layout. Row i must exist, which is not checked either.
  Features row(std::size_t i) const {
    switch (layout) {
      case Layout::dense: return as<DenseView>(i);
      case Layout::sparse: return as<SparseView>(i);
      default: return as<BinaryView>(i);
    }
  }

  /// Rows first .. first+count-1 as a table of their own. It is a view of the same memory, made in O(1).
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
/// cleared repeatedly stops allocating. Growing moves the rows: views and spans from before are no longer valid.
///
/// A row is written piece by piece and closed by `end_row`, whatever the layout:
///
///     RowBuffer rows(Layout::sparse, 4);
///     rows.add(2, 0.5);                           // feature 2
///     rows.add(0);                                // feature 0 is 1
///     rows.end_row();
///     rows.append(DenseView{observation, 4});     // or a whole row at once
///     const double value = learner->predict(rows.view().row(0));
///
/// `BatchBuffer::x`, `StepBlock::x` and `FeatureMap::append` fill one. An index that is too large is stored as it is in
/// sparse and binary tables and breaks a learner later; in a dense one it writes outside the row.
///
/// Indices and dense pieces count from the beginning of the current part. A row is one part, unless several feature
/// maps share it; each then calls its features 0, 1, 2, ... as if it were alone.
class RowBuffer {
 public:
  /// An empty table of vectors of `dim` features. Memory is allocated as rows come.
  RowBuffer(Layout layout, std::size_t dim) : layout_(layout), dim_(dim) { offsets_.push_back(0); }

  Layout layout() const { return layout_; }   // as constructed
  std::size_t dim() const { return dim_; }    // as constructed
  std::size_t rows() const { return rows_; }  // rows that are closed

  /// Removes all rows, and what was written of the next one.
  void clear();

  /// Begins a part: indices count from feature `first` of the row. Feature maps joined by `+` write a part each.
  void begin_part(std::size_t first) { part_ = first; }
  std::size_t part() const { return part_; }  // where it began

  /// Sets a feature. At most once for each feature; a binary table ignores the value and takes 1.
  void add(std::uint32_t index, double value = 1.0) {
    if (layout_ == Layout::dense) {
      open_dense_row()[part_ + index] = value;
      return;
    }
    indices_.push_back(static_cast<std::uint32_t>(part_) + index);
    if (layout_ == Layout::sparse) values_.push_back(value);
  }

  /// Sets these features to 1. Faster than `add` one by one.
  void add_ones(std::span<const std::uint32_t> indices);

  /// The first `count` features of the part, to be filled in before anything else is written; initially zero. A sparse
  /// table stores all of them, zeros included. Not for binary tables.
  std::span<double> dense_part(std::size_t count);

  /// Appends a complete dense row of zeros and returns it, to be filled in; valid until the buffer changes. Without
  /// `end_row`. For dense tables only.
  std::span<double> add_dense();

  /// Closes the row that was being written. A row in which nothing was written is a vector of zeros.
  void end_row();

  /// Writes a copy of `x`. Its layout is the same or one that this table can hold (anything but dense into binary).
  void write(const Features& x);

  /// Appends a copy of `x` as a row: `write` and `end_row`.
  void append(const Features& x) {
    write(x);
    end_row();
  }

  /// Drops every row but the last, which becomes row 0. Costs as much as copying that row.
  void keep_last();

  /// The rows closed so far; valid until the buffer changes.
  FeatureRows view() const;

  /// The rows, for saving (core/state.h).
  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.rows_, self.values_, self.indices_, self.offsets_);
  }

 private:
  /// The row being written, which begins as zeros when the first of its features is set.
  double* open_dense_row() {
    if (values_.size() == rows_ * dim_) values_.resize(values_.size() + dim_, 0.0);
    return values_.data() + rows_ * dim_;
  }

  Layout layout_;
  std::size_t dim_;
  std::size_t rows_ = 0;                // closed rows; more may have been written in the arrays
  std::size_t part_ = 0;                // feature at which the current part begins
  std::vector<double> values_;          // as in FeatureRows; unused when binary
  std::vector<std::uint32_t> indices_;  // unused when dense
  std::vector<std::size_t> offsets_;    // where each row begins, and the end; unused when dense
};

/// Throws InvalidArgument unless every index is below `dim`, appears once in its row, and every value is finite. The
/// message begins with `owner` and names the row. Learners do not check their batches; call this for data from outside,
/// once: it sorts the indices of every row.
void check_rows(const FeatureRows& rows, const char* owner);

}  // namespace bellwether
