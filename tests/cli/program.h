#pragma once

#include <string>

namespace bellwether::testing {

struct Finished {
  int code;         // exit code
  std::string out;  // standard output
  std::string err;  // standard error
};

/// Runs the real program through the shell, so that arguments are written as people type them. Standard output is read
/// back, or goes to `out_path`.
Finished bellwether(const std::string& arguments, const std::string& out_path = "");

/// A fresh folder that is removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string folder_;
};

std::string read_file(const std::string& path);

}  // namespace bellwether::testing
