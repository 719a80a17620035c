#include "terminal/spare_memory.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <typeinfo>

#include <cxxabi.h>

#include <bellwether/core/files/output_file.h>

#include "terminal/output.h"

namespace bellwether::cli {

namespace {

constexpr std::size_t spare_bytes = 1 << 18;
std::atomic<void*> spare = nullptr;

void give_back() {
  std::free(spare.exchange(nullptr));
  throw std::bad_alloc();
}

/// True when what ends the program is a lack of memory: an exception that says so, or one for which there was none. To
/// throw an exception again would need memory, too.
bool memory_ran_out() {
  const std::type_info* const cause = abi::__cxa_current_exception_type();
  if (cause == nullptr) return spare == nullptr;
  return *cause == typeid(std::bad_alloc) || *cause == typeid(std::bad_array_new_length);
}

/// Some functions of libraries that promise not to throw need memory all the same, such as destructors of JSON.
[[noreturn]] void end() {
  if (!memory_ran_out()) std::abort();
  discard_unfinished_files();
  tell_terminal("bellwether: not enough memory\n");
  std::_Exit(1);
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
