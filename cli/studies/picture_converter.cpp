#include "studies/picture_converter.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bellwether/core/error.h>
#include <bellwether/core/files/output_file.h>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves the declaration to programs

namespace bellwether::cli {

namespace fs = std::filesystem;

PictureConverter::PictureConverter() {
  const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string program = (fs::path(folder) / "rsvg-convert").string();
    if (access(program.c_str(), X_OK) == 0 && !fs::is_directory(program)) {
      program_ = program;
      return;
    }
  }
}

void PictureConverter::convert(const std::string& svg, const std::string& format) const {
  const std::string target = fs::path(svg).replace_extension(format).string();
  OutputFile picture(target);
  // A PNG needs twice its size on screen for slides and print; a PDF has no pixels.
  std::vector<std::string> words{program_, fmt::format("--format={}", format),
                                 format == "png" ? "--zoom=2" : "--zoom=1", "--", svg};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process = 0;
  int status = 0;
  posix_spawn_file_actions_t outputs;
  posix_spawn_file_actions_init(&outputs);
  posix_spawn_file_actions_adddup2(&outputs, picture.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&outputs, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const bool done = posix_spawn(&process, program_.c_str(), &outputs, nullptr, arguments.data(), environ) == 0 &&
                    waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  posix_spawn_file_actions_destroy(&outputs);
  if (!done) throw IoError(fmt::format("{}: rsvg-convert could not write it", target));
  picture.commit();
}

}  // namespace bellwether::cli
