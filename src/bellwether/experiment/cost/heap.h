#pragma once

#include <cstdint>
#include <optional>

namespace bellwether {

/// Bytes that this process has allocated and not freed, by all threads together; nothing where the C library does not
/// tell (one other than glibc, or under a sanitizer).
std::optional<std::uint64_t> heap_in_use();

}  // namespace bellwether
