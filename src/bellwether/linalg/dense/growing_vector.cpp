#include <bellwether/linalg/dense/growing_vector.h>

#include <sys/mman.h>

#include <new>

namespace bellwether {

std::byte* resize_pages(std::byte* begin, std::size_t bytes, std::size_t wanted) {
  if (wanted == 0) {
    if (begin != nullptr) munmap(begin, bytes);
    return nullptr;
  }
#if defined(__linux__) && !defined(__SANITIZE_THREAD__)  // which does not know that mremap gives addresses back
  if (begin != nullptr) {
    void* moved = mremap(begin, bytes, wanted, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) throw std::bad_alloc();
    return static_cast<std::byte*>(moved);
  }
#endif
  void* fresh = mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (fresh == MAP_FAILED) throw std::bad_alloc();
  if (begin != nullptr) {
    std::memcpy(fresh, begin, std::min(bytes, wanted));
    munmap(begin, bytes);
  }
  return static_cast<std::byte*>(fresh);
}

}  // namespace bellwether
