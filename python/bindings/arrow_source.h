#pragma once

#include <memory>
#include <string>
#include <vector>

#include <bellwether/data/arrow/arrow_abi.h>
#include <bellwether/data/log/log_source.h>

#include "arrays.h"

namespace bellwether::python {

/// Columns of NumPy as an Arrow stream of one batch: the memory is used where it is.
class NumpyColumns {
 public:
  /// `columns` has a tuple for each: its name, its Arrow format, the width of its rows (0: a single value), and three
  /// arrays, of which the first, or the last, may be None: the bits that say which values are there, the values or the
  /// offsets of texts, and the texts.
  NumpyColumns(std::size_t rows, const nb::list& columns);
  NumpyColumns(const NumpyColumns&) = delete;  // streams point into it
  NumpyColumns& operator=(const NumpyColumns&) = delete;

  std::size_t rows() const { return static_cast<std::size_t>(root_array_.length); }

  /// A stream from the first row on; the columns must outlive it. Needs nothing of Python.
  ArrowArrayStream stream() const;

 private:
  /// A column, or the values of a column whose rows are lists.
  struct Node {
    std::string name, format;
    ArrowSchema schema{};
    ArrowArray array{};
    std::vector<const void*> buffers;
    std::unique_ptr<Node> values;
    ArrowSchema* values_schema = nullptr;
    ArrowArray* values_array = nullptr;

    void describe(std::size_t rows);
  };

  struct Stream;
  std::unique_ptr<Node> leaf(std::string name, std::string format, std::size_t rows, const nb::tuple& column);

  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<ArrowSchema*> schemas_;
  std::vector<ArrowArray*> arrays_;
  const void* no_bits_ = nullptr;
  ArrowSchema root_schema_{};
  ArrowArray root_array_{};
  std::vector<nb::object> owners_;
};

/// Where the data is that Python gives: a path, NumpyColumns, or anything with `__arrow_c_stream__`. `rows`, `bytes`
/// and `once` are attributes of what `_data.py` makes. The source must not outlive `data`.
LogSource source_of(nb::handle data);

/// The sources of a list of these.
std::vector<LogSource> sources_of(const nb::list& data);

}  // namespace bellwether::python
