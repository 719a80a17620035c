#include <bellwether/report/plot/svg_text.h>

#include <cstdint>

namespace bellwether {

namespace {

constexpr const char* replacement = "\xef\xbf\xbd";
constexpr const char* ellipsis = "\xe2\x80\xa6";

/// The number of bytes of the first character of `text`; zero when XML cannot hold it.
std::size_t length_of_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc0 || first > 0xf7 || text.size() < length) return 0;
  std::uint32_t code = first & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3fU);
  }
  constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};  // a smaller code needs fewer bytes
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return code < smallest[length] || code > 0x10ffff || surrogate || code == 0xfffe || code == 0xffff ? 0 : length;
}

/// Calls f(character, valid) for every character; a byte that begins no character is passed alone.
template <class F>
void for_each_character(std::string_view text, F&& f) {
  while (!text.empty()) {
    const std::size_t length = length_of_character(text);
    f(text.substr(0, length == 0 ? 1 : length), length > 0);
    text.remove_prefix(length == 0 ? 1 : length);
  }
}

/// As in DejaVu Sans, one of the wider fonts.
double em(std::string_view character) {
  if (character.size() >= 3) return 1;
  const char c = character[0];
  if (std::string_view(" ,.:;'()-ijlft").find(c) != std::string_view::npos) return 0.34;
  if (std::string_view("mw=+<>%").find(c) != std::string_view::npos) return 0.9;
  return c >= 'A' && c <= 'Z' ? 0.75 : 0.63;
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  for_each_character(text, [&](std::string_view c, bool valid) {
    if (!valid) out += replacement;
    else if (c == "&") out += "&amp;";
    else if (c == "<") out += "&lt;";
    else if (c == ">") out += "&gt;";
    else if (c == "\"") out += "&quot;";
    else out += c;
  });
  return out;
}

double text_width(std::string_view text, double font_size) {
  double width = 0;
  for_each_character(text, [&](std::string_view c, bool) { width += em(c) * font_size; });
  return width;
}

std::string shortened(std::string_view text, double width, double font_size) {
  if (text_width(text, font_size) <= width) return std::string(text);
  std::string out;
  double so_far = font_size;
  for_each_character(text, [&](std::string_view c, bool) {
    so_far += em(c) * font_size;
    if (so_far <= width) out += c;
  });
  return out + ellipsis;
}

std::vector<std::string> wrapped(std::string_view text, double width, double font_size) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    if (!lines.empty() && text_width(lines.back(), font_size) + text_width(word, font_size) < width) {
      lines.back().append(" ").append(word);
    } else {
      lines.push_back(shortened(word, width, font_size));
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace bellwether
