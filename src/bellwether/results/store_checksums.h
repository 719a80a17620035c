#pragma once

#include <cstdint>
#include <memory>
#include <set>

namespace SQLite {
class Database;
}

namespace bellwether {

/// Checksums of what a file of results holds, so that damage is noticed before a number is believed. There is one for
/// every setting, which covers what identifies it and its study, and one for every block, which covers its runs, scores
/// and curves. A checksum is the CRC-32 of all columns of these rows, with their types, in the order of their keys.
///
/// They guard against failing disks and half-made copies, not against people, who can compute them too. To be used
/// within a transaction; throws what SQLite throws.
class StoreChecksums {
 public:
  explicit StoreChecksums(SQLite::Database& database);
  ~StoreChecksums();
  StoreChecksums(const StoreChecksums&) = delete;
  StoreChecksums& operator=(const StoreChecksums&) = delete;

  /// Writes the checksums of a setting, of one of its blocks, or of everything in the file, as it is now.
  void write_setting(std::int64_t setting);
  void write_block(std::int64_t setting, std::uint64_t block);
  void write_all();

  /// Throws std::runtime_error when a setting, or any of its blocks, is not what was written. What was found to be
  /// right once is not read again.
  void verify_setting(std::int64_t setting);
  void verify_blocks(std::int64_t setting);

 private:
  struct Statements;

  std::unique_ptr<Statements> statements_;
  std::set<std::int64_t> verified_;
};

}  // namespace bellwether
