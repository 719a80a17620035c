#include <bellwether/data/text/json_scanner.h>

#include <charconv>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <bellwether/core/error.h>

namespace bellwether {

namespace {

void append_utf8(std::string& text, std::uint32_t code) {
  const auto byte = [&](std::uint32_t bits) { text += static_cast<char>(static_cast<unsigned char>(bits)); };
  if (code < 0x80) {
    byte(code);
    return;
  }
  if (code < 0x800) {
    byte(0xC0U | (code >> 6U));
  } else {
    if (code < 0x10000) {
      byte(0xE0U | (code >> 12U));
    } else {
      byte(0xF0U | (code >> 18U));
      byte(0x80U | ((code >> 12U) & 0x3FU));
    }
    byte(0x80U | ((code >> 6U) & 0x3FU));
  }
  byte(0x80U | (code & 0x3FU));
}

}  // namespace

void JsonScanner::fail(std::string_view what) const {
  throw InvalidArgument(fmt::format("{}: row {}: {} (at character {})", file_, row_, what, p_ - line_ + 1));
}

void JsonScanner::fail_expected(char c) const { fail(fmt::format("'{}' is missing", c)); }

std::string_view JsonScanner::string(std::string& decoded) {
  expect('"');
  const char* const begin = p_;
  while (*p_ != '"' && *p_ != '\\' && *p_ != '\n') ++p_;
  std::string_view text(begin, static_cast<std::size_t>(p_ - begin));
  if (*p_ == '\\') {
    decoded = text;
    while (*p_ != '"' && *p_ != '\n') {
      if (*p_ == '\\') escape(decoded);
      else decoded += *p_++;
    }
    text = decoded;
  }
  if (*p_ != '"') fail("a string is not closed");
  ++p_;
  return text;
}

void JsonScanner::escape(std::string& decoded) {
  constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
  ++p_;
  if (*p_ == 'u') {
    ++p_;
    std::uint32_t code = four_digits();
    const auto between = [](std::uint32_t value, std::uint32_t low) { return value >= low && value < low + 0x400; };
    if (between(code, 0xD800) && *p_ == '\\' && p_[1] == 'u') {  // half of a character beyond 0xFFFF
      p_ += 2;
      const std::uint32_t low = four_digits();
      if (!between(low, 0xDC00)) fail("an escape is half a character");
      code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
    }
    append_utf8(decoded, code);
    return;
  }
  const std::size_t which = letters.find(*p_);
  if (which == std::string_view::npos) fail("there is no such escape");
  decoded += meanings[which];
  ++p_;
}

std::uint32_t JsonScanner::four_digits() {
  std::uint32_t code = 0;
  const char* const stop = p_ + 4;  // at most two bytes beyond the newline, for which the text is padded
  if (std::from_chars(p_, stop, code, 16).ptr != stop) fail("an escape has no four digits");
  p_ = stop;
  return code;
}

double JsonScanner::number() {
  double value = 0;
  const auto [stop, error] = fast_float::from_chars(p_, end_, value);
  if (error == std::errc::invalid_argument) fail("a value is missing");
  p_ = stop;
  return value;
}

void JsonScanner::skip(int depth) {
  if (depth > deepest) fail("values are nested too deeply");
  std::string decoded;
  switch (next()) {
    case '"': string(decoded); return;
    case '{':
      ++p_;
      if (take('}')) return;
      do {
        next();
        string(decoded);
        expect(':');
        skip(depth + 1);
      } while (take(','));
      expect('}');
      return;
    case '[':
      ++p_;
      if (take(']')) return;
      do skip(depth + 1);
      while (take(','));
      expect(']');
      return;
    default:
      if (!take_text("true") && !take_text("false") && !take_text("null")) number();
  }
}

void JsonScanner::finish() {
  if (next() != '\n') fail("there is text after the object");
}

}  // namespace bellwether
