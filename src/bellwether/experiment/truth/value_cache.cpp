#include <bellwether/experiment/truth/value_cache.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include <unistd.h>

#include <fmt/format.h>

#include <bellwether/core/support/hash.h>

namespace bellwether {

namespace fs = std::filesystem;

namespace {

constexpr std::array<char, 8> magic{'B', 'W', 'V', 'A', 'L', 'U', 'E', 'S'};

struct Header {
  std::array<char, 8> what = magic;
  std::uint64_t format = 1;
  std::uint64_t key_length = 0;
  std::uint64_t count = 0;
};

template <class T>
void put(std::string& bytes, const T* data, std::size_t count) {
  if (count > 0) bytes.append(reinterpret_cast<const char*>(data), count * sizeof(T));
}

std::uint64_t hash_of_text(const std::string& text) { return hash_of(std::as_bytes(std::span(text))); }

/// The content of the file without its checksum.
std::string content(const std::string& key, std::span<const double> values) {
  const Header header{.key_length = key.size(), .count = values.size()};
  std::string bytes;
  put(bytes, &header, 1);
  bytes += key;
  put(bytes, values.data(), values.size());
  return bytes;
}

}  // namespace

fs::path ValueCache::file_of(const std::string& key) const {
  return directory_ / fmt::format("values-{:016x}.bin", hash_of_text(key));
}

std::optional<std::vector<double>> ValueCache::find(const std::string& key, std::size_t count) const {
  if (directory_.empty()) return std::nullopt;
  std::ifstream file(file_of(key), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  // Everything in the file but the numbers is known, so it is compared rather than parsed.
  std::vector<double> values(count);
  const std::size_t numbers = count * sizeof(double);
  std::uint64_t checksum = 0;
  const std::size_t before = sizeof(Header) + key.size();
  if (bytes.size() != before + numbers + sizeof(checksum)) return std::nullopt;
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
  std::string bytes = content(key, values);
  const std::uint64_t checksum = hash_of_text(bytes);
  put(bytes, &checksum, 1);
  const fs::path target = file_of(key);
  static std::atomic<unsigned> written = 0;  // threads of one process write files of their own
  const fs::path partial = target.string() + fmt::format(".{}.{}", getpid(), written++);
  {
    std::ofstream file(partial, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (file.good()) fs::rename(partial, target, ignored);
  }
  fs::remove(partial, ignored);
}

}  // namespace bellwether
