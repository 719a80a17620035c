#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bellwether {

/// FNV-1a, 64 bits: a hash of bytes that is the same on every machine. `seed` continues an earlier hash.
constexpr std::uint64_t hash_of(std::span<const std::byte> bytes, std::uint64_t seed = 0xcbf29ce484222325U) {
  for (const std::byte b : bytes) seed = (seed ^ static_cast<std::uint64_t>(b)) * 0x100000001b3U;
  return seed;
}

}  // namespace bellwether
