#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <utility>

#include <bellwether/results/store.h>

namespace SQLite {
class Database;
}

namespace bellwether {

/// The blocks that a sweep has found in a file of results, or written there: what it will say is in the file.
///
/// While a sweep writes, SQLite answers from memory. Another program that changes the file, or cuts off what has not
/// been merged into it, is noticed only when the file is read anew.
class WrittenBlocks {
 public:
  void add(std::span<const DoneBlock> found);
  void add(std::span<const BlockResult> written);

  /// Reads the file, which nobody may be writing to. Throws IoError when runs are missing or it is damaged.
  void check_are_in(const std::filesystem::path& file) const;

 private:
  void check_are_in(SQLite::Database& database, const std::filesystem::path& file) const;

  std::map<std::pair<std::int64_t, std::uint64_t>, std::uint64_t> runs_;  // by setting and block
};

}  // namespace bellwether
