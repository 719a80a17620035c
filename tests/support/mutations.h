#pragma once

#include <cstddef>
#include <cstdlib>
#include <string>

#include <bellwether/core/support/rng.h>

namespace bellwether::testing {

/// A copy of `bytes` with one change behind the first `from` of them: a bit, a byte, or a word that becomes a small or
/// huge count, an extreme number, or a copy of another word. Every second change is at a multiple of four bytes from
/// there, where fields often are.
std::string mutated(std::string bytes, std::size_t from, Rng& rng);

/// How many changes a test tries: `few`, or BELLWETHER_MUTATIONS where that is set, for long runs by hand.
inline std::size_t mutations(std::size_t few) {
  const char* const many = std::getenv("BELLWETHER_MUTATIONS");
  return many == nullptr ? few : static_cast<std::size_t>(std::strtoull(many, nullptr, 10));
}

}  // namespace bellwether::testing
