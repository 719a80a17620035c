#include <bellwether/core/support/shared_library.h>

#include <dlfcn.h>
#include <cstdlib>

#include <fmt/format.h>

#include <bellwether/core/error.h>

namespace bellwether {

SharedLibrary::SharedLibrary(LibraryPlaces places, std::string_view needed_by)
    : places_(std::move(places)), needed_by_(needed_by) {
  const char* const chosen = std::getenv(places_.variable);  // NOLINT(concurrency-mt-unsafe): nothing sets variables
  if (chosen != nullptr) places_.names = {chosen};
  std::string why;
  for (const std::string& name : places_.names) {
    handle_ = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (handle_ != nullptr) return;
    if (why.empty()) why = dlerror();  // NOLINT(concurrency-mt-unsafe): glibc keeps one for each thread
  }
  reject(why);
}

void SharedLibrary::reject(std::string_view why) const {
  throw IoError(
      fmt::format("{}: needs {}, which cannot be loaded ({}): install {}, or set {} to the path of the library",
                  needed_by_, places_.what, why, places_.package, places_.variable));
}

void* SharedLibrary::address(const char* symbol) const {
  void* const found = dlsym(handle_, symbol);
  if (found == nullptr) reject(fmt::format("it has no {}", symbol));
  return found;
}

}  // namespace bellwether
