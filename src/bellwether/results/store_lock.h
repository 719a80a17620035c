#pragma once

#include <filesystem>
#include <string>

#include <bellwether/core/files/file_lock.h>

namespace bellwether {

/// The right to write a file of results, held by one process at a time, and the knowledge of which file it is.
///
/// FILE.lock (core/files/file_lock.h) keeps others out from the beginning, and says who they are waiting for. Once
/// the file exists, it is locked itself, so that it is also kept from those who know it by another name (a hard link).
class StoreLock {
 public:
  /// Throws IoError when another process, or another StoreLock of this one, holds it:
  /// `boyan.db is being written to by another sweep (process 1234 on host)`.
  explicit StoreLock(const std::filesystem::path& file);

  /// Locks the file itself, which has to exist. Throws IoError when another process has it under another name.
  ///
  /// Until the StoreLock is gone, no other descriptor of the file may be closed in this process, and the database has
  /// to be closed before it: closing one gives up all the locks that SQLite holds.
  void hold_file();

  /// Throws IoError unless the file that was held is still the one of this name: what is written to a file that was
  /// deleted, moved or replaced would be lost.
  void check_in_place() const;

 private:
  std::string file_;  // as given, for messages
  std::string target_;
  FileLock by_name_;
  Descriptor held_;
};

}  // namespace bellwether
