#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <bellwether/features/support/tile_groups.h>

namespace bellwether {

/// What happens at the ends of a variable's range: `extend` adds a tile, so that every tiling covers both ends;
/// `clip` enlarges the tiles at the ends to cover what the displacement leaves.
enum class TileEdges : std::uint8_t { extend, clip };

/// Finds the tiles that hold a state, in several displaced grids over each of several groups of variables.
///
/// With n tilings and g tiles along the i-th variable of a group (i = 0, 1, ...), u = (s - low) / (high - low), the
/// tile of tiling j = 0, ..., n-1 along that variable is
///
///   o = (j (1 + 2i)) mod n                                       displacement, in n-ths of a tile
///   extend   floor(g u + o/n)                                    0, ..., g
///   clip     floor(g u + o/n - 1/2 + 1/(2n)) within 0, ..., g-1
///   wrap     floor(g u + o/n) mod g                              0, ..., g-1, whatever the edges
///
/// and tiles are numbered by group, then tiling, then along the variables, the last one fastest. States beyond the
/// range count as its ends; NaN counts as the lower end.
///
/// With `beyond` = k > 0 and `extend`, k more tiles lie at either end of a variable that does not wrap: the first is as
/// wide as a tile, each further one twice as wide as the one before, and the last holds all that is left. That is, a
/// state y tiles beyond an end counts as log2(1 + y) tiles beyond it, linear between whole numbers, and the tile above
/// is taken within -k, ..., g+k and counted from -k on.
class Tilings {
 public:
  /// The largest number of tiles that hold one state.
  static constexpr std::size_t most_active = 4096;

  /// The largest number of variables in a group.
  static constexpr std::size_t most_joint = 64;

  /// Throws InvalidArgument, beginning with `owner`, when a range cannot be divided or a limit is exceeded.
  Tilings(std::string_view owner, const std::vector<Variable>& variables, const std::vector<bool>& wraps,
          const std::vector<TileGroup>& groups, std::int64_t tilings, TileEdges edges, std::int64_t beyond = 0);

  /// The number of tiles. If it is more than 2^32, callers need the 64-bit form of `find`.
  std::uint64_t tiles() const { return tiles_; }

  /// The number of tiles that hold one state: groups times tilings.
  std::size_t active() const { return groups_.size() * tilings_; }

  /// Room for the numbers of the tiles: `active` of them, and a few more that vector instructions write.
  static constexpr std::size_t padding = 8;
  static constexpr std::size_t room = most_active + padding;

  /// The numbers of the tiles that hold a state. The narrow form is for no more than 2^32 tiles.
  void find(std::span<const double> state, std::uint32_t* ids) const;
  void find(std::span<const double> state, std::uint64_t* ids) const;

  /// A variable divided into a number of tiles, shared by all groups that divide it so.
  struct Axis {
    std::size_t variable;
    std::uint32_t tiles;
    bool wraps;
    double low;
    double range;
    double end;  // of the range, in n-ths of a tile
  };

  /// Where a state lies along an axis: in tile `low` in the tilings displaced by less than `threshold` n-ths of a tile,
  /// in tile `high` in the others.
  struct Place {
    std::uint32_t threshold;
    std::uint32_t low;
    std::uint32_t high;
  };

  /// An axis within a group.
  struct Use {
    std::size_t axis;
    std::uint64_t stride;  // how far apart the numbers of neighbouring tiles are
  };

  struct Group {
    std::uint64_t first;  // number of its first tile
    std::uint64_t cells;  // tiles of one tiling
    std::size_t first_use;
    std::size_t uses;
  };

 private:
  static constexpr std::size_t most_axes = 1024;

  double bent(const Axis& axis, double x) const;
  void place(const Axis& axis, double value, Place& out) const;
  std::uint32_t tile(const Axis& axis, std::uint32_t count) const;
  void place_all(std::span<const double> state, Place* places) const;

  std::size_t tilings_;
  double inverse_;    // of tilings_
  double half_tile_;  // in n-ths of a tile, and half an n-th more
  double beyond_;     // tiles at either end, in n-ths of a tile
  TileEdges edges_;
  std::uint64_t tiles_ = 0;
  std::vector<Axis> axes_;
  std::vector<Use> uses_;
  std::vector<Group> groups_;
  std::size_t row_ = 0;                       // tilings, rounded up to whole vectors
  std::vector<std::uint32_t> displacements_;  // row i: those of the i-th variable of a group in each tiling
};

}  // namespace bellwether
