#pragma once

#include <string>
#include <string_view>

#include <bellwether/core/files/descriptor.h>

namespace bellwether {

/// The right to work on a file, held by one process at a time: an advisory lock (flock) on FILE.lock, which names its
/// holder. The kernel releases the lock when the holder ends, however it ends, so a lock file left behind by kill -9
/// does no harm. Links at FILE are resolved first.
///
/// Nothing is written through a link, and nothing that is not a lock file is overwritten: the lock file must be a
/// regular file of one name that names a holder, or is empty or a few zero bytes, as a power failure may leave it.
///
/// Nothing keeps people from removing the lock file. Another process may then get in, so a holder that works for long
/// asks `in_place` before it writes.
class FileLock {
 public:
  /// Throws IoError when another process, or another FileLock of this one, holds it; `taken` says what it does:
  ///
  ///     FileLock("boyan.db", "is being written to by another sweep");
  ///     boyan.db is being written to by another sweep (process 1234 on host)
  FileLock(const std::string& file, std::string_view taken);
  ~FileLock();  // removes the lock file, unless it is another's by now
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  /// Whether the lock file is still the one that is held, so that nobody else has got in.
  bool in_place() const;

  /// Takes the lock once more, after its file was removed. Throws IoError when another process holds it by now.
  void hold_again();

 private:
  void hold();
  bool try_to_hold();

  std::string file_;  // as given, for messages
  std::string taken_;
  std::string lock_file_;
  Descriptor held_;
};

}  // namespace bellwether
