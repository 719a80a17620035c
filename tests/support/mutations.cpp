#include "support/mutations.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

namespace bellwether::testing {

namespace {

std::uint64_t extreme_number(Rng& rng) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr std::array numbers{0.0, -1.0, 1.0, 1e300, -1e300, 1e-300, 1e16, -1e16, infinity, -infinity, nan};
  return std::bit_cast<std::uint64_t>(numbers[rng.below(numbers.size())]);
}

std::uint64_t count(Rng& rng) {
  constexpr std::uint64_t one = 1;
  constexpr std::array counts{~(one << 63U), one << 63U, one << 32U, one << 31U, (one << 32U) - 1, ~one, ~(0 * one)};
  return rng.below(2) == 0 ? counts[rng.below(counts.size())] : rng.below(64);
}

}  // namespace

std::string mutated(std::string bytes, std::size_t from, Rng& rng) {
  const std::size_t size = bytes.size() - from;
  std::size_t at = rng.below(size);
  if (rng.below(2) == 0) at -= at % 4;
  const auto write = [&](std::uint64_t word, std::size_t width) {
    std::memcpy(bytes.data() + from + at, &word, std::min(width, size - at));
  };
  const std::uint64_t kind = rng.below(6);
  if (kind == 0) bytes[from + at] = static_cast<char>(bytes[from + at] ^ (1 << rng.below(8)));
  else if (kind == 1) bytes[from + at] = static_cast<char>(rng.below(256));
  else if (kind == 2) write(extreme_number(rng), 8);
  else if (kind == 3) write(count(rng), 8);
  else if (kind == 4) write(count(rng), 4);
  else if (size > 8)
    std::memmove(bytes.data() + from + at, bytes.data() + from + rng.below(size - 8),
                 std::min<std::size_t>(8, size - at));
  return bytes;
}

}  // namespace bellwether::testing
