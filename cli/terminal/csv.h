#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

/// Cells of comma-separated values (RFC 4180). A value that is not known is an empty cell.
namespace bellwether::cli {

/// True for a text that spreadsheets would take for a formula: it begins with = + - @, a tab or a carriage return, and
/// is not a number.
bool is_formula(std::string_view text);

/// The text, in quotes if it needs them. A formula becomes text by an apostrophe before it: '=1+1.
inline std::string csv_cell(std::string_view text) {
  if (is_formula(text)) return csv_cell("'" + std::string(text));
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

inline std::string csv_cell(bool value) { return value ? "true" : "false"; }
std::string csv_cell(std::integral auto value) { return fmt::format("{}", value); }

/// The fewest digits that read back as the same number.
inline std::string csv_cell(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

inline std::string csv_cell(const std::string& text) { return csv_cell(std::string_view(text)); }
inline std::string csv_cell(const char* text) { return csv_cell(std::string_view(text)); }

template <class T>
std::string csv_cell(const std::optional<T>& value) {
  return value ? csv_cell(*value) : "";
}

/// Cells with commas between them.
template <class... T>
std::string csv_row(const T&... values) {
  return fmt::format("{}", fmt::join(std::array{csv_cell(values)...}, ","));
}

/// Whether a file of rows holds JSON lines, by the ending of its name; otherwise it holds CSV. Throws InvalidArgument
/// for the ending of a format that `verb` does not write.
bool is_json_lines(std::string_view verb, std::string_view path);

}  // namespace bellwether::cli
