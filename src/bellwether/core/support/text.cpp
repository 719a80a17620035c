#include <bellwether/core/support/text.h>

namespace bellwether {

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

std::string in_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c == '\0') line += "\\u0000";
    else if (c == '\n') line += "\\u000a";
    else line += c;
  }
  return line;
}

}  // namespace bellwether
