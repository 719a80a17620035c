#include <bellwether/data/text/csv_reader.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <bellwether/data/bytes/text_filter.h>
#include <bellwether/data/cells.h>

namespace bellwether {

namespace {

/// Whether a header holds data instead of names: nothing but numbers, some of them equal or not whole. Whole numbers
/// that differ may be names, as some programs number columns.
bool is_data(const std::vector<std::string>& header, char decimal) {
  const auto number = [&](const std::string& name) { return is_number(name, decimal); };
  const auto whole = [](const std::string& name) { return name.find_first_not_of("0123456789") == std::string::npos; };
  return std::all_of(header.begin(), header.end(), number) &&
         (!std::all_of(header.begin(), header.end(), whole) ||
          std::set<std::string_view>(header.begin(), header.end()).size() < header.size());
}

}  // namespace

CsvReader::CsvReader(Lines lines, const TableOptions& options, std::string_view separators)
    : TextReader(std::move(lines), options) {
  std::string header;  // without what is in quotes
  bool in_quotes = false;
  for (const char c : lines_.first()) {
    if (c == '"') in_quotes = !in_quotes;
    else if (!in_quotes) header += c;
  }
  const auto in_header = [&](char c) { return header.find(c) != std::string::npos; };
  decimal_ = options.decimal;
  const auto separates = [&](char c) { return c != decimal_ && in_header(c); };
  const auto* const separator = std::find_if(separators.begin(), separators.end(), separates);
  if (separator != separators.end()) separator_ = *separator;
  else if (decimal_ == ',') separator_ = ';';
  read_header();
  select({});
}

void CsvReader::read_header() {
  const char* next = nullptr;
  while ((next = split(lines_.text().data(), lines_.text().data() + lines_.text().size())) == nullptr) {
    if (lines_.more() == Lines::More::end) {
      throw InvalidArgument(fmt::format("{}: the header: a quote is not closed", name()));
    }
  }
  if (!wrong_.empty()) throw InvalidArgument(fmt::format("{}: the header: {}", name(), wrong_));
  for (const RawCell& cell : cells_) columns_.push_back(as_utf8(trimmed(text_of(cell))));
  if (is_data(columns_, decimal_)) {
    throw InvalidArgument(
        fmt::format("{}: the first line holds numbers, but should hold the names of the columns", name()));
  }
  reject_repeated_columns(name(), columns_);
  lines_.drop(next);
}

void CsvReader::prepare() {
  for (ColumnRequest& request : requests_) request.decimal = decimal_;
  std::vector<std::vector<Task>> of_column(columns_.size());
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    std::vector<Task>& tasks = of_column[column_of_[i]];
    if (!tasks.empty()) tasks.back().again = true;
    tasks.push_back({true, false, requests_[i].kind, requests_[i].may_be_empty, requests_[i].range, i,
                     requests_[i].categories.get()});
  }
  tasks_.clear();
  for (auto& tasks : of_column) {
    if (tasks.empty()) tasks.emplace_back();
    tasks_.insert(tasks_.end(), tasks.begin(), tasks.end());
  }
}

TextReader::Parsed CsvReader::parse_row(const char* p, const char* end, double* to) {
  if (*p == '\n') return {p + 1};
  if (*p == '\r' && p[1] == '\n') return {p + 2};
  if (const char* const next = quick_row(p, end, to); next != nullptr) {
    ++row_;
    return {next, true};
  }
  const char* const next = split(p, end);
  if (next == nullptr) return {};
  ++row_;
  return {next, skipped_.accept([&] { convert(to); })};
}

/// Parses the row at p and returns the next; null for anything out of the ordinary.
const char* CsvReader::quick_row(const char* p, const char* end, double* to) const {
  for (const Task& task : tasks_) {
    const char* const cell = p;
    while (*p == ' ') ++p;
    p = quick_cell(task, p, end, to);
    if (p == nullptr) return nullptr;
    if (task.again) {
      p = cell;
    } else if (&task != &tasks_.back()) {
      if (*p++ != separator_) return nullptr;
    }
  }
  if (*p == '\r') ++p;
  return *p == '\n' ? p + 1 : nullptr;
}

const char* CsvReader::quick_cell(const Task& task, const char* p, const char* end, double* to) const {
  if (task.wanted && (task.kind == CellKind::number || task.kind == CellKind::moment)) {
    double value = 0;
    const auto [stop, error] =
        decimal_ == '.' ? fast_float::from_chars(p, end, value)
                        : fast_float::from_chars_advanced(
                              p, end, value, fast_float::parse_options(fast_float::chars_format::general, decimal_));
    if (error == std::errc() && std::isfinite(value) && task.range.contains(value)) {
      to[task.to] = value;
      return stop;
    }
    if (!task.may_be_empty || (*p != separator_ && *p != '\n' && *p != '\r')) return nullptr;
    to[task.to] = std::numeric_limits<double>::quiet_NaN();
    return p;
  }
  if (*p == '"') return nullptr;
  const char* const stop = cell_end(p);
  if (!task.wanted) return stop;
  std::string_view text(p, static_cast<std::size_t>(stop - p));
  if (*stop == '\n' && text.ends_with('\r')) text.remove_suffix(1);
  text = trimmed(text);
  double& value = to[task.to];
  if (task.kind == CellKind::flag && !text.empty() && (text[0] == '0' || text[0] == '1')) {
    value = flag_number(text);
    return std::isnan(value) ? nullptr : stop;
  }
  const bool missing = is_missing(text, task.kind);
  if (missing) value = std::numeric_limits<double>::quiet_NaN();
  else if (task.kind == CellKind::text) value = kept_text(text, requests_[task.to]);
  else value = text_number(text, task.kind, task.categories, decimal_);
  return std::isnan(value) && !(missing && task.may_be_empty) ? nullptr : stop;
}

/// The next separator or newline, eight bytes at a time: (v - 1) & ~v has its high bit where a byte v is zero.
const char* CsvReader::cell_end(const char* p) const {
  constexpr std::uint64_t ones = 0x0101010101010101U, high = 0x8080808080808080U;
  static_assert(std::endian::native == std::endian::little && Lines::padding >= 8);
  for (const std::uint64_t separators = ones * static_cast<unsigned char>(separator_);; p += 8) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, p, 8);
    const std::uint64_t a = bytes ^ separators, b = bytes ^ (ones * '\n');
    const std::uint64_t found = (((a - ones) & ~a) | ((b - ones) & ~b)) & high;
    if (found != 0) return p + std::countr_zero(found) / 8;
  }
}

/// Splits the row at p into `cells_` and returns the next row; null when a quoted cell continues beyond the text at
/// hand.
const char* CsvReader::split(const char* p, const char* end) {
  cells_.clear();
  wrong_.clear();
  for (;;) {
    if (*p == '"') {
      const char* const begin = ++p;
      for (;; p += 2) {
        p = static_cast<const char*>(std::memchr(p, '"', static_cast<std::size_t>(end - p)));
        if (p == nullptr) return nullptr;
        if (p[1] != '"') break;
      }
      cells_.push_back({{begin, p}, true});
      ++p;
      if (*p == '\r' && p[1] == '\n') ++p;
      if (*p != separator_ && *p != '\n') {
        wrong_ = "there is text after a closing quote";
        p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
      }
    } else {
      const char* const stop = cell_end(p);
      std::string_view text(p, static_cast<std::size_t>(stop - p));
      if (*stop == '\n' && text.ends_with('\r')) text.remove_suffix(1);
      cells_.push_back({text, false});
      p = stop;
    }
    if (*p++ == '\n') return p;
  }
}

/// Parses the selected cells of the row that was split.
void CsvReader::convert(double* to) {
  if (!wrong_.empty()) throw InvalidArgument(fmt::format("{}: row {}: {}", name(), row_, wrong_));
  if (cells_.size() != columns_.size()) {
    throw InvalidArgument(fmt::format("{}: row {} has {} cell{}, the header {}", name(), row_, cells_.size(),
                                      cells_.size() == 1 ? "" : "s", columns_.size()));
  }
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    to[i] = parse_cell(text_of(cells_[column_of_[i]]), requests_[i], name(), row_);
  }
}

std::string_view CsvReader::text_of(const RawCell& cell) {
  if (!cell.quoted || cell.text.find('"') == std::string_view::npos) return cell.text;
  unquoted_.clear();
  for (std::size_t i = 0; i < cell.text.size(); ++i) {
    unquoted_ += cell.text[i];
    if (cell.text[i] == '"') ++i;
  }
  return unquoted_;
}

}  // namespace bellwether
