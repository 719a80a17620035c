#include <bellwether/data/arrow/arrow_values.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/data/cells.h>

namespace bellwether::arrow_values {

namespace {

using Kind = ArrowType::Kind;

/// The value of type T at a position of a buffer. Buffers need not be aligned.
template <class T>
T value_at(const void* buffer, std::int64_t at) {
  T value;
  std::memcpy(&value, static_cast<const char*>(buffer) + at * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return value;
}

bool bit_at(const void* buffer, std::int64_t at) {
  return (static_cast<const unsigned char*>(buffer)[at / 8] >> (at % 8) & 1) != 0;
}

double half_number(std::uint16_t bits) {
  const int exponent = bits >> 10U & 31;
  const int fraction = bits & 1023;
  const double size = exponent == 31  ? (fraction == 0 ? std::numeric_limits<double>::infinity()
                                                       : std::numeric_limits<double>::quiet_NaN())
                      : exponent == 0 ? std::ldexp(fraction, -24)
                                      : std::ldexp(fraction + 1024, exponent - 25);
  return (bits & 0x8000) != 0 ? -size : size;
}

__extension__ using Wide = __int128;

Wide wide_at(const void* buffer, std::size_t bytes, std::int64_t at) {
  if (bytes == 4) return value_at<std::int32_t>(buffer, at);
  if (bytes == 8) return value_at<std::int64_t>(buffer, at);
  return value_at<Wide>(buffer, at);
}

/// The number nearest to value * 10^-scale.
double decimal_number(Wide value, int scale) {
  constexpr std::int64_t exact = std::int64_t{1} << 53U;
  constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (value > -exact && value < exact && scale >= 0 && scale <= 22) return static_cast<double>(value) / powers[scale];
  const std::string text = fmt::format("{}e{}", value, -scale);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) return scale > 0 ? 0 : std::numeric_limits<double>::infinity();
  return number;
}

double seconds(std::int64_t ticks, std::int64_t per_second) {
  if (per_second == 0) return static_cast<double>(ticks) * 86400;
  const std::int64_t whole = ticks / per_second;
  return static_cast<double>(whole) + static_cast<double>(ticks % per_second) / static_cast<double>(per_second);
}

double number_at(const ArrowArray& array, const ArrowType& type, std::int64_t at) {
  const void* const buffer = array.buffers[1];
  switch (type.kind) {
    case Kind::half: return half_number(value_at<std::uint16_t>(buffer, at));
    case Kind::bit: return bit_at(buffer, at) ? 1 : 0;
    case Kind::decimal: return decimal_number(wide_at(buffer, type.bytes, at), type.scale);
    default: return seconds(static_cast<std::int64_t>(wide_at(buffer, type.bytes, at)), type.per_second);
  }
}

/// A text of at most 12 bytes follows its length; of a longer one, the first four bytes do, and where it is.
std::string_view viewed_text(const ArrowArray& array, std::int64_t at) {
  struct View {
    std::int32_t length;
    char prefix[4];
    std::int32_t buffer, offset;
  };
  constexpr std::int64_t fixed_buffers = 3;  // before those of texts two, after them one with their sizes
  const char* const place = static_cast<const char*>(array.buffers[1]) + at * static_cast<std::int64_t>(sizeof(View));
  View view;
  std::memcpy(&view, place, sizeof view);
  if (view.length < 0) throw InvalidArgument("a text has a negative length");
  const auto length = static_cast<std::size_t>(view.length);
  if (length <= 12) return {place + 4, length};
  if (view.buffer < 0 || view.buffer >= array.n_buffers - fixed_buffers) {
    throw InvalidArgument("a text is in a buffer that is not there");
  }
  const void* const data = array.buffers[2 + view.buffer];
  const auto size = value_at<std::int64_t>(array.buffers[array.n_buffers - 1], view.buffer);
  if (data == nullptr || view.offset < 0 || std::int64_t{view.offset} + view.length > size) {
    throw InvalidArgument("a text is outside its buffer");
  }
  return {static_cast<const char*>(data) + view.offset, length};
}

}  // namespace

std::string objection_to(const ArrowArray& array, const ArrowType& type) {
  constexpr std::int64_t longest = std::numeric_limits<std::int64_t>::max() / 64;
  const auto within = [](std::int64_t size) { return size >= 0 && size <= longest; };
  if (array.release == nullptr) return "an array was released before it was read";
  if (!within(array.length) || !within(array.offset) || array.null_count < -1) {
    return fmt::format("an array says that it has {} values from {} on, and that {} are missing", array.length,
                       array.offset, array.null_count);
  }
  const std::int64_t buffers = type.buffers();
  const bool fits = type.kind == Kind::text_view ? array.n_buffers >= buffers : array.n_buffers == buffers;
  if (!fits || (buffers > 0 && array.buffers == nullptr)) {
    return fmt::format("an array has {} buffers, not {}", array.n_buffers, buffers);
  }
  const bool empty = array.offset + array.length == 0;
  if (buffers > 1 && !empty && array.buffers[1] == nullptr) return "a buffer is missing";
  if (buffers > 0 && array.null_count > 0 && array.buffers[0] == nullptr) {
    return "values are missing, but not said which";
  }
  if (type.kind == Kind::text_view && !empty && array.n_buffers > buffers &&
      array.buffers[array.n_buffers - 1] == nullptr) {
    return "the sizes of its buffers are missing";
  }
  return {};
}

bool valid(const ArrowArray& array, std::int64_t at) {
  return array.null_count == 0 || array.buffers[0] == nullptr || bit_at(array.buffers[0], at);
}

std::int64_t integer(const ArrowArray& array, NumberType type, std::int64_t at) {
  const void* const buffer = array.buffers[1];
  const bool sign = type.kind == 'i';
  switch (type.size) {
    case 1: return sign ? value_at<std::int8_t>(buffer, at) : value_at<std::uint8_t>(buffer, at);
    case 2: return sign ? value_at<std::int16_t>(buffer, at) : value_at<std::uint16_t>(buffer, at);
    case 4: return sign ? value_at<std::int32_t>(buffer, at) : std::int64_t{value_at<std::uint32_t>(buffer, at)};
    default: return value_at<std::int64_t>(buffer, at);
  }
}

Extent extent(const ArrowArray& array, const ArrowType& type, std::int64_t at) {
  const NumberType offset{.kind = 'i', .size = type.bytes};
  return {integer(array, offset, at), integer(array, offset, at + 1)};
}

void numbers(const ArrowArray& array, const ArrowType& type, std::int64_t at, std::int64_t step, std::size_t count,
             double* to, std::size_t stride) {
  if (type.kind != Kind::number) {
    for (std::size_t i = 0; i < count; ++i, at += step, to += stride) *to = number_at(array, type, at);
    return;
  }
  const std::size_t size = type.number.size;
  convert_numbers(
      type.number, static_cast<const char*>(array.buffers[1]) + static_cast<std::size_t>(at) * size, to,
      {.count = count, .size = 1, .from_stride = static_cast<std::size_t>(step) * size, .to_stride = stride});
}

std::string_view text(const ArrowArray& array, const ArrowType& type, std::int64_t at) {
  if (type.kind == Kind::text_view) return viewed_text(array, at);
  const auto [begin, end] = extent(array, type, at);
  if (begin < 0 || end < begin) throw InvalidArgument(fmt::format("a text reaches from {} to {}", begin, end));
  if (begin == end) return {};
  if (array.buffers[2] == nullptr) throw InvalidArgument("the buffer of texts is missing");
  return {static_cast<const char*>(array.buffers[2]) + begin, static_cast<std::size_t>(end - begin)};
}

std::string shown(const ArrowArray& array, const ArrowType& type, std::int64_t at) {
  if (type.kind == Kind::number && type.number.integer()) {
    const std::int64_t value = integer(array, type.number, at);
    return type.number.kind == 'i' ? fmt::format("{}", value) : fmt::format("{}", static_cast<std::uint64_t>(value));
  }
  double value = 0;
  numbers(array, type, at, 1, 1, &value, 1);
  return type.kind == Kind::moment ? moment_text(value) : fmt::format("{}", value);
}

}  // namespace bellwether::arrow_values
