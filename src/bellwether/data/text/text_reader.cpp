#include <bellwether/data/text/text_reader.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <bellwether/data/cells.h>

namespace bellwether {

TextReader::TextReader(Lines lines, const TableOptions& options)
    : lines_(std::move(lines)), skipped_(options.bad_rows), failure_(lines_.is_stream() || lines_.path() == "-") {
  if (lines_.first().empty()) throw InvalidArgument(fmt::format("{}: is empty", lines_.name()));
}

void TextReader::select(std::vector<ColumnRequest> requests) {
  column_of_ = column_indices(requests, name(), columns_);
  requests_ = std::move(requests);
  prepare();
}

/// Waits until so many lines of a stream are at hand, or for some line of a file.
void TextReader::wait_for_lines(std::size_t count) {
  if (!lines_.is_stream()) count = 1;
  const auto at_hand = [&] {
    const std::string_view text = lines_.text();
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  };
  while (at_hand() < count && lines_.text().size() < Lines::longest / 4 && lines_.more() != Lines::More::end) {
  }
}

std::vector<bool> TextReader::hold_text(const std::vector<std::string>& names, std::size_t rows) {
  wait_for_lines(rows);
  std::vector<ColumnRequest> requests;
  for (const std::string& name : names)
    requests.push_back({.name = name, .kind = CellKind::form, .may_be_empty = true});
  select(std::move(requests));
  const std::uint64_t row = row_;
  const SkippedRows skipped = std::exchange(skipped_, SkippedRows(BadRows::skip));
  std::vector<double> cells(names.size());
  std::vector<std::size_t> filled(names.size()), texts(names.size());
  const std::string_view text = lines_.text();
  const char* const end = text.data() + text.size();
  for (const char* p = text.data(); p != nullptr && p != end && row_ < row + rows;) {
    const Parsed parsed = parse_row(p, end, cells.data());
    p = parsed.next;
    for (std::size_t i = 0; parsed.good && i < cells.size(); ++i) {
      filled[i] += std::isnan(cells[i]) ? 0 : 1;
      texts[i] += cells[i] == 1 ? 1 : 0;
    }
  }
  row_ = row;
  skipped_ = skipped;
  select({});
  std::vector<bool> hold(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) hold[i] = 10 * texts[i] > filled[i];
  return hold;
}

bool TextReader::read(TableBlock& block, std::size_t rows) {
  block.clear(requests_.size());
  const bool more = failure_.guard([&] { return read_rows(block, rows); }, [&] { return block.rows > 0; });
  block.cells.resize(block.rows * block.columns);  // without those of a bad row
  return more;
}

bool TextReader::read_rows(TableBlock& block, std::size_t rows) {
  while (block.rows < rows) {
    const std::string_view text = lines_.text();
    if (!text.empty()) {
      const std::size_t before = block.cells.size();
      block.cells.resize(before + requests_.size());
      const Parsed row = parse_row(text.data(), text.data() + text.size(), block.cells.data() + before);
      if (row.good) {
        block.row.push_back(row_);
        ++block.rows;
      } else {
        block.cells.resize(before);
      }
      if (row.next != nullptr) {
        lines_.drop(row.next);
        continue;
      }
      if (text.size() > Lines::longest / 2) {
        give_up_row();
        continue;
      }
    }
    const bool unfinished = !text.empty();
    switch (lines_.more(block.rows > 0 ? 0 : Lines::patience)) {
      case Lines::More::lines: break;
      case Lines::More::nothing_yet: return true;
      case Lines::More::end:
        if (unfinished && !lines_.interrupted()) {
          give_up_row();
          break;
        }
        if (row_ == 0 && !lines_.interrupted()) {
          throw InvalidArgument(fmt::format("{}: has a header but no rows", name()));
        }
        return block.rows > 0;
    }
  }
  return true;
}

/// A quote that is not closed makes one row of all that follows. Only the line it is on counts as bad.
void TextReader::give_up_row() {
  ++row_;
  skipped_.accept([&] { throw InvalidArgument(fmt::format("{}: row {}: a quote is not closed", name(), row_)); });
  lines_.drop(lines_.text().data() + lines_.text().find('\n') + 1);
}

}  // namespace bellwether
