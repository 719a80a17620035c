#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bellwether {

/// Scans the JSON of one line, value by value, without building anything. The line ends with a newline, which is part
/// of no value, so nothing needs to count characters. Anything that is not JSON is an InvalidArgument with file, row
/// and character. Numbers may also be written as Python writes them (NaN, -Infinity) and in a few ways that JSON does
/// not allow (.5, 01).
class JsonScanner {
 public:
  /// `end` is the end of the text at hand, at or after the end of the line.
  JsonScanner(const char* line, const char* end, std::string_view file, std::uint64_t row)
      : line_(line), p_(line), end_(end), file_(file), row_(row) {}

  const char* position() const { return p_; }

  /// The next character that is not a space.
  char next() {
    while (*p_ == ' ' || *p_ == '\t' || *p_ == '\r') ++p_;
    return *p_;
  }

  /// Skips the character if it is next.
  bool take(char c) {
    if (next() != c) return false;
    ++p_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail_expected(c);
  }

  /// Skips the text if it is next; it must not contain a newline.
  bool take_text(std::string_view text) {
    next();
    if (!std::string_view(p_, static_cast<std::size_t>(end_ - p_)).starts_with(text)) return false;
    p_ += text.size();
    return true;
  }

  /// A string without its quotes; stored in `decoded` if it has escapes.
  std::string_view string(std::string& decoded);

  /// A number, which may be infinite or NaN. Its text lies between the positions before and after the call.
  double number();

  /// Skips a value.
  void skip(int depth = 0);

  /// Rejects anything but the end of the line.
  void finish();

  [[noreturn]] void fail(std::string_view what) const;

  static constexpr int deepest = 64;  // levels of nesting

 private:
  [[noreturn]] void fail_expected(char c) const;
  void escape(std::string& decoded);
  std::uint32_t four_digits();

  const char* line_;
  const char* p_;
  const char* end_;
  std::string_view file_;
  std::uint64_t row_;
};

}  // namespace bellwether
