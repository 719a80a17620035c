#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <bellwether/data/text/text_reader.h>

namespace bellwether {

/// A table as text: a row is a line, separators stand between cells, and the first row names the columns:
///
///     position,velocity,reward,done
///     -0.5,0.01,-1,0
///     "-0.49",0.02,-1,false
///
/// Quoted cells follow RFC 4180: they may hold separators, newlines, and quotes that are doubled. Lines end with LF or
/// CRLF, and the last one may have neither; blank lines are skipped. Spaces around names and numbers are ignored.
///
/// Only selected cells are parsed, but every row must have as many cells as the header. Rows without anything special
/// take a fast path: the parser of numbers finds the end of a cell itself, and a separator must follow. All other rows
/// are first split into cells, which takes a few times longer.
class CsvReader final : public TextReader {
 public:
  /// Reads the header. The separator is the first of `separators` that occurs in the header outside of quotes, or
  /// else a comma.
  CsvReader(Lines lines, const TableOptions& options, std::string_view separators);

 private:
  /// What is done with a cell.
  struct Task {
    bool wanted = false;
    bool again = false;  // the next task parses the same cell
    CellKind kind = CellKind::number;
    bool may_be_empty = false;
    Range range;
    std::size_t to = 0;  // index of the request
    Categories* categories = nullptr;
  };
  struct RawCell {
    std::string_view text;
    bool quoted;
  };

  Parsed parse_row(const char* p, const char* end, double* to) override;
  void prepare() override;

  void read_header();
  const char* quick_row(const char* p, const char* end, double* to) const;
  const char* quick_cell(const Task& task, const char* p, const char* end, double* to) const;
  const char* cell_end(const char* p) const;
  const char* split(const char* p, const char* end);
  void convert(double* to);
  std::string_view text_of(const RawCell& cell);

  char separator_ = ',';
  char decimal_ = '.';
  std::vector<Task> tasks_;  // at least one for every column

  std::vector<RawCell> cells_;  // of the row that was split last
  std::string wrong_;           // what is wrong with the quotes of that row, if anything
  std::string unquoted_;
};

}  // namespace bellwether
