#include <bellwether/features/support/distinct.h>

#include <algorithm>
#include <array>

namespace bellwether {

namespace {

constexpr std::size_t few = 16;
constexpr std::size_t marks = std::size_t{1} << 15U;

bool among(std::span<const std::uint32_t> indices, std::uint32_t index) {
  return std::find(indices.begin(), indices.end(), index) != indices.end();
}

std::size_t keep_by_comparing(std::span<std::uint32_t> indices) {
  std::size_t kept = 0;
  for (const std::uint32_t index : indices) {
    if (!among(indices.first(kept), index)) indices[kept++] = index;
  }
  return kept;
}

/// A mark for every index: 1 until it is seen.
std::size_t keep_by_marking(std::span<std::uint32_t> indices, std::size_t bound) {
  std::array<std::uint8_t, marks> unmet;
  std::fill_n(unmet.begin(), bound, std::uint8_t{1});
  std::size_t kept = 0;
  for (const std::uint32_t index : indices) {
    indices[kept] = index;
    kept += unmet[index];
    unmet[index] = 0;
  }
  return kept;
}

/// Indices share marks: only those whose mark was seen need to be compared.
std::size_t keep_by_marking_and_comparing(std::span<std::uint32_t> indices) {
  std::array<std::uint8_t, marks> unmet;
  unmet.fill(1);
  std::size_t kept = 0;
  for (const std::uint32_t index : indices) {
    std::uint8_t& mark = unmet[index % marks];
    if (mark != 0 || !among(indices.first(kept), index)) indices[kept++] = index;
    mark = 0;
  }
  return kept;
}

}  // namespace

std::size_t keep_distinct(std::span<std::uint32_t> indices, std::size_t bound) {
  if (indices.size() <= few) return keep_by_comparing(indices);
  return bound <= marks ? keep_by_marking(indices, bound) : keep_by_marking_and_comparing(indices);
}

}  // namespace bellwether
