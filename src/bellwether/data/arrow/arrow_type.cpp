#include <bellwether/data/arrow/arrow_type.h>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>

namespace bellwether {

namespace {

using Kind = ArrowType::Kind;

/// The integer at the beginning of a text, which is shortened by it and by a comma after it.
std::optional<int> take_integer(std::string_view& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.starts_with(',')) text.remove_prefix(1);
  return value;
}

/// "d:precision,scale" or "d:precision,scale,bits".
ArrowType decimal_type(std::string_view format) {
  format.remove_prefix(2);
  const auto precision = take_integer(format);
  const auto scale = take_integer(format);
  const int bits = format.empty() ? 128 : take_integer(format).value_or(0);
  const bool known = bits == 32 || bits == 64 || bits == 128;
  if (!precision || !scale || std::abs(*scale) > 1000 || !format.empty() || !known) return {};
  return {.kind = Kind::decimal, .bytes = static_cast<std::size_t>(bits) / 8, .scale = *scale};
}

/// Dates, times and durations: "tdD", "tdm", "tts", "tsu:Europe/Berlin", "tDn", ...
ArrowType time_type(std::string_view format) {
  if (format == "tdD") return {.kind = Kind::moment, .bytes = 4, .per_second = 0};
  if (format == "tdm") return {.kind = Kind::moment, .bytes = 8, .per_second = 1000};
  if (format.size() < 3) return {};
  constexpr std::string_view units = "smun";
  const std::size_t unit = units.find(format[2]);
  if (unit == std::string_view::npos) return {};
  constexpr std::int64_t per_second[] = {1, 1000, 1'000'000, 1'000'000'000};
  ArrowType type{.kind = Kind::duration, .bytes = 8, .per_second = per_second[unit]};
  if (format.starts_with("ts") && format.substr(3).starts_with(':')) type.kind = Kind::moment;
  else if (format.size() != 3 || (format[1] != 't' && format[1] != 'D')) return {};
  else if (format[1] == 't' && unit < 2) type.bytes = 4;
  return type;
}

}  // namespace

ArrowType arrow_type(std::string_view format) {
  const auto number = [](char kind, std::size_t size) {
    return ArrowType{.kind = Kind::number, .number = {.kind = kind, .size = size}};
  };
  if (format.starts_with("d:")) return decimal_type(format);
  if (format.starts_with('t')) return time_type(format);
  if (format.starts_with("+w:")) {
    format.remove_prefix(3);
    const auto width = take_integer(format);
    if (!width || *width < 0 || !format.empty()) return {};
    return {.kind = Kind::fixed_list, .width = *width};
  }
  if (format == "+s") return {.kind = Kind::record};
  if (format == "+l") return {.kind = Kind::list, .bytes = 4};
  if (format == "+L") return {.kind = Kind::list, .bytes = 8};
  if (format == "vu") return {.kind = Kind::text_view};
  if (format.size() != 1) return {};
  switch (format[0]) {
    case 'n': return {.kind = Kind::nothing};
    case 'b': return {.kind = Kind::bit};
    case 'c': return number('i', 1);
    case 'C': return number('u', 1);
    case 's': return number('i', 2);
    case 'S': return number('u', 2);
    case 'i': return number('i', 4);
    case 'I': return number('u', 4);
    case 'l': return number('i', 8);
    case 'L': return number('u', 8);
    case 'e': return {.kind = Kind::half};
    case 'f': return number('f', 4);
    case 'g': return number('f', 8);
    case 'u': return {.kind = Kind::text, .bytes = 4};
    case 'U': return {.kind = Kind::text, .bytes = 8};
    default: return {};
  }
}

std::int64_t ArrowType::buffers() const {
  switch (kind) {
    case Kind::nothing: return 0;
    case Kind::record:
    case Kind::fixed_list: return 1;
    case Kind::text:
    case Kind::text_view: return 3;
    default: return 2;
  }
}

}  // namespace bellwether
