#include <bellwether/data/text/text_table.h>

#include <fmt/format.h>

#include <bellwether/data/file_ending.h>
#include <bellwether/data/text/csv_reader.h>
#include <bellwether/data/text/json_lines_reader.h>

namespace bellwether {

std::unique_ptr<TableReader> open_text_table(Lines lines, const TableOptions& options) {
  const FileEnding ending = file_ending(lines.path());
  const bool may_be_json = ending == FileEnding::json_lines || ending == FileEnding::unknown;
  const bool array = may_be_json && lines.first_character() == '[';
  if (array) lines.split_array();
  const std::string_view first = lines.first();
  if (first.find('\0') != std::string_view::npos) {
    if (first.starts_with("SQLite format 3")) {
      throw InvalidArgument(fmt::format("{}: is a database, as files of results are, and not a log", lines.name()));
    }
    throw InvalidArgument(
        fmt::format("{}: is not text (known formats: {}; text also with .gz)", lines.name(), known_endings()));
  }
  if (array || ending == FileEnding::json_lines || (ending == FileEnding::unknown && first.starts_with('{'))) {
    return std::make_unique<JsonLinesReader>(std::move(lines), options);
  }
  return std::make_unique<CsvReader>(std::move(lines), options, ending == FileEnding::csv ? ",;\t" : "\t,;");
}

}  // namespace bellwether
