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
#include <bellwether/core/params/field.h>
#include <bellwether/core/params/settings.h>

/// Tables of numbers that come from outside: rows of named columns, in whatever file format.
///
/// A reader says which columns there are, is told which of them are wanted and what they may hold, and then returns
/// rows in blocks, so that memory does not grow with the file. The reader checks every cell and rejects a bad one with
/// file, row and column, so that its callers need not check again. The mean of a column:
///
///     const auto table = open_table("log.csv.gz");
///     table->select({{.name = "reward"}});
///     double sum = 0, rows = 0;
///     for (TableBlock block; table->read(block, 8192); rows += static_cast<double>(block.rows)) {
///       for (std::size_t i = 0; i < block.rows; ++i) sum += block[i][0];
///     }
///
/// `learn` and `StateRows` do all of this; open a table only to look at data yourself.
namespace bellwether {

/// How the text of a cell becomes a number.
enum class CellKind : std::uint8_t {
  number,    // finite
  flag,      // 0, 1, 0.0, 1.0; and in small or capital letters true, false, t, f, yes, no, y, n
  label,     // any text, such as the name of an episode: equal texts give equal numbers
  moment,    // a number, or a date and time as in 2024-02-29T23:59:59.5 (ISO 8601), which becomes seconds since 1970
  category,  // any text; becomes its number among the categories of the request
  form,      // whether a cell is text: 0 for a number, 1 for anything else
  text,      // any text, to be kept: it is appended to the `texts` of the request, and the cell is its index there
};

class Categories;  // the texts of a column and their numbers (data/categories.h)

/// A column that a caller wants, and what its cells may hold.
struct ColumnRequest {
  std::string name;  // as `columns` spells it
  CellKind kind = CellKind::number;
  Range range = finite;       // of numbers
  bool may_be_empty = false;  // a missing value becomes NaN: an empty cell, null in JSON, or a marker (is_missing)
  std::shared_ptr<Categories> categories = {};           // of CellKind::category; requests may share them
  char decimal = '.';                                    // the decimal mark; the reader sets it
  std::shared_ptr<std::vector<std::string>> texts = {};  // of CellKind::text; whoever reads clears it between blocks
};

/// What happens to rows in which something is wrong: they end the reading with InvalidArgument, or are left out and
/// counted. A file that is not of its format at all is rejected either way.
enum class BadRows : std::uint8_t { reject, skip };

struct TableOptions {
  BadRows bad_rows = BadRows::reject;

  /// The decimal mark of numbers in CSV: a point, or a comma, which then does not separate cells.
  char decimal = '.';

  /// Memory, in bytes, for rows that have to be sorted because those of an episode are not together; the rest of them
  /// waits in a temporary file.
  std::size_t sort_memory = std::size_t{256} << 20U;

  /// Called now and then while the reader waits for a stream; reading ends when it returns true.
  std::function<bool()> interrupted = [] { return false; };
};

/// Rows of the selected columns; NaN where a cell was empty.
struct TableBlock {
  std::size_t columns = 0;
  std::size_t rows = 0;
  std::vector<double> cells;       // rows x columns
  std::vector<std::uint64_t> row;  // its number in the file, from 1; the header does not count, skipped rows do

  /// The cells of the i-th row of the block, in the order of `select`.
  const double* operator[](std::size_t i) const { return cells.data() + i * columns; }

  void clear(std::size_t new_columns) {
    columns = new_columns;
    rows = 0;
    cells.clear();
    row.clear();
  }
};

/// One file or stream. Vectors in a row are columns `name.0`, `name.1`, ...; nested data has the names of both levels
/// with a slash between them: `observations/goal.0`.
class TableReader {
 public:
  virtual ~TableReader() = default;

  /// Its name in messages: the path, or "standard input".
  virtual const std::string& name() const = 0;

  /// All columns, in order.
  virtual const std::vector<std::string>& columns() const = 0;

  /// Selects the columns that `read` returns, and their order; called once, before the first `read`. Throws
  /// InvalidArgument naming the file and the nearest column when one is missing.
  virtual void select(std::vector<ColumnRequest> requests) = 0;

  /// For each of these columns, whether it holds text: in more than a tenth of the first `rows` rows that have a cell
  /// there at all. A stream waits for these rows; of a file it looks at those that are at hand. They remain to be read,
  /// and columns remain to be selected. Columns of binary formats hold numbers.
  virtual std::vector<bool> hold_text(const std::vector<std::string>& names, std::size_t /*rows*/) {
    std::vector<bool> none(names.size(), false);
    return none;
  }

  /// Replaces `block` by the next rows, at most `rows` of them; false when there are none left. A stream does not wait
  /// for a full block: it returns the rows that have arrived, or true and no rows when nothing has arrived for some
  /// tenths of a second. Throws InvalidArgument when the data is wrong, IoError when the file cannot be read.
  virtual bool read(TableBlock& block, std::size_t rows) = 0;

  /// How much has been read, from 0 to 1; nothing when the end is not known.
  virtual std::optional<double> fraction() const = 0;

  /// Rows left out so far because something was wrong with them, and what was wrong with the first.
  virtual std::uint64_t skipped() const { return 0; }
  virtual std::string first_skipped() const { return {}; }

  /// Whether rows were left out between two rows that came one after the other, given by their numbers.
  virtual bool rows_missing(std::uint64_t before, std::uint64_t after) const { return after != before + 1; }
};

/// The names of columns for messages: the first twenty, and how many more there are.
std::string listed(const std::vector<std::string>& columns);

/// Throws InvalidArgument "log.csv: there is no column 'rewrd'; did you mean 'reward'? (columns: ...)".
[[noreturn]] void reject_column(std::string_view file, std::string_view column,
                                const std::vector<std::string>& columns);

/// "log.csv: row 17, column 'reward'", the location of a cell in messages.
std::string location(std::string_view file, std::uint64_t row, std::string_view column);

/// Opens the table in a file. The ending of its name, apart from .gz, tells the format: .csv, .tsv, .jsonl or .ndjson,
/// .npy, .npz, .hdf5 or .h5, .parquet, .feather, .arrow or .ipc; a folder is a Minari dataset. Any other file, and
/// standard input, "-", is text whose first line tells whether it is CSV, TSV, JSON lines or an array of JSON objects.
/// Text is UTF-8, or UTF-16 with a mark. Throws IoError when the file cannot be read and InvalidArgument when it is
/// empty or not of its format.
std::unique_ptr<TableReader> open_table(const std::string& path, const TableOptions& options = {});

}  // namespace bellwether
