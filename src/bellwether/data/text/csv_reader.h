#pragma once

#include <memory>

#include <bellwether/data/bytes/lines.h>
#include <bellwether/data/skipped_rows.h>
#include <bellwether/data/table.h>

namespace bellwether {

/// A table as text, a row a line, the cells between separators and the first row their names:
///
///     position,velocity,reward,done
///     -0.5,0.01,-1,0
///     "-0.49",0.02,-1,false
///
/// Quoted cells are those of RFC 4180: they may hold separators, newlines, and quotes if these are doubled. Lines end
/// with LF or CRLF, the last perhaps with neither; blank ones are skipped. Spaces around names and numbers are not part
/// of them.
///
/// Only what was selected is parsed, but every row must have as many cells as the first. Rows without anything special
/// take the quick way: the parser of numbers finds the end of a cell itself, and what follows must be a separator. All
/// others are split into cells first, which takes a few times longer.
class CsvReader final : public TableReader {
 public:
  /// Waits for the header and reads it. The separator is the first of `separators` that the header has, or else
  /// a comma.
  CsvReader(Lines lines, const TableOptions& options, std::string_view separators);

  const std::string& name() const override { return lines_.name(); }
  const std::vector<std::string>& columns() const override { return columns_; }
  void select(std::vector<ColumnRequest> requests) override;
  bool read(TableBlock& block, std::size_t rows) override;
  std::optional<double> fraction() const override { return lines_.fraction(); }
  std::uint64_t skipped() const override { return skipped_.count(); }
  std::string first_skipped() const override { return skipped_.first(); }

 private:
  /// What to do with a cell.
  struct Task {
    bool wanted = false;
    bool again = false;  // the next task is about the same cell
    CellKind kind = CellKind::number;
    bool may_be_empty = false;
    Range range;
    std::size_t to = 0;  // which cell of a row of the block
  };
  struct RawCell {
    std::string_view text;
    bool quoted;
  };

  void read_header();
  const char* read_row(TableBlock& block, const char* p, const char* end);
  const char* quick_row(const char* p, const char* end, double* to) const;
  const char* quick_cell(const Task& task, const char* p, const char* end, double* to) const;
  const char* cell_end(const char* p) const;
  const char* split(const char* p, const char* end);
  void convert(double* to);
  std::string_view text_of(const RawCell& cell);
  void give_up_quoted_row();

  Lines lines_;
  SkippedRows skipped_;
  char separator_ = ',';
  std::vector<std::string> columns_;
  std::vector<ColumnRequest> requests_;
  std::vector<std::size_t> places_;  // of the requests' columns
  std::vector<Task> tasks_;          // at least one for every column
  std::uint64_t row_ = 0;            // how many have been read

  std::vector<RawCell> cells_;  // of the row that was split last
  std::string wrong_;           // with how that row is written, if anything
  std::string unquoted_;
};

}  // namespace bellwether
