#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace bellwether::testing {

/// A new folder that is removed by the destructor.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
  }
  ~TemporaryFolder() { std::filesystem::remove_all(folder_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return folder_; }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string folder_ = (std::filesystem::temp_directory_path() / "bellwether-XXXXXX").string();
};

}  // namespace bellwether::testing
