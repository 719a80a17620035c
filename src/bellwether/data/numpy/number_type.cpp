#include <bellwether/data/numpy/number_type.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace bellwether {

static_assert(std::endian::native == std::endian::little,
              "numbers in files are little-endian unless they say otherwise");

namespace {

struct Boolean {
  std::uint8_t byte;
  explicit operator double() const { return byte != 0 ? 1 : 0; }
};

template <class T, bool big_endian>
void convert_as(const char* from, double* to, NumberGroups groups) {
  for (std::size_t i = 0; i < groups.count; ++i) {
    const char* source = from + i * groups.from_stride;
    double* target = to + i * groups.to_stride;
    for (std::size_t j = 0; j < groups.size; ++j, source += sizeof(T)) {
      T value;
      if constexpr (big_endian) {
        char reversed[sizeof(T)];
        std::reverse_copy(source, source + sizeof(T), reversed);
        std::memcpy(&value, reversed, sizeof(T));
      } else {
        std::memcpy(&value, source, sizeof(T));
      }
      target[j] = static_cast<double>(value);
    }
  }
}

/// Calls f<T>() with the C++ type of the stored numbers.
template <class F>
void with_type(NumberType type, F&& f) {
  if (type.kind == 'b') return f.template operator()<Boolean>();
  if (type.kind == 'f') return type.size == 4 ? f.template operator()<float>() : f.template operator()<double>();
  const bool has_sign = type.kind == 'i';
  switch (type.size) {
    case 1: return has_sign ? f.template operator()<std::int8_t>() : f.template operator()<std::uint8_t>();
    case 2: return has_sign ? f.template operator()<std::int16_t>() : f.template operator()<std::uint16_t>();
    case 4: return has_sign ? f.template operator()<std::int32_t>() : f.template operator()<std::uint32_t>();
    default: return has_sign ? f.template operator()<std::int64_t>() : f.template operator()<std::uint64_t>();
  }
}

}  // namespace

void convert_numbers(NumberType type, const char* from, double* to, NumberGroups groups) {
  with_type(type, [&]<class T>() {
    if (type.big_endian) convert_as<T, true>(from, to, groups);
    else convert_as<T, false>(from, to, groups);
  });
}

}  // namespace bellwether
