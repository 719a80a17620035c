#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <bellwether/core/support/rng.h>

#include "faults/shim/journal.h"

namespace bellwether::testing {

/// Something that happened to a folder, as the shim records it.
struct DiskEvent {
  journal::Header header;
  std::string bytes;
};

std::vector<DiskEvent> disk_events_in(const std::string& journal);

/// A folder, with those in it, on a disk that has a cache: what the disk surely has, and what it has been told since.
class Disk {
 public:
  /// Takes over what is there.
  explicit Disk(const std::string& folder);

  void happens(const DiskEvent& event);

  enum class Luck { none, all, some };

  /// Writes into a folder what is found after the power comes back: with what was synchronised and nothing else, with
  /// everything, or with a random half of what was not synchronised.
  void write_to(const std::string& folder, Luck luck, Rng& rng) const;

 private:
  void add(const std::string& name, std::uint64_t inode, bool is_folder);
  void synchronise(std::uint64_t inode);

  using Names = std::map<std::string, std::uint64_t>;  // inodes by path within the folder

  Names names_, safe_names_;
  std::map<std::uint64_t, std::string> folders_;          // by inode: the path within the folder, which itself is ""
  std::map<std::uint64_t, std::string> safe_files_;       // by inode
  std::map<std::uint64_t, std::vector<DiskEvent>> told_;  // and not yet synchronised
};

}  // namespace bellwether::testing
