#include "cli/program.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <sys/wait.h>

namespace bellwether::testing {

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Finished bellwether(const std::string& arguments, const std::string& out_path) {
  static const TemporaryFolder cache;
  const TemporaryFolder folder;
  const std::string out = out_path.empty() ? folder.path("out") : out_path;
  const std::string err = folder.path("err");
  const std::string command = "BELLWETHER_CACHE=" + cache.path() + " " BELLWETHER_PROGRAM " " + arguments + " >" + out +
                              " 2>" + err + " </dev/null";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, out_path.empty() ? read_file(out) : "", read_file(err)};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace bellwether::testing
