#include <bellwether/features/support/tile_table.h>

namespace bellwether {

TileTable::Known& TileTable::find(std::uint64_t owner, std::uint32_t first) {
  std::size_t place = std::size_t{2} * first;
  for (;;) {
    const std::uint64_t present = known_[place].owner.load(std::memory_order_acquire);
    if (present == owner || present == 0) return known_[place];
    if (++place == known_.size()) place = 0;
  }
}

std::uint32_t TileTable::index(std::uint64_t id, std::uint32_t first) {
  const std::uint64_t owner = id + 1;
  const Known& known = find(owner, first);
  if (known.owner.load(std::memory_order_acquire) == owner) return known.index;
  if (count_.load(std::memory_order_acquire) == taken_.size()) return first;

  const std::lock_guard lock(adding_);
  Known& place = find(owner, first);  // once more: another thread may have added it
  if (place.owner.load(std::memory_order_relaxed) == owner) return place.index;
  if (count_.load(std::memory_order_relaxed) == taken_.size()) return first;
  std::size_t free = first;
  while (taken_[free]) free = free + 1 == taken_.size() ? 0 : free + 1;
  taken_[free] = true;
  place.index = static_cast<std::uint32_t>(free);
  place.owner.store(owner, std::memory_order_release);
  count_.fetch_add(1, std::memory_order_release);
  return place.index;
}

}  // namespace bellwether
