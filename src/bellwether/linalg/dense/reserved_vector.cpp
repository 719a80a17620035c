#include <bellwether/linalg/dense/reserved_vector.h>

#include <sys/mman.h>

#include <new>

namespace bellwether {

std::byte* reserve_address_space(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* begin = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::byte*>(begin);
}

void release_address_space(std::byte* begin, std::size_t bytes) noexcept {
  if (begin != nullptr) munmap(begin, bytes);
}

}  // namespace bellwether
