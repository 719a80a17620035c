#pragma once

#include <cstdint>

namespace bellwether::testing {

/// How many times `operator new` has been called in this process.
std::uint64_t allocations();

}  // namespace bellwether::testing
