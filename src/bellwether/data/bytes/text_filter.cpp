#include <bellwether/data/bytes/text_filter.h>

#include <cstdint>

#include <bellwether/core/error.h>

namespace bellwether {

namespace {

void append_utf8(std::uint32_t point, std::string& out) {
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  const auto rest = [&](std::uint32_t shift) { put(0x80U | (point >> shift & 0x3FU)); };
  if (point < 0x80) {
    put(point);
  } else if (point < 0x800) {
    put(0xC0U | point >> 6U);
    rest(0);
  } else if (point < 0x10000) {
    put(0xE0U | point >> 12U);
    rest(6);
    rest(0);
  } else {
    put(0xF0U | point >> 18U);
    rest(12);
    rest(6);
    rest(0);
  }
}

class Utf16Decoder final : public TextFilter {
 public:
  explicit Utf16Decoder(bool big_endian) : big_endian_(big_endian) {}

  void convert(std::string_view bytes, std::string& out) override {
    for (const char c : bytes) {
      const std::uint32_t byte = static_cast<unsigned char>(c);
      if (half_) unit(big_endian_ ? first_ << 8U | byte : byte << 8U | first_, out);
      first_ = byte;
      half_ = !half_;
    }
  }

  void finish(const std::string& file) override {
    if (half_ || high_ != 0) throw InvalidArgument(file + ": ends in the middle of a character of UTF-16");
  }

 private:
  static constexpr std::uint32_t unknown = 0xFFFD;

  void unit(std::uint32_t unit, std::string& out) {
    const bool low = unit >= 0xDC00 && unit < 0xE000;
    if (high_ != 0) {
      append_utf8(low ? 0x10000 + ((high_ - 0xD800) << 10U) + (unit - 0xDC00) : unknown, out);
      high_ = 0;
      if (low) return;
    }
    if (unit >= 0xD800 && unit < 0xDC00) high_ = unit;
    else if (!at_start_ || unit != 0xFEFF) append_utf8(low ? unknown : unit, out);
    at_start_ = false;
  }

  bool big_endian_;
  bool half_ = false;  // one byte of a unit has been seen
  bool at_start_ = true;
  std::uint32_t first_ = 0;
  std::uint32_t high_ = 0;  // the first half of a character of two units
};

class ArraySplitter final : public TextFilter {
 public:
  void convert(std::string_view bytes, std::string& out) override {
    for (const char c : bytes) take(c, out);
  }

  void finish(const std::string& file) override {
    if (!closed_) throw InvalidArgument(file + ": the array is not closed");
  }

 private:
  void take(char c, std::string& out) {
    const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (closed_) {
      if (!space) out += c;
      return;
    }
    if (in_string_) {
      if (escaped_) escaped_ = false;
      else if (c == '\\') escaped_ = true;
      else if (c == '"') in_string_ = false;
      out += c == '\n' ? ' ' : c;
      return;
    }
    if (c == '"') in_string_ = true;
    const bool opens = c == '[' || c == '{', closes = c == ']' || c == '}';
    if (opens && depth_++ == 0) return;
    if (closes && --depth_ == 0) closed_ = true;
    if (depth_ <= 1 && space) return;
    const bool ends = closed_ || (depth_ == 1 && c == ',');
    if (ends && !(closed_ && out_is_empty_)) out += '\n';
    else if (!ends) out += space ? ' ' : c;
    out_is_empty_ = out_is_empty_ && ends;
  }

  int depth_ = 0;
  bool in_string_ = false, escaped_ = false;
  bool closed_ = false;
  bool out_is_empty_ = true;  // there was no element
};

}  // namespace

std::unique_ptr<TextFilter> utf16_decoder(std::string_view beginning) {
  const bool little = beginning.starts_with("\xFF\xFE"), big = beginning.starts_with("\xFE\xFF");
  return little || big ? std::make_unique<Utf16Decoder>(big) : nullptr;
}

bool is_utf8(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    const auto byte = [&](std::size_t at) -> std::uint32_t { return static_cast<unsigned char>(bytes[at]); };
    const std::uint32_t first = byte(i);
    const std::size_t more = first < 0x80        ? 0
                             : first >> 5U == 6  ? 1
                             : first >> 4U == 14 ? 2
                             : first >> 3U == 30 ? 3
                                                 : 4;
    if (more == 4 || i + more >= bytes.size()) return false;
    std::uint32_t point = more == 0 ? first : first & (0x3FU >> more);
    for (std::size_t k = 1; k <= more; ++k) {
      if (byte(i + k) >> 6U != 2) return false;
      point = point << 6U | (byte(i + k) & 0x3FU);
    }
    constexpr std::uint32_t least[] = {0, 0x80, 0x800, 0x10000};  // shorter forms are the only right ones
    if (point < least[more] || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) return false;
    i += more + 1;
  }
  return true;
}

std::string as_utf8(std::string_view bytes) {
  if (is_utf8(bytes)) return std::string(bytes);
  std::string text;
  for (const char c : bytes) append_utf8(static_cast<unsigned char>(c), text);
  return text;
}

std::unique_ptr<TextFilter> array_splitter() { return std::make_unique<ArraySplitter>(); }

}  // namespace bellwether
