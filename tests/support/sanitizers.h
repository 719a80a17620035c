#pragma once

namespace bellwether::testing {

/// Whether the tests were built with a sanitizer. Address sanitizers reserve terabytes of addresses, so nothing runs
/// under them where addresses are limited.
#ifdef BELLWETHER_PORTABLE_KERNELS
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace bellwether::testing
