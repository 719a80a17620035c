#pragma once

#include <cstdint>

/// What the shim records of a folder, and a test replays: headers, each followed by `size` bytes.
namespace journal {

constexpr char fresh = 'n';   // a name, the bytes, is that of a new and empty file
constexpr char create = 'c';  // a name, the bytes, now leads to the inode, which had another name
constexpr char folder = 'f';  // a name is that of a new and empty folder
constexpr char remove = 'd';  // a name is gone
constexpr char write = 'w';   // bytes are written `at` a place
constexpr char resize = 't';  // the file is `at` bytes long
constexpr char sync = 's';    // what was written to the file or the folder is on the disk

struct Header {
  char event;
  std::uint64_t inode;
  std::uint64_t at;
  std::uint64_t size;
};

}  // namespace journal
