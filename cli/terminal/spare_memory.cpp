#include "terminal/spare_memory.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include <bellwether/core/support/output_file.h>

#include "terminal/output.h"

namespace bellwether::cli {

namespace {

constexpr std::size_t spare_bytes = 1 << 18;
std::atomic<void*> spare = nullptr;

void give_back() {
  std::free(spare.exchange(nullptr));
  throw std::bad_alloc();
}

/// Some functions of libraries that promise not to throw need memory all the same, such as destructors of JSON.
[[noreturn]] void end() {
  try {
    if (const auto cause = std::current_exception()) std::rethrow_exception(cause);
  } catch (const std::bad_alloc&) {
    discard_unfinished_files();
    tell_terminal("bellwether: not enough memory\n");
    std::_Exit(1);
  } catch (...) {
  }
  std::abort();
}

}  // namespace

void keep_spare_memory() {
  spare = std::malloc(spare_bytes);
  if (void* const memory = spare)
    std::memset(memory, 1, spare_bytes);  // the system gives what is used, not what is asked
  std::set_new_handler(give_back);
  std::set_terminate(end);
}

}  // namespace bellwether::cli
