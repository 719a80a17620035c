#include "terminal/visible.h"

#include <algorithm>

#include <fmt/format.h>

namespace bellwether::cli {

namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

/// The length of the UTF-8 sequence that the text begins with; 1 when it begins with none.
std::size_t sequence_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = first >= 0xf0U ? 4 : first >= 0xe0U ? 3 : first >= 0xc2U ? 2 : 1;
  if (length > text.size() ||
      !std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(length), continues)) {
    return 1;
  }
  return length;
}

/// The character of a sequence of three that changes the direction of the text after it, or -1.
int direction(std::string_view sequence) {
  if (sequence.size() != 3 || !sequence.starts_with("\xe2")) return -1;
  const auto bits = [&](std::size_t i) { return static_cast<unsigned char>(sequence[i]) & 0x3fU; };
  const unsigned code = 0x2000U | bits(1) << 6U | bits(2);
  return (code >= 0x202aU && code <= 0x202eU) || (code >= 0x2066U && code <= 0x2069U) ? static_cast<int>(code) : -1;
}

/// The control character that a sequence stands for, or -1. Terminals also obey the codes from 0x80 to 0x9f.
int control(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  const auto last = static_cast<unsigned char>(sequence.back());
  const bool high = (sequence.size() == 1 || (sequence.size() == 2 && first == 0xc2U)) && last >= 0x80U && last < 0xa0U;
  const bool low = sequence.size() == 1 && (first < 0x20U || first == 0x7fU) && first != '\n' && first != '\t';
  return high || low ? last : direction(sequence);
}

}  // namespace

std::string visible(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    std::size_t length = sequence_length(text);
    for (const std::string_view bold : {"\033[1m", "\033[0m"}) {
      if (text.starts_with(bold)) length = bold.size();
    }
    const std::string_view sequence = text.substr(0, length);
    if (const int code = control(sequence); code >= 0) shown += fmt::format("\\u{:04x}", code);
    else shown += sequence;
    text.remove_prefix(length);
  }
  return shown;
}

}  // namespace bellwether::cli
