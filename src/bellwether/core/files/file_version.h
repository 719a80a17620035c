#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <sys/stat.h>

namespace bellwether {

/// Tells the content of a file from what another process replaced it by, as long as files are replaced by OutputFile.
struct FileVersion {
  std::array<std::uint64_t, 5> numbers{};  // all 0: there is no file

  static FileVersion of(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return {};
    const auto number = [](auto value) { return static_cast<std::uint64_t>(value); };
    return {{number(status.st_dev), number(status.st_ino), number(status.st_size), number(status.st_mtim.tv_sec),
             number(status.st_mtim.tv_nsec)}};
  }

  bool exists() const { return *this != FileVersion{}; }
  bool operator==(const FileVersion&) const = default;
};

}  // namespace bellwether
