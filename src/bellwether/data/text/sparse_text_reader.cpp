#include <bellwether/data/text/sparse_text_reader.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <bellwether/core/support/text.h>
#include <bellwether/data/file_ending.h>

namespace bellwether {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

const char* skip_spaces(const char* p) {
  while (is_space(*p)) ++p;
  return p;
}

/// Whether a character ends a number.
bool is_border(char c) { return is_space(c) || c == '\n' || c == '|'; }

/// The text from p to the next border.
std::string_view word(const char* p) {
  const char* stop = p;
  while (!is_border(*stop)) ++stop;
  return {p, stop};
}

/// Whether a space, a comma or the end of the line is among the next eight characters. Text has as many behind its end.
bool ends_soon(const char* p) {
  static_assert(Lines::padding >= sizeof(std::uint64_t));
  constexpr std::uint64_t ones = ~std::uint64_t{0} / 0xFF;
  std::uint64_t next = 0;
  std::memcpy(&next, p, sizeof next);
  // The high bit of each byte below '-' that has none itself, and maybe of a byte behind such a one.
  return ((next - ones * '-') & ~next & ones * 0x80) != 0;
}

/// Reads a number into `value` and returns where it ends; null when there is none. Short ones, such as -1.25, are read
/// digit by digit: the quotient of two whole numbers below 2^53, the digits and a power of ten, is the nearest double.
/// fast_float reads the others.
const char* read_number(const char* p, const char* end, double& value) {
  static constexpr std::array<double, 8> tens{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
  if (ends_soon(p)) {
    const char* q = p + (*p == '-' ? 1 : 0);
    const char* const digits = q;
    std::uint64_t number = 0;
    const auto read_digits = [&] {
      for (; *q >= '0' && *q <= '9'; ++q) number = 10 * number + static_cast<unsigned>(*q - '0');
      return q;
    };
    const char* const point = read_digits();
    const char* const decimals = *point == '.' ? point + 1 : point;
    q = decimals;
    read_digits();
    if (point > digits && (*q == ' ' || *q == '\n' || *q == ',')) {
      const double size = static_cast<double>(number) / tens[static_cast<std::size_t>(q - decimals)];
      value = *p == '-' ? -size : size;
      return q;
    }
  }
  const auto [stop, error] = fast_float::from_chars(p, end, value);
  return error == std::errc::invalid_argument ? nullptr : stop;
}

/// A number of any length, or the largest dimension if it is larger.
std::uint64_t clamped_index(std::string_view digits) {
  std::uint64_t index = 0;
  for (const char c : digits) {
    index = std::min<std::uint64_t>(10 * index + static_cast<unsigned>(c - '0'), SparseTextReader::largest_dim);
  }
  return index;
}

/// The first line that is neither blank nor a comment, without dropping it; empty when there is none.
std::string_view first_step(Lines& lines) {
  do {
    for (std::string_view text = lines.text(); !text.empty(); text.remove_prefix(text.find('\n') + 1)) {
      const char first = *skip_spaces(text.data());
      if (first != '\n' && first != '#') return text.substr(0, text.find('\n'));
    }
  } while (lines.more() != Lines::More::end);
  return {};
}

std::size_t largest_index(const StepBlock& block) {
  std::size_t largest = 0;
  for (const RowBuffer* rows : {&block.x, &block.x_next}) {
    const FeatureRows view = rows->view();
    for (std::size_t i = 0; i < view.offsets[view.rows]; ++i) largest = std::max<std::size_t>(largest, view.indices[i]);
  }
  return largest;
}

}  // namespace

SparseTextReader::SparseTextReader(Lines lines, const TableOptions& options, std::size_t dim)
    : lines_(std::move(lines)),
      skipped_(options.bad_rows),
      failure_(lines_.is_stream() || lines_.path() == "-"),
      dim_(dim) {
  if (dim == 0 || dim > largest_dim) {
    throw InvalidArgument(fmt::format("{}: dim = {} is outside [1, {}]", name(), dim, largest_dim));
  }
  const std::string_view first = first_step(lines_);
  if (first.empty()) throw InvalidArgument(fmt::format("{}: is empty", name()));
  const std::string_view rewards = word(skip_spaces(first.data()));
  targets_ = 1 + static_cast<std::size_t>(std::count(rewards.begin(), rewards.end(), ','));
}

bool SparseTextReader::read(StepBlock& block, std::size_t steps) {
  block.clear(Layout::sparse, dim_, targets_);
  return failure_.guard([&] { return read_steps(block, steps); }, [&] { return block.size() > 0; });
}

bool SparseTextReader::read_steps(StepBlock& block, std::size_t steps) {
  while (block.size() < steps) {
    const std::string_view text = lines_.text();
    if (!text.empty()) {
      lines_.drop(read_line(block, text.data(), text.data() + text.size()));
      continue;
    }
    const Lines::More more = lines_.more(block.size() > 0 ? 0 : Lines::patience);
    if (more == Lines::More::nothing_yet) return true;
    if (more == Lines::More::end) return block.size() > 0;
  }
  return true;
}

/// Reads a line into the block and returns where the next one begins.
const char* SparseTextReader::read_line(StepBlock& block, const char* line, const char* end) {
  const char* const next = static_cast<const char*>(std::memchr(line, '\n', static_cast<std::size_t>(end - line))) + 1;
  const char* const p = skip_spaces(line);
  if (*p == '\n' || *p == '#') return next;
  ++row_;
  if (!skipped_.accept([&] { read_step(p, next); })) return next;
  if (has_rho_ && block.rho.empty()) block.rho.assign(block.size(), 1.0);
  if (has_rho_ || !block.rho.empty()) block.rho.push_back(rho_);
  for (std::size_t i = 0; i < targets_; ++i) block.rewards[i].push_back(rewards_[i]);
  block.discount.push_back(discount_);
  block.x.append(x_.view());
  block.x_next.append(x_next_.view());
  return next;
}

void SparseTextReader::read_step(const char* p, const char* end) {
  rewards_.clear();
  rewards_.push_back(number(p, end, "the reward", finite));
  while (*p == ',') rewards_.push_back(number(++p, end, "a reward", finite));
  if (rewards_.size() != targets_) {
    fail(fmt::format("there {} {} reward{}, on the first row {}", rewards_.size() == 1 ? "is" : "are", rewards_.size(),
                     rewards_.size() == 1 ? "" : "s", targets_));
  }
  discount_ = number(p, end, "the discount", unit);
  p = skip_spaces(p);
  has_rho_ = *p != '|' && *p != '\n';
  rho_ = has_rho_ ? number(p, end, "rho", non_negative) : 1;
  p = skip_spaces(p);
  if (*p != '|') fail(*p == '\n' ? "'|' and features are missing" : "'|' is missing before the features");
  features(++p, end, x_);
  x_next_.size = 0;
  if (*p == '|') features(++p, end, x_next_);
  else if (discount_ > 0) fail("'|' and the features of what follows are missing");
  if (*p == '|') fail("there are more than two lists of features");
}

/// Reads a number that ends at a border or a comma.
double SparseTextReader::number(const char*& p, const char* end, std::string_view what, Range range) const {
  p = skip_spaces(p);
  double value = 0;
  const char* const stop = read_number(p, end, value);
  if (stop == nullptr || (!is_border(*stop) && *stop != ',')) {
    const std::string_view text = word(p);
    fail(text.empty() ? fmt::format("{} is missing", what) : fmt::format("{}: '{}' is not a number", what, text));
  }
  if (!std::isfinite(value)) fail(fmt::format("{} is not finite", what));
  if (!range.contains(value)) fail(fmt::format("{} = {} is outside {}", what, format_number(value), range.text()));
  p = stop;
  return value;
}

/// Reads the entries up to a bar or the end of the line.
void SparseTextReader::features(const char*& p, const char* end, Row& row) {
  // An entry is a digit and a space at least.
  const std::size_t most = static_cast<std::size_t>(end - p) / 2 + 1;
  if (row.indices.size() < most) {
    row.indices.resize(most);
    row.values.resize(most);
  }
  row.size = 0;
  bool rising = true;
  std::uint64_t least = 0;  // of an index above those before it
  for (p = skip_spaces(p); *p != '|' && *p != '\n'; p = skip_spaces(p)) {
    const char* const entry = p;
    std::uint64_t index = 0;
    for (; *p >= '0' && *p <= '9'; ++p) index = 10 * index + static_cast<unsigned>(*p - '0');
    if (p - entry > std::numeric_limits<std::uint64_t>::digits10) index = clamped_index({entry, p});
    double value = 1;
    const bool has_index = p != entry;
    if (has_index && *p == ':') {
      if (const char* const stop = read_number(p + 1, end, value)) p = stop;
    }
    if (index >= dim_) fail(fmt::format("index {} is not below {}", std::string_view(entry, p), dim_));
    if (!has_index || !is_border(*p)) fail(fmt::format("'{}' is not index:value", word(entry)));
    if (!std::isfinite(value)) fail(fmt::format("'{}' is not finite", word(entry)));
    rising = rising && index >= least;
    least = index + 1;
    row.indices[row.size] = static_cast<std::uint32_t>(index);
    row.values[row.size] = value;
    ++row.size;
  }
  if (!rising) reject_repeated(row);
}

void SparseTextReader::reject_repeated(const Row& row) {
  sorted_.assign(row.indices.begin(), row.indices.begin() + static_cast<std::ptrdiff_t>(row.size));
  std::sort(sorted_.begin(), sorted_.end());
  const auto twice = std::adjacent_find(sorted_.begin(), sorted_.end());
  if (twice != sorted_.end()) fail(fmt::format("index {} occurs twice", *twice));
}

void SparseTextReader::fail(std::string_view what) const {
  throw InvalidArgument(fmt::format("{}: row {}: {}", name(), row_, in_one_line(what)));
}

bool is_sparse_text(const std::string& path) {
  const FileEnding ending = file_ending(path);
  if (ending != FileEnding::unknown) return ending == FileEnding::sparse;
  std::error_code no_matter;
  if (path == "-" || std::filesystem::is_directory(path, no_matter)) return false;
  Lines lines(path, {});
  return !lines.is_stream() && is_sparse_text(lines);
}

bool is_sparse_text(Lines& lines) { return first_step(lines).find(" | ") != std::string_view::npos; }

std::unique_ptr<SparseTextReader> open_sparse(const std::string& path, const TableOptions& options,
                                              std::optional<std::size_t> dim) {
  return open_sparse(Lines(path, options), options, dim);
}

std::unique_ptr<SparseTextReader> open_sparse(Lines lines, const TableOptions& options,
                                              std::optional<std::size_t> dim) {
  if (!dim) {
    if (lines.is_stream() || lines.path() == "-") {
      throw InvalidArgument(fmt::format(
          "{}: dim must be given: a stream cannot be read twice to find the number of features", lines.name()));
    }
    SparseTextReader first_pass(Lines(lines.path(), options), options, SparseTextReader::largest_dim);
    StepBlock block;
    dim = 1;
    while (first_pass.read(block, 4096)) dim = std::max(*dim, largest_index(block) + 1);
  }
  return std::make_unique<SparseTextReader>(std::move(lines), options, *dim);
}

}  // namespace bellwether
