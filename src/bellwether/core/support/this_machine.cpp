#include <bellwether/core/support/this_machine.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <fmt/format.h>

namespace bellwether {

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

std::string machine_text() {
  std::string model = "unknown processor";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) {
      model = line.substr(std::min(line.find(':') + 2, line.size()));
      break;
    }
  }
  return fmt::format("{}, {} cores", model, std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace bellwether
