#pragma once

#include <cstdint>

namespace bellwether {

/// The upper half of the finaliser fmix64 of MurmurHash3 (Appleby, public domain), a bijection of 64 bits.
constexpr std::uint32_t upper_fmix64(std::uint64_t id) {
  id = (id ^ id >> 33U) * 0xff51afd7ed558ccdU;
  id = (id ^ id >> 33U) * 0xc4ceb9fe1a85ec53U;
  return static_cast<std::uint32_t>((id ^ id >> 33U) >> 32U);
}

}  // namespace bellwether
