#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <bellwether/data/bytes/lines.h>
#include <bellwether/data/late_failure.h>
#include <bellwether/data/skipped_rows.h>
#include <bellwether/data/table.h>

namespace bellwether {

/// The part that all readers of text tables share: the selected columns, the loop over rows and the count of skipped
/// rows. A format finds the columns in its constructor and parses one row at a time.
class TextReader : public TableReader {
 public:
  const std::string& name() const final { return lines_.name(); }
  const std::vector<std::string>& columns() const final { return columns_; }
  void select(std::vector<ColumnRequest> requests) final;
  std::vector<bool> hold_text(const std::vector<std::string>& names, std::size_t rows) final;
  bool read(TableBlock& block, std::size_t rows) final;
  std::optional<double> fraction() const final { return lines_.fraction(); }
  std::uint64_t skipped() const final { return skipped_.count(); }
  std::string first_skipped() const final { return skipped_.first(); }

 protected:
  /// Waits for the first line. Throws InvalidArgument when the text is empty.
  TextReader(Lines lines, const TableOptions& options);

  struct Parsed {
    const char* next = nullptr;  // where the next row begins; null when the row continues beyond the text at hand
    bool good = false;           // the cells have been written; false for a blank line and for a bad row
  };

  /// Parses the row at p, which counts in `row_` unless it is blank or continues beyond `end`, and writes a cell for
  /// each request. The text at hand ends with a newline.
  virtual Parsed parse_row(const char* p, const char* end, double* to) = 0;

  /// Called after columns have been selected.
  virtual void prepare() = 0;

  Lines lines_;
  SkippedRows skipped_;
  std::vector<std::string> columns_;
  std::vector<ColumnRequest> requests_;
  std::vector<std::size_t> column_of_;  // the column of each request
  std::uint64_t row_ = 0;               // rows read so far

 private:
  bool read_rows(TableBlock& block, std::size_t rows);
  void wait_for_lines(std::size_t count);
  void give_up_row();

  LateFailure failure_;  // of streams
};

}  // namespace bellwether
