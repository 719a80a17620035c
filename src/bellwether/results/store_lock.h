#pragma once

#include <filesystem>

namespace bellwether {

/// The right to write a file of results, held by one process at a time: an advisory lock on FILE.lock, which names its
/// holder. The kernel releases the lock when the holder ends, however it ends, so a lock file left behind by kill -9
/// does no harm.
class StoreLock {
 public:
  /// Throws IoError when another process, or another StoreLock of this one, holds it:
  /// `boyan.db is being written to by another sweep (process 1234 on host)`.
  explicit StoreLock(const std::filesystem::path& file);
  ~StoreLock();  // removes the lock file
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;

 private:
  std::filesystem::path lock_file_;
  int descriptor_ = -1;
};

}  // namespace bellwether
