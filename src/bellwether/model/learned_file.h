#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bellwether {

/// A file that a model has learned from, by its content: a model that learns from the same steps again counts them
/// twice, and its intervals become narrower than the data allows.
///
///     const LearnedFile log = LearnedFile::of("log.csv");
///     log.begins("copy of log.csv");      // true: a file is recognised by what it holds, not by its name
///     log.begins("log.csv");              // also after rows have been appended: what was learned comes first
///
/// The digest is that of up to 64 samples of 16 KB, spread evenly from the beginning to the end, so that it takes no
/// time; files that differ elsewhere only are taken for the same. A folder is recognised by the files in it.
struct LearnedFile {
  std::string name;          // as it was given
  std::uint64_t bytes = 0;   // its length when it was learned from
  std::uint64_t digest = 0;  // of its content

  /// The digest of a file as it is. Throws IoError when it cannot be read.
  static LearnedFile of(const std::string& path);

  /// Whether the file at `path` is this one, or begins with it.
  bool begins(const std::string& path) const;

  /// Whether two have the same content.
  bool same_as(const LearnedFile& other) const { return bytes == other.bytes && digest == other.digest; }

  /// All that is kept, for saving (core/state.h).
  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.name, self.bytes, self.digest);
  }
};

}  // namespace bellwether
