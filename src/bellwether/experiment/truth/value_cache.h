#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bellwether {

/// Lists of numbers kept in a directory, each in a file of its own, under a key that names everything it depends on.
///
///   file   values-<hash of key>.bin
///   bytes  "BWVALUES", format, length of key, count; key; numbers; checksum of all before
///
/// A file is first written under another name and then renamed, so that readers see it whole or not at all. Files that
/// neither this user nor root has made, links and pipes are not believed.
class ValueCache {
 public:
  /// With an empty directory nothing is found and nothing is kept.
  explicit ValueCache(std::filesystem::path directory) : directory_(std::move(directory)) {}

  /// The numbers kept under `key`; nothing when there are none, when there are not `count` of them, or when the file is
  /// damaged.
  std::optional<std::vector<double>> find(const std::string& key, std::size_t count) const;

  /// Keeps numbers. Failure to write is not an error: a cache may forget.
  void keep(const std::string& key, std::span<const double> values) const;

  std::filesystem::path file_of(const std::string& key) const;

 private:
  std::filesystem::path directory_;
};

}  // namespace bellwether
