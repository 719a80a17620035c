#pragma once

#include <string>
#include <string_view>

#include <bellwether/core/support/descriptor.h>

namespace bellwether {

/// The right to work on a file, held by one process at a time: an advisory lock (flock) on FILE.lock, which names its
/// holder. The kernel releases the lock when the holder ends, however it ends, so a lock file left behind by kill -9
/// does no harm. Links at FILE are resolved first.
///
/// Nothing is written through a link, and nothing that is not a lock file is overwritten: the lock file must be a
/// regular file of one name that is empty or names a holder.
class FileLock {
 public:
  /// Throws IoError when another process, or another FileLock of this one, holds it; `taken` says what it does:
  ///
  ///     FileLock("boyan.db", "is being written to by another sweep");
  ///     boyan.db is being written to by another sweep (process 1234 on host)
  FileLock(const std::string& file, std::string_view taken);
  ~FileLock();  // removes the lock file
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  /// False when the lock file was removed meanwhile.
  bool try_to_hold(const std::string& file, std::string_view taken);

  std::string lock_file_;
  Descriptor held_;
};

}  // namespace bellwether
