#include <bellwether/data/text/text_reader.h>

#include <utility>

#include <fmt/format.h>

#include <bellwether/data/cells.h>

namespace bellwether {

TextReader::TextReader(Lines lines, const TableOptions& options)
    : lines_(std::move(lines)), skipped_(options.bad_rows) {
  if (lines_.first().empty()) throw InvalidArgument(fmt::format("{}: is empty", lines_.name()));
}

void TextReader::select(std::vector<ColumnRequest> requests) {
  column_of_ = column_indices(requests, name(), columns_);
  requests_ = std::move(requests);
  prepare();
}

bool TextReader::read(TableBlock& block, std::size_t rows) {
  block.clear(requests_.size());
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
