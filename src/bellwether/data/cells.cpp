#include <bellwether/data/cells.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <bellwether/core/support/text.h>
#include <bellwether/data/categories.h>

namespace bellwether {

namespace {

/// The text as messages show it.
std::string shown(std::string_view text) {
  constexpr std::size_t most = 40;
  return fmt::format("'{}{}'", in_one_line(text.substr(0, most)), text.size() > most ? "..." : "");
}

/// Whether the text is one of these words, apart from capital letters. The words are in small letters.
bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return word.size() == text.size() && std::equal(text.begin(), text.end(), word.begin(), same);
  });
}

/// The number that a text without spaces around it is. Numbers have no marks for thousands.
std::optional<double> parsed_number(std::string_view text, char decimal) {
  const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  double value = 0;
  const auto [end, error] =
      fast_float::from_chars_advanced(digits.data(), digits.data() + digits.size(), value,
                                      fast_float::parse_options(fast_float::chars_format::general, decimal));
  const bool whole = end == digits.data() + digits.size() && !(text.starts_with('+') && digits.starts_with('-'));
  if (!whole || error == std::errc::invalid_argument) return std::nullopt;
  return value;
}

[[noreturn]] void reject(std::string_view text, std::string_view what, const ColumnRequest& request,
                         std::string_view file, std::uint64_t row) {
  throw InvalidArgument(fmt::format("{}: {} {}", location(file, row, request.name), shown(text), what));
}

}  // namespace

std::string CellCheck::objection(const std::string& where, double value) const {
  if (!std::isfinite(value)) return fmt::format("{}: '{}' is not finite", where, value);
  if (flag_) return fmt::format("{}: '{}' is neither 0 nor 1", where, value);
  return fmt::format("{} = {} is outside {}", where, value, range_.text());
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

double label_number(std::string_view text) {
  // FNV-1a with the finaliser of MurmurHash3; without it the high bits of short texts are hardly mixed.
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  hash = (hash ^ (hash >> 33U)) * 0xff51afd7ed558ccdU;
  hash = (hash ^ (hash >> 33U)) * 0xc4ceb9fe1a85ec53U;
  hash ^= hash >> 33U;
  return static_cast<double>(hash >> 11U);
}

double moment_number(std::string_view text) {
  std::size_t at = 0;
  bool right = true;
  const auto digits = [&](std::size_t count) {
    double value = 0;
    for (std::size_t i = 0; i < count && right; ++i) {
      right = at < text.size() && text[at] >= '0' && text[at] <= '9';
      if (right) value = 10 * value + (text[at++] - '0');
    }
    return value;
  };
  const auto take = [&](std::string_view any) {
    const bool found = at < text.size() && any.find(text[at]) != std::string_view::npos;
    if (found) ++at;
    return found;
  };
  const auto year = static_cast<int>(digits(4));
  right = take("-") && right;
  const auto month = static_cast<unsigned>(digits(2));
  right = take("-") && right;
  const auto day = static_cast<unsigned>(digits(2));
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
  if (!right || !date.ok()) return std::numeric_limits<double>::quiet_NaN();
  double seconds = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()) * 86400;
  if (take("T ")) {
    seconds += 3600 * digits(2);
    right = take(":") && right;
    seconds += 60 * digits(2);
    if (take(":")) seconds += digits(2);
    if (take(".,")) {
      for (double place = 0.1; right && at < text.size() && text[at] >= '0' && text[at] <= '9'; place /= 10) {
        seconds += place * digits(1);
      }
    }
    if (const bool east = text.substr(at).starts_with('+'); take("+-")) {
      double offset = 3600 * digits(2);
      take(":");
      if (at < text.size()) offset += 60 * digits(2);
      seconds -= east ? offset : -offset;
    } else {
      take("Z");
    }
  }
  return right && at == text.size() ? seconds : std::numeric_limits<double>::quiet_NaN();
}

std::string moment_text(double seconds) {
  constexpr double day = 86400;
  constexpr double earliest = -62167219200, end = 253402300800;  // of the years 0000 to 9999
  if (!(seconds >= earliest && seconds < end)) return fmt::format("{}", seconds);
  const auto days = static_cast<int>(std::floor(seconds / day));
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(days))};
  const auto micros = std::min(std::llround((seconds - days * day) * 1e6), 86399'999'999LL);  // of this day
  const long long rest = micros / 1'000'000;
  std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}", int{date.year()}, unsigned{date.month()},
                                 unsigned{date.day()}, rest / 3600, rest / 60 % 60, rest % 60, micros % 1'000'000);
  text.resize(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

double flag_number(std::string_view text) {
  if (text == "0" || text == "0.0") return 0;
  if (text == "1" || text == "1.0") return 1;
  if (is_one_of(text, {"false", "f", "no", "n"})) return 0;
  if (is_one_of(text, {"true", "t", "yes", "y"})) return 1;
  return std::numeric_limits<double>::quiet_NaN();
}

bool is_missing(std::string_view text, CellKind kind) {
  constexpr std::size_t longest = 5;
  if (text.empty()) return true;
  const bool digit = text.front() >= '0' && text.front() <= '9';
  if (digit || text.size() > longest || kind == CellKind::label || kind == CellKind::text) return false;
  if (is_one_of(text, {"na", "n/a", "#n/a", "#na", "nan", "-nan", "null", "nil", "<na>", "?", "-"})) return true;
  return kind != CellKind::category && kind != CellKind::form && is_one_of(text, {"none"});
}

bool is_number(std::string_view text, char decimal) { return parsed_number(text, decimal).has_value(); }

double text_number(std::string_view text, CellKind kind, Categories* categories, char decimal) {
  switch (kind) {
    case CellKind::flag: return flag_number(text);
    case CellKind::category: return categories->number(text);
    case CellKind::form: return is_number(text, decimal) ? 0 : 1;
    default: return label_number(text);
  }
}

double kept_text(std::string_view text, const ColumnRequest& request) {
  request.texts->emplace_back(text);
  return static_cast<double>(request.texts->size() - 1);
}

double parse_cell(std::string_view text, const ColumnRequest& request, std::string_view file, std::uint64_t row) {
  text = trimmed(text);
  if (is_missing(text, request.kind)) {
    if (request.may_be_empty) return std::numeric_limits<double>::quiet_NaN();
    if (!text.empty()) reject(text, "stands for a missing value", request, file, row);
    throw InvalidArgument(fmt::format("{} is empty", location(file, row, request.name)));
  }
  if (request.kind == CellKind::flag) {
    const double flag = flag_number(text);
    if (std::isnan(flag)) reject(text, "is neither 0 nor 1", request, file, row);
    return flag;
  }
  if (request.kind == CellKind::text) return kept_text(text, request);
  const bool moment = request.kind == CellKind::moment;
  if (!moment && request.kind != CellKind::number) {
    return text_number(text, request.kind, request.categories.get(), request.decimal);
  }
  if (moment) {
    if (const double seconds = moment_number(text); !std::isnan(seconds)) return seconds;
  }
  const std::optional<double> value = parsed_number(text, request.decimal);
  if (!value) {
    const bool comma = request.decimal == '.' && is_number(text, ',');
    reject(text,
           comma    ? "is not a number, unless the comma is its decimal mark: `decimal=,`"
           : moment ? "is neither a number nor a date and time such as 2024-02-29T23:59:59"
                    : "is not a number",
           request, file, row);
  }
  return checked_number(*value, text, request, file, row);
}

double checked_number(double value, std::string_view text, const ColumnRequest& request, std::string_view file,
                      std::uint64_t row) {
  if (!std::isfinite(value)) reject(text, "is not finite", request, file, row);
  if (!request.range.contains(value)) {
    throw InvalidArgument(fmt::format("{} = {} is outside {}", location(file, row, request.name), format_number(value),
                                      request.range.text()));
  }
  return value;
}

std::vector<std::size_t> column_indices(const std::vector<ColumnRequest>& requests, std::string_view file,
                                        const std::vector<std::string>& columns) {
  std::unordered_map<std::string_view, std::size_t> known;
  for (std::size_t i = 0; i < columns.size(); ++i) known.emplace(columns[i], i);
  std::vector<std::size_t> indices;
  for (const ColumnRequest& request : requests) {
    const auto found = known.find(request.name);
    if (found == known.end()) reject_column(file, request.name, columns);
    indices.push_back(found->second);
  }
  return indices;
}

void reject_repeated_columns(std::string_view file, const std::vector<std::string>& columns) {
  std::unordered_set<std::string_view> seen;
  for (const std::string& column : columns) {
    if (column.empty() || seen.insert(column).second) continue;
    throw InvalidArgument(fmt::format("{}: there are two columns '{}'", file, column));
  }
}

}  // namespace bellwether
