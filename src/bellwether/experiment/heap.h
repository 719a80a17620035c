#pragma once

#include <cstdint>
#include <optional>

namespace bellwether {

/// Bytes that this process has allocated and not freed; nothing where the C library does not tell (other than glibc, or
/// under a sanitizer). What other threads allocate counts too.
std::optional<std::uint64_t> heap_in_use();

}  // namespace bellwether
