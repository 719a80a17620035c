#include <bellwether/core/support/files.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/support/output_file.h>

namespace bellwether {

namespace fs = std::filesystem;

std::string read_file(const std::string& path, std::string_view beginning) {
  const auto fail = [&path](int reason) {
    throw IoError(fmt::format("cannot read {}: {}", path, std::strerror(reason)));
  };
  if (fs::is_directory(path)) fail(EISDIR);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) fail(errno);
  std::string bytes;
  std::array<char, 1 << 16> chunk{};
  while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), file.get())) {
    bytes.append(chunk.data(), count);
    if (!bytes.starts_with(beginning.substr(0, bytes.size()))) break;
  }
  if (std::ferror(file.get()) != 0) fail(errno);
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
