#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <bellwether/core/error.h>
#include <bellwether/core/field.h>
#include <bellwether/core/settings.h>

/// Tables of numbers from the outside: rows of named columns, whatever the file is called that holds them.
///
/// A reader says which columns there are, is told which of them are wanted and what they may hold, and then hands out
/// rows in blocks, so that memory does not grow with the file. It rejects what is wrong with a cell itself, with file,
/// row and column: whoever takes the rows need not look again.
namespace bellwether {

/// How the text of a cell becomes a number.
enum class CellKind : std::uint8_t {
  number,  // finite
  flag,    // 0, 1, true, false, True, False, 0.0, 1.0
  label,   // any text, such as the name of an episode: equal texts give equal numbers
};

/// A column that is wanted.
struct ColumnRequest {
  std::string name;
  CellKind kind = CellKind::number;
  Range range = finite;       // of numbers
  bool may_be_empty = false;  // an empty cell (null in JSON) is then NaN
};

/// What happens to rows that have something wrong with them.
enum class BadRows : std::uint8_t { reject, skip };

struct TableOptions {
  BadRows bad_rows = BadRows::reject;

  /// Asked now and then while a stream is waited for; reading ends when it says true.
  std::function<bool()> interrupted = [] { return false; };
};

/// Rows of the columns asked for, one after another; NaN where a cell was empty.
struct TableBlock {
  std::size_t columns = 0;
  std::size_t rows = 0;
  std::vector<double> cells;       // rows x columns
  std::vector<std::uint64_t> row;  // of the file, from 1, for each: not the header, and rows that were skipped count

  const double* operator[](std::size_t i) const { return cells.data() + i * columns; }

  void clear(std::size_t new_columns) {
    columns = new_columns;
    rows = 0;
    cells.clear();
    row.clear();
  }
};

/// One file or stream. Vectors in a row are columns `name.0`, `name.1`, ...; what is inside of something else has the
/// names of both with a slash between them, as `observations/goal.0`.
class TableReader {
 public:
  virtual ~TableReader() = default;

  /// What messages call it: the path, or "standard input".
  virtual const std::string& name() const = 0;

  /// Every column there is, in order.
  virtual const std::vector<std::string>& columns() const = 0;

  /// Says which columns `read` is to give, and in which order; once, before the first `read`. Throws InvalidArgument
  /// naming the file and the nearest column when one is missing.
  virtual void select(std::vector<ColumnRequest> requests) = 0;

  /// Replaces `block` by the next rows, at most `rows` of them; false when there are none left. A stream does not wait
  /// for a full block: it gives what has come, and none, but true, when nothing has come for some tenths of a second.
  /// Throws InvalidArgument for what is wrong with the data, IoError for what is wrong with the file.
  virtual bool read(TableBlock& block, std::size_t rows) = 0;

  /// How much has been read, from 0 to 1; nothing when the end is not known.
  virtual std::optional<double> fraction() const = 0;

  /// Rows left out so far because something was wrong with them, and what was wrong with the first.
  virtual std::uint64_t skipped() const { return 0; }
  virtual std::string first_skipped() const { return {}; }
};

/// Throws InvalidArgument "log.csv: there is no column 'rewrd'; did you mean 'reward'? (columns: ...)".
[[noreturn]] void reject_column(std::string_view file, std::string_view column,
                                const std::vector<std::string>& columns);

/// "log.csv: row 17, column 'reward'": where something is wrong.
std::string place(std::string_view file, std::uint64_t row, std::string_view column);

/// The table in a file, by the ending of its name, a further .gz aside: .csv, .tsv, .jsonl or .ndjson, .npy,
/// .npz, .hdf5 or .h5, and folders that hold a Minari dataset; what has another ending, and "-" for standard input, is
/// text whose first line tells whether it is CSV, TSV or JSON. Throws IoError when the file can not be read and
/// InvalidArgument when it is empty or not what it is called.
std::unique_ptr<TableReader> open_table(const std::string& path, const TableOptions& options = {});

}  // namespace bellwether
