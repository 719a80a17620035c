#include <bellwether/experiment/truth/value_cache.h>

#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>

#include <fmt/format.h>

#include <bellwether/core/files/descriptor.h>
#include <bellwether/core/files/files.h>
#include <bellwether/core/state.h>
#include <bellwether/core/support/hash.h>

namespace bellwether {

namespace fs = std::filesystem;

namespace {

constexpr std::array<char, 8> magic{'B', 'W', 'V', 'A', 'L', 'U', 'E', 'S'};

std::uint64_t hash_of_text(const std::string& text) { return hash_of(std::as_bytes(std::span(text))); }

/// The content of a file of this size that this user or root has made; nothing when there is none, when it is somebody
/// else's, or when it is a pipe or a link.
std::string trusted_bytes(const fs::path& path, std::size_t size) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!file.is_open() || fstat(*file, &status) != 0 || !S_ISREG(status.st_mode)) return "";
  if (status.st_uid != geteuid() && status.st_uid != 0) return "";
  if (static_cast<std::uint64_t>(status.st_size) != size) return "";
  std::string bytes(size, '\0');
  std::size_t filled = 0;
  for (ssize_t count = 0; (count = read(*file, bytes.data() + filled, size - filled)) > 0;) {
    filled += static_cast<std::size_t>(count);
  }
  return filled == size ? bytes : "";
}

/// The content of the file without its checksum.
std::string content(const std::string& key, std::span<const double> values) {
  constexpr std::uint64_t format = 1;
  StateWriter out;
  out(magic, format, std::uint64_t{key.size()}, std::uint64_t{values.size()}, std::span(key), values);
  return out.take();
}

}  // namespace

fs::path ValueCache::file_of(const std::string& key) const {
  return directory_ / fmt::format("values-{:016x}.bin", hash_of_text(key));
}

std::optional<std::vector<double>> ValueCache::find(const std::string& key, std::size_t count) const {
  if (directory_.empty()) return std::nullopt;
  // Everything in the file but the numbers is known, so it is compared rather than parsed.
  std::vector<double> values(count);
  const std::size_t numbers = count * sizeof(double);
  std::uint64_t checksum = 0;
  const std::size_t before = content(key, {}).size();
  const std::size_t size = before + numbers + sizeof(checksum);
  const std::string bytes = trusted_bytes(file_of(key), size);
  if (bytes.size() != size) return std::nullopt;
  std::memcpy(values.data(), bytes.data() + before, numbers);
  std::memcpy(&checksum, bytes.data() + before + numbers, sizeof(checksum));
  const std::string expected = content(key, values);
  if (bytes.compare(0, expected.size(), expected) != 0 || checksum != hash_of_text(expected)) return std::nullopt;
  return values;
}

void ValueCache::keep(const std::string& key, std::span<const double> values) const {
  if (directory_.empty()) return;
  std::error_code ignored;
  fs::create_directories(directory_, ignored);
  const fs::path file = file_of(key);
  // Nothing else is ever replaced, nor written through: what a link leads to, or a pipe without a reader.
  if (const auto type = fs::symlink_status(file, ignored).type();
      type != fs::file_type::regular && type != fs::file_type::not_found) {
    return;
  }
  StateWriter out;
  const std::string bytes = content(key, values);
  out(std::span(bytes), hash_of_text(bytes));
  try {
    write_file(file.string(), out.bytes());
  } catch (const IoError&) {  // a cache may forget
  }
}

}  // namespace bellwether
