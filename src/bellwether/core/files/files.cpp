#include <bellwether/core/files/files.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/files/output_file.h>
#include <bellwether/core/files/patience.h>

namespace bellwether {

namespace fs = std::filesystem;

std::string read_file(const std::string& path, std::string_view beginning) {
  const auto fail = [&path](int reason) {
    throw IoError(fmt::format("cannot read {}: {}", path, std::strerror(reason)));
  };
  std::error_code cannot_tell;  // why the path leads nowhere is what opening it will say
  if (fs::is_directory(path, cannot_tell)) fail(EISDIR);
  const Descriptor file = open_patiently(path, O_RDONLY);
  if (!file.is_open()) fail(errno);
  const bool waits = !fs::is_regular_file(path, cannot_tell);
  std::string bytes;
  std::array<char, 1 << 14> chunk{};
  while (bytes.starts_with(beginning.substr(0, bytes.size()))) {
    if (waits && !wait_until_ready(*file, POLLIN)) fail(errno);
    const ssize_t count = read(*file, chunk.data(), chunk.size());
    if (count == 0) break;
    if (count < 0 && errno != EINTR && errno != EAGAIN) fail(errno);
    if (count > 0) bytes.append(chunk.data(), static_cast<std::size_t>(count));
  }
  return bytes;
}

void write_file(const std::string& path, std::string_view bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.commit();
}

void reject_overwriting(std::string_view who, std::vector<std::string> inputs,
                        const std::vector<std::string>& outputs) {
  std::vector<std::string> taken = std::move(inputs);
  for (const std::string& path : outputs) {
    if (path.empty()) continue;
    std::error_code failed;
    const bool exists = fs::is_regular_file(path, failed);
    for (const std::string& other : taken) {
      if (other != "-" && (path == other || (exists && fs::equivalent(path, other, failed)))) {
        throw InvalidArgument(fmt::format("{}: {} would be overwritten", who, other));
      }
    }
    taken.push_back(path);
  }
}

}  // namespace bellwether
