#pragma once

#include <cstdint>
#include <memory>
#include <set>

namespace SQLite {
class Database;
}

namespace bellwether {

/// Checksums of what a file of results holds, so that damage is noticed before a number is believed. There is one for
/// every study, which covers its row, which settings it has and which of them are planned; one for every setting, which
/// covers what identifies it and its study; and one for every block, which covers its runs, scores and curves. A
/// checksum is the CRC-32 of all columns of these rows, with their types, in the order of their keys.
///
/// Files of format 2 have none for studies: there `write_study` and `verify_study` do nothing.
///
/// They guard against failing disks and half-made copies, not against people, who can compute them too. To be used
/// within a transaction; throws what SQLite throws.
class StoreChecksums {
 public:
  explicit StoreChecksums(SQLite::Database& database);
  ~StoreChecksums();
  StoreChecksums(const StoreChecksums&) = delete;
  StoreChecksums& operator=(const StoreChecksums&) = delete;

  /// Writes the checksums of a study, of a setting, of one of its blocks, of all studies, or of everything in the file,
  /// as it is now.
  void write_study(std::int64_t study);
  void write_setting(std::int64_t setting);
  void write_block(std::int64_t setting, std::uint64_t block);
  void write_studies();
  void write_all();

  /// Throws std::runtime_error when a study, a setting, or any of its blocks, is not what was written. What is not in
  /// the file, and has no checksum there, is as it should be. Blocks that were found to be right once are not read
  /// again.
  void verify_study(std::int64_t study);
  void verify_setting(std::int64_t setting);
  void verify_blocks(std::int64_t setting);

  /// Verifies every study, and that nothing is in the file of which the study or the setting is missing.
  void verify_studies();

  /// Verifies every setting of a study, planned or not.
  void verify_settings_of(std::int64_t study);

 private:
  struct Statements;
  struct OfStudies;

  std::unique_ptr<Statements> statements_;
  std::unique_ptr<OfStudies> studies_;  // none in format 2
  std::set<std::int64_t> verified_;
};

}  // namespace bellwether
