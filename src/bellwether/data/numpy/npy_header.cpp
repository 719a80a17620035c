#include <bellwether/data/numpy/npy_header.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <bellwether/core/error.h>

namespace bellwether {

namespace {

/// Longer than the header of any real table, and short enough that a damaged length does no harm.
constexpr std::size_t longest_header = 1 << 20;
constexpr int deepest_nesting = 16;

/// A Python literal: a string, a number, a boolean, or a list or tuple of literals.
struct Literal {
  enum class Kind : std::uint8_t { text, number, boolean, sequence } kind = Kind::sequence;
  std::string text;          // of a string, without quotes; of a sequence, as written
  std::uint64_t number = 0;  // also of a boolean
  std::vector<Literal> items;
};

/// Thrown by the parser; read_npy_header turns it into a message that names the file.
struct Malformed {};

class LiteralParser {
 public:
  explicit LiteralParser(std::string_view text) : all_(text) {}

  /// The entries of a dictionary whose keys are distinct strings.
  std::vector<std::pair<std::string, Literal>> dictionary() {
    std::vector<std::pair<std::string, Literal>> entries;
    expect('{');
    while (!accept('}')) {
      std::string key = value(0).text;
      expect(':');
      if (std::any_of(entries.begin(), entries.end(), [&](const auto& entry) { return entry.first == key; })) {
        throw Malformed{};  // readers differ in which of the two they take
      }
      entries.emplace_back(std::move(key), value(0));
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    return entries;
  }

 private:
  char peek() {
    while (at_ < all_.size() && (all_[at_] == ' ' || all_[at_] == '\n')) ++at_;
    return at_ < all_.size() ? all_[at_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) throw Malformed{};
  }
  bool accept(std::string_view word) {
    peek();
    if (!all_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  Literal value(int depth) {
    if (depth > deepest_nesting) throw Malformed{};
    const char c = peek();
    const std::size_t first = at_;
    if (c == '\'' || c == '"') return quoted(c);
    if (accept("True")) return {Literal::Kind::boolean, "True", 1, {}};
    if (accept("False")) return {Literal::Kind::boolean, "False", 0, {}};
    if (c != '(' && c != '[') return number();
    ++at_;
    Literal sequence;
    const char close = c == '(' ? ')' : ']';
    while (!accept(close)) {
      sequence.items.push_back(value(depth + 1));
      if (!accept(',')) {
        expect(close);
        break;
      }
    }
    sequence.text = all_.substr(first, at_ - first);
    return sequence;
  }

  Literal quoted(char quote) {
    ++at_;
    Literal text{Literal::Kind::text, {}, 0, {}};
    while (at_ < all_.size() && all_[at_] != quote) {
      if (all_[at_] == '\\') ++at_;
      if (at_ < all_.size()) text.text += all_[at_++];
    }
    if (at_ >= all_.size()) throw Malformed{};
    ++at_;
    return text;
  }

  Literal number() {
    Literal result{Literal::Kind::number, {}, 0, {}};
    const auto [end, error] = std::from_chars(all_.data() + at_, all_.data() + all_.size(), result.number);
    if (error != std::errc()) throw Malformed{};
    at_ = static_cast<std::size_t>(end - all_.data());
    if (at_ < all_.size() && all_[at_] == 'L') ++at_;  // as Python 2 wrote long integers
    return result;
  }

  std::string_view all_;
  std::size_t at_ = 0;
};

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  if (a != 0 && b > most / a) throw Malformed{};
  return a * b;
}

std::vector<std::uint64_t> shape_of(const Literal& literal) {
  if (literal.kind == Literal::Kind::number) return {literal.number};
  if (literal.kind != Literal::Kind::sequence) throw Malformed{};
  std::vector<std::uint64_t> shape;
  for (const Literal& item : literal.items) {
    if (item.kind != Literal::Kind::number) throw Malformed{};
    shape.push_back(item.number);
  }
  return shape;
}

std::uint64_t count(const std::vector<std::uint64_t>& shape) {
  std::uint64_t all = 1;
  for (const std::uint64_t length : shape) all = product(all, length);
  return all;
}

/// The bytes of an element of a type such as '<f8', and whether it is a number.
std::pair<std::size_t, bool> parse_type(std::string_view text, NumberType& type) {
  if (text.size() == 2 && text[1] == 'O') return {0, false};  // a pickle of any length follows
  if (text.size() < 3) throw Malformed{};
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), size);
  if (error != std::errc()) throw Malformed{};
  const char kind = text[1];
  const bool whole = end == text.data() + text.size();  // unlike '<M8[ns]'
  const bool power = size == 1 || size == 2 || size == 4 || size == 8;
  const bool number = whole && ((kind == 'f' && (size == 4 || size == 8)) || ((kind == 'i' || kind == 'u') && power) ||
                                (kind == 'b' && size == 1));
  type = {kind, static_cast<std::size_t>(size), text[0] == '>' && size > 1};
  return {product(size, kind == 'U' ? 4 : 1), number};
}

/// Adds the fields of a type to the header and returns the bytes of the type. In a record, `shape` is that of an array
/// of the type.
std::uint64_t add_fields(NpyHeader& header, const Literal& type, const std::string& name, std::uint64_t offset,
                         const std::vector<std::uint64_t>& shape) {
  if (type.kind == Literal::Kind::text) {
    NpyField field{name, {}, offset, count(shape), shape.empty()};
    const auto [size, number] = parse_type(type.text, field.type);
    const bool padding = header.records && type.text[1] == 'V';
    if (number) header.fields.push_back(field);
    else if (!padding) header.others.push_back(name);
    return product(size, field.count);
  }
  if (type.kind != Literal::Kind::sequence) throw Malformed{};
  header.records = true;
  std::uint64_t size = 0;
  for (const Literal& item : type.items) {
    if (item.items.size() < 2 || item.items.size() > 3) throw Malformed{};
    // The label of a field with a title is a pair of title and name.
    const Literal& label = item.items[0].items.empty() ? item.items[0] : item.items[0].items.back();
    const auto inner_shape = item.items.size() == 3 ? shape_of(item.items[2]) : std::vector<std::uint64_t>{};
    const std::string inner = name.empty() ? label.text : name + "/" + label.text;
    // Arrays of records in records have no names for their numbers.
    if (item.items[1].kind == Literal::Kind::sequence && !inner_shape.empty()) throw Malformed{};
    size += add_fields(header, item.items[1], inner, offset + size, inner_shape);
    if (size > std::numeric_limits<std::uint32_t>::max()) throw Malformed{};
  }
  return size;
}

NpyHeader parse(std::string_view text) {
  NpyHeader header;
  bool has_type = false;
  bool has_shape = false;
  for (const auto& [key, value] : LiteralParser(text).dictionary()) {
    if (key == "descr") {
      header.dtype = value.text;
      header.element_size = add_fields(header, value, "", 0, {});
      has_type = true;
    } else if (key == "shape") {
      header.shape = shape_of(value);
      has_shape = true;
    } else if (key == "fortran_order") {
      header.fortran_order = value.number != 0;
    }
  }
  if (!has_type || !has_shape) throw Malformed{};
  product(header.elements(), header.element_size);
  return header;
}

}  // namespace

std::uint64_t NpyHeader::elements() const { return count(shape); }

std::uint64_t NpyHeader::file_size() const { return bytes + elements() * element_size; }

NpyHeader read_npy_header(ByteSource& bytes, const std::string& owner) {
  const auto read = [&](std::size_t size) {
    std::string text(size, '\0');
    if (bytes.read(text.data(), size) != size) throw IoError(owner + " ends within the header of its array");
    return text;
  };
  if (bytes.size() == 0) throw InvalidArgument(owner + " is empty");
  std::string magic(8, '\0');
  if (bytes.read(magic.data(), magic.size()) != magic.size() || !magic.starts_with("\x93NUMPY")) {
    throw InvalidArgument(owner + " is not a NumPy array");
  }
  const int version = static_cast<unsigned char>(magic[6]);
  if (version < 1 || version > 3) {
    throw InvalidArgument(fmt::format("{} has version {} of NumPy's format; 1 to 3 are known", owner, version));
  }
  std::size_t length = 0;
  const std::string digits = read(version == 1 ? 2 : 4);
  for (std::size_t i = digits.size(); i-- > 0;) length = 256 * length + static_cast<unsigned char>(digits[i]);
  if (length > longest_header) throw IoError(owner + " is damaged: the header of its array is too long");
  const std::string text = read(length);
  try {
    NpyHeader header = parse(text);
    header.bytes = magic.size() + digits.size() + length;
    return header;
  } catch (const Malformed&) {
    throw IoError(owner + " is damaged: the header of its array cannot be parsed");
  }
}

}  // namespace bellwether
