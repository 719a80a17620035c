#include "terminal/spare_memory.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

namespace bellwether::cli {

namespace {

constexpr std::size_t spare_bytes = 1 << 18;
std::atomic<void*> spare = nullptr;

void give_back() {
  std::free(spare.exchange(nullptr));
  throw std::bad_alloc();
}

}  // namespace

void keep_spare_memory() {
  spare = std::malloc(spare_bytes);
  if (void* const memory = spare)
    std::memset(memory, 1, spare_bytes);  // the system gives what is used, not what is asked
  std::set_new_handler(give_back);
}

}  // namespace bellwether::cli
