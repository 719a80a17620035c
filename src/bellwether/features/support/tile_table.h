#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace bellwether {

/// Gives every tile an index of its own, as long as there are any: the first free one from the index that its hash
/// names, for ever. A tile that comes when all are taken shares the one that its hash names.
///
/// O(1), whether or not there are indices left. Any number of threads may ask at once: looking up takes no lock, a new
/// tile does. Which index a tile gets depends on the order of visits where the searches of tiles meet.
class TileTable {
 public:
  explicit TileTable(std::size_t indices) : taken_(indices, false), known_(2 * indices) {}

  /// The index of tile `id`, whose hash names the index `first`.
  std::uint32_t index(std::uint64_t id, std::uint32_t first);

 private:
  /// Tiles are looked up here by open addressing; half of the places stay empty, so that searches end soon.
  struct Known {
    std::atomic<std::uint64_t> owner = 0;  // id + 1; 0 where empty. Written after the index, by one thread at a time.
    std::uint32_t index = 0;
  };

  /// The place of a tile, or the empty one where it would be.
  Known& find(std::uint64_t owner, std::uint32_t first);

  std::mutex adding_;
  std::vector<bool> taken_;
  std::vector<Known> known_;
  std::atomic<std::size_t> count_ = 0;
};

}  // namespace bellwether
