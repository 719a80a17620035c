#include <bellwether/data/text/json_lines_reader.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <bellwether/data/bytes/text_filter.h>
#include <bellwether/data/cells.h>

namespace bellwether {

JsonLinesReader::JsonLinesReader(Lines lines, const TableOptions& options) : TextReader(std::move(lines), options) {
  const std::string_view text = lines_.text();
  JsonScanner scan(text.data(), text.data() + text.size(), name(), 1);
  if (scan.next() != '{') scan.fail("a line must be an object in braces");
  root_ = shape_of(scan, "", "", 0);
  scan.finish();
  reject_repeated_columns(name(), columns_);
}

JsonLinesReader::Shape JsonLinesReader::shape_of(JsonScanner& scan, const std::string& name, const std::string& key,
                                                 int depth) {
  if (depth > JsonScanner::deepest) scan.fail("values are nested too deeply");
  Shape shape;
  shape.name = name;
  if (scan.take('{')) {
    shape.kind = Kind::object;
    if (scan.take('}')) return shape;
    do {
      scan.next();
      const char* const begin = scan.position();
      shape.plain.emplace_back(scan.string(decoded_));
      shape.keys.emplace_back(begin, scan.position());
      scan.expect(':');
      const std::string label = as_utf8(shape.plain.back());  // of the column; keys are compared as they are written
      const std::string inner = depth == 0 ? label : name + "/" + label;
      shape.parts.push_back(shape_of(scan, inner, inner, depth + 1));
    } while (scan.take(','));
    scan.expect('}');
    shape.by_key.resize(shape.plain.size());
    std::iota(shape.by_key.begin(), shape.by_key.end(), 0U);
    std::stable_sort(shape.by_key.begin(), shape.by_key.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return shape.plain[a] < shape.plain[b]; });
  } else if (scan.take('[')) {
    shape.kind = Kind::array;
    if (scan.take(']')) return shape;
    do shape.parts.push_back(shape_of(scan, fmt::format("{}.{}", name, shape.parts.size()), key, depth + 1));
    while (scan.take(','));
    scan.expect(']');
  } else {
    scan.skip();
    shape.column = columns_.size();
    columns_.push_back(name);
    keys_.push_back(key);
  }
  return shape;
}

void JsonLinesReader::prepare() {
  found_in_.assign(requests_.size(), 0);
  std::vector<std::vector<std::size_t>> requests_of(columns_.size());
  for (std::size_t i = 0; i < column_of_.size(); ++i) requests_of[column_of_[i]].push_back(i);
  mark_wanted(root_, requests_of);
}

bool JsonLinesReader::mark_wanted(Shape& shape, const std::vector<std::vector<std::size_t>>& requests_of) {
  shape.requests.clear();
  if (shape.kind == Kind::value) shape.requests = requests_of[shape.column];
  shape.wanted = !shape.requests.empty();
  for (Shape& part : shape.parts) shape.wanted |= mark_wanted(part, requests_of);
  return shape.wanted;
}

/// The first of the keys with this text; the number of keys when there is none.
std::size_t JsonLinesReader::Shape::find(std::string_view key) const {
  const auto found = std::lower_bound(by_key.begin(), by_key.end(), key,
                                      [this](std::uint32_t i, std::string_view text) { return plain[i] < text; });
  return found != by_key.end() && plain[*found] == key ? *found : plain.size();
}

TextReader::Parsed JsonLinesReader::parse_row(const char* p, const char* end, double* to) {
  JsonScanner scan(p, end, name(), row_ + 1);
  if (scan.next() == '\n') return {scan.position() + 1};
  ++row_;
  const bool good = skipped_.accept([&] {
    if (scan.next() != '{') scan.fail("a line must be an object in braces");
    found_ = 0;
    read_object(root_, scan, to);
    scan.finish();
    if (found_ < requests_.size()) fill_missing(to);
  });
  if (good) return {scan.position() + 1, true};
  return {static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p))) + 1};
}

void JsonLinesReader::read_object(const Shape& shape, JsonScanner& scan, double* to) {
  scan.expect('{');
  if (scan.take('}')) return;
  std::size_t expected = 0;  // keys tend to come in the order of the first line
  do {
    scan.next();
    std::size_t which = expected;
    if (which == shape.keys.size() || !scan.take_text(shape.keys[which])) {
      which = shape.find(scan.string(decoded_));
    }
    scan.expect(':');
    if (which == shape.keys.size()) {
      scan.skip();
      continue;
    }
    read_part(shape.parts[which], scan, to);
    expected = which + 1;
  } while (scan.take(','));
  scan.expect('}');
}

void JsonLinesReader::read_array(const Shape& shape, JsonScanner& scan, double* to) {
  scan.expect('[');
  std::size_t count = 0;
  if (!scan.take(']')) {
    do {
      if (count < shape.parts.size()) read_part(shape.parts[count], scan, to);
      else scan.skip();
      ++count;
    } while (scan.take(','));
    scan.expect(']');
  }
  if (count == shape.parts.size()) return;
  throw InvalidArgument(fmt::format("{}: mixed dimensions: row {}: '{}' has {} number{}, the first row {}", name(),
                                    row_, shape.name, count, count == 1 ? "" : "s", shape.parts.size()));
}

void JsonLinesReader::read_part(const Shape& shape, JsonScanner& scan, double* to) {
  if (!shape.wanted) {
    scan.skip();
    return;
  }
  const char first = scan.next();
  const Kind kind = first == '{' ? Kind::object : first == '[' ? Kind::array : Kind::value;
  if (kind == Kind::value && shape.kind != kind && scan.take_text("null")) return;  // as if it were missing
  if (kind != shape.kind) {
    constexpr const char* names[] = {"a value", "an array", "an object"};
    throw InvalidArgument(fmt::format("{}: row {}: '{}' is {}, in the first row {}", name(), row_, shape.name,
                                      names[static_cast<int>(kind)], names[static_cast<int>(shape.kind)]));
  }
  switch (kind) {
    case Kind::object: return read_object(shape, scan, to);
    case Kind::array: return read_array(shape, scan, to);
    default: return read_value(shape, scan, to);
  }
}

void JsonLinesReader::read_value(const Shape& shape, JsonScanner& scan, double* to) {
  std::string_view text;
  if (scan.next() == '"') {
    text = scan.string(decoded_);
  } else if (scan.take_text("true")) {
    text = "1";
  } else if (scan.take_text("false")) {
    text = "0";
  } else if (!scan.take_text("null")) {
    const char* const begin = scan.position();
    const double value = scan.number();
    text = {begin, scan.position()};
    for (const std::size_t i : shape.requests) {
      const ColumnRequest& request = requests_[i];
      if (request.kind == CellKind::number && !std::isnan(value))
        accept_cell(i, checked_number(value, text, request, name(), row_), to);
      else accept_cell(i, parse_cell(text, request, name(), row_), to);
    }
    return;
  }
  for (const std::size_t i : shape.requests) accept_cell(i, parse_cell(text, requests_[i], name(), row_), to);
}

void JsonLinesReader::accept_cell(std::size_t request, double value, double* to) {
  to[request] = value;
  if (found_in_[request] == row_) return;  // a repeated key
  found_in_[request] = row_;
  ++found_;
}

void JsonLinesReader::fill_missing(double* to) const {
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (found_in_[i] == row_) continue;
    if (!requests_[i].may_be_empty) {
      throw InvalidArgument(fmt::format("{}: row {} has no '{}'", name(), row_, keys_[column_of_[i]]));
    }
    to[i] = std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace bellwether
