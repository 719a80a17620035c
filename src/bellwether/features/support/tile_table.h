#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace bellwether {

/// Gives every tile its own index as long as there are free ones: the first free index from its hash on, which it
/// keeps. When none is free, a tile shares the index of its hash.
///
/// O(1), whether or not there are indices left. Any number of threads may call it at once: a known tile takes no lock,
/// a new one does. Where the searches of two tiles meet, the order of visits decides which index each gets.
class TileTable {
 public:
  explicit TileTable(std::size_t indices) : taken_(indices, false), known_(2 * indices) {}

  /// The index of tile `id`, whose hash names the index `first`.
  std::uint32_t index(std::uint64_t id, std::uint32_t first);

 private:
  /// A slot of the hash table, which uses open addressing; half of the slots stay empty, so that searches are short.
  struct Known {
    std::atomic<std::uint64_t> owner = 0;  // id + 1; 0 where empty. Written after the index, by one thread at a time.
    std::uint32_t index = 0;
  };

  /// The slot of a tile, or the empty one where it belongs.
  Known& find(std::uint64_t owner, std::uint32_t first);

  std::mutex adding_;
  std::vector<bool> taken_;
  std::vector<Known> known_;
  std::atomic<std::size_t> count_ = 0;
};

}  // namespace bellwether
