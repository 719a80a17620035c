#include "terminal/csv.h"

#include <charconv>

#include <bellwether/core/error.h>
#include <bellwether/core/support/text.h>
#include <bellwether/data/file_ending.h>

namespace bellwether::cli {

bool is_formula(std::string_view text) {
  if (text.empty() || std::string_view("=+-@\t\r").find(text[0]) == std::string_view::npos) return false;
  if (text[0] == '+') text.remove_prefix(1);  // which from_chars does not accept
  double ignored = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ignored);
  return error == std::errc::invalid_argument || end != text.data() + text.size();
}

bool is_json_lines(std::string_view verb, std::string_view path) {
  const FileEnding ending = file_ending(path);
  const bool json_lines = ending == FileEnding::json_lines && !lower_case(path).ends_with(".json");
  const bool rows = json_lines || ending == FileEnding::csv || ending == FileEnding::unknown;
  if (!rows || lower_case(path).ends_with(".gz")) {
    throw InvalidArgument(fmt::format("{}: {} writes .csv and .jsonl", path, verb));
  }
  return json_lines;
}

}  // namespace bellwether::cli
