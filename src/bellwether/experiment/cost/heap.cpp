#include <bellwether/experiment/cost/heap.h>

#include <cstdlib>  // defines __GLIBC__

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace bellwether {

std::optional<std::uint64_t> heap_in_use() {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  const auto info = mallinfo2();
  if (const std::uint64_t all = info.uordblks + info.hblkhd; all > 0) return all;
#endif
  return std::nullopt;
}

}  // namespace bellwether
