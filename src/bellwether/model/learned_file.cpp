#include <bellwether/model/learned_file.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include <bellwether/core/error.h>

namespace bellwether {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t sample_bytes = 16384;
constexpr std::uint64_t most_samples = 64;

/// FNV-1a, continued.
void add_to_digest(std::uint64_t& digest, const char* bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) digest = (digest ^ static_cast<unsigned char>(bytes[i])) * 0x100000001b3U;
}

/// The digest of the first bytes of a file.
std::uint64_t digest_of(const std::string& path, std::uint64_t bytes) {
  std::ifstream in(path, std::ios::binary);
  std::uint64_t digest = 0xcbf29ce484222325U;
  const std::uint64_t samples = std::min(most_samples, bytes / sample_bytes + 1);
  std::vector<char> sample(sample_bytes);
  for (std::uint64_t i = 0; i < samples; ++i) {
    const std::uint64_t count = std::min(sample_bytes, bytes);
    const std::uint64_t room = bytes - count;
    in.seekg(static_cast<std::streamoff>(
        samples == 1 ? 0 : room / (samples - 1) * i + room % (samples - 1) * i / (samples - 1)));
    in.read(sample.data(), static_cast<std::streamsize>(count));
    if (!in) throw IoError(fmt::format("{}: cannot read: {}", path, std::strerror(errno)));
    add_to_digest(digest, sample.data(), count);
  }
  return digest;
}

/// The files in a folder, in the order of their names.
std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) all.push_back(entry.path().string());
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

LearnedFile LearnedFile::of(const std::string& path) {
  try {
    if (!fs::is_directory(path)) {
      const std::uint64_t bytes = fs::file_size(path);
      return {path, bytes, digest_of(path, bytes)};
    }
    LearnedFile all{path, 0, 0};
    for (const std::string& file : files_in(path)) {
      const LearnedFile one = of(file);
      all.bytes += one.bytes;
      all.digest = all.digest * 0x9e3779b97f4a7c15U + one.digest;
    }
    return all;
  } catch (const fs::filesystem_error& error) {
    throw IoError(fmt::format("{}: cannot read: {}", path, error.code().message()));
  }
}

bool LearnedFile::begins(const std::string& path) const {
  std::error_code failed;
  if (fs::is_directory(path, failed)) return same_as(of(path));
  const std::uint64_t size = fs::file_size(path, failed);
  return !failed && size >= bytes && digest_of(path, bytes) == digest;
}

}  // namespace bellwether
