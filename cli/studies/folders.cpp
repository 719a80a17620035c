#include "studies/folders.h"

#include <cstdlib>

namespace bellwether::cli {

std::string cache_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing sets variables
    return std::string(value == nullptr ? "" : value);
  };
  if (std::string given = variable("BELLWETHER_CACHE"); !given.empty()) return given;
  if (const std::string base = variable("XDG_CACHE_HOME"); !base.empty()) return base + "/bellwether";
  const std::string home = variable("HOME");
  return home.empty() ? "" : home + "/.cache/bellwether";
}

}  // namespace bellwether::cli
