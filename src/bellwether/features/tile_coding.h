#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <bellwether/core/feature_map.h>
#include <bellwether/core/params/registry.h>
#include <bellwether/features/support/tile_table.h>
#include <bellwether/features/support/tilings.h>

namespace bellwether {

enum class TileIndexing : std::uint8_t { direct, hash };
constexpr auto names(TileIndexing) { return std::array{"direct", "hash"}; }

constexpr auto names(TileEdges) { return std::array{"extend", "clip"}; }

enum class TileCollisions : std::uint8_t { share, probe };
constexpr auto names(TileCollisions) { return std::array{"share", "probe"}; }

class TileCoding final : public FeatureMap {
 public:
  static constexpr const char* name = "tile_coding";
  static constexpr Doc doc{
      .summary = "Several grids over the state, displaced against each other; a feature for each tile.",
      .detail = R"(
x_k(s) = 1 if tile k holds s, else 0; with n tilings, n features are 1 for every group of variables
along a variable, with g tiles, u = (s - low) / (high - low), i its position in its group, the tile in tiling j is
  floor(g u + o/n), o = (j (1 + 2i)) mod n     so that moving by 1/n of a tile changes one tiling, if i = 0
edges:
extend  the tiles 0, ..., g: one more than asked for, so that every tiling reaches over both ends
clip    floor(g u + o/n - 1/2 + 1/(2n)) within 0, ..., g-1: the tiles at the ends are larger
wrap    modulo g: low and high are the same point, as with an angle
beyond  so many more tiles at both ends of a range (edges extend), each twice as wide as the one before
groups, items separated by commas:
all     all variables jointly                x*speed  these variables jointly
2       every pair of variables (1: each alone, 3: every triple, ...)
tiles:  8 along every variable; 10x5 along the first and second of a group; 4,4,2 for three items of groups
index:  tiles are numbered by group, tiling and position, the last variable fastest
direct  number mod memory                    hash     hash(number) mod memory, hash = fmix32 of MurmurHash3
collisions of hashes:
share   tiles with the same index are one feature
probe   a tile takes the first free index from its hash on and keeps it; when none is free, they are shared
)",
      .reference =
          "Sutton and Barto (2018), Reinforcement Learning, section 9.5.4; the displacement is that of Sutton's "
          "tiles3; hashing to less memory: Albus (1975), doi:10.1115/1.3426922",
      .note =
          "Binary; O(groups x tilings) time. Divide step sizes by the number of tiles of a state, groups x tilings. "
          "The number of tilings should be a power of two and at least four times the variables of a group, or some "
          "displacements coincide. With all variables jointly the tiles multiply: beyond three or four variables use "
          "groups of one, two and three, or hash. Values beyond a range count as its end, unless there are tiles "
          "beyond. With probe, the index of "
          "a tile can depend on which states were visited first, so give every run its own map."};

  struct Params {
    std::int64_t tilings = 8;
    std::string tiles = "8";
    std::string groups = "all";
    std::string wrap = "auto";
    std::optional<std::int64_t> memory = std::nullopt;
    TileIndexing indexing = TileIndexing::direct;
    TileEdges edges = TileEdges::extend;
    TileCollisions collisions = TileCollisions::share;
    std::int64_t beyond = 0;

    static constexpr auto fields() {
      return std::tuple{
          Field("tilings", &Params::tilings, between(1, Tilings::most_active), "grids over every group of variables"),
          Field("tiles", &Params::tiles,
                "tiles along a variable: 8, or 10x5, or one such item for each item of groups"),
          Field("groups", &Params::groups, "variables tiled jointly: all, 1, 2, ..., or names as x*speed; or a list"),
          Field("wrap", &Params::wrap, "variables that wrap around: auto, none, or names separated by commas"),
          Field("memory", &Params::memory, between(1, 0x1p31), "number of features; auto: as many as there are tiles"),
          Field("indexing", &Params::indexing, "how the number of a tile becomes an index"),
          Field("edges", &Params::edges, "what happens at the ends of a range"),
          Field("collisions", &Params::collisions, "what happens when hashes are equal"),
          Field("beyond", &Params::beyond, between(0, 32), "tiles beyond each end of a range, each twice as wide")};
    }
  };

  /// Throws InvalidArgument when the groups, the tiles and the variables do not fit together, or when there are more
  /// than 2^32 tiles that are not hashed.
  TileCoding(const FeatureContext& context, const Params& params);

  std::string_view type() const override { return name; }
  Layout layout() const override { return Layout::binary; }
  std::size_t dim() const override { return dim_; }
  std::size_t max_active() const override;
  void write(std::span<const double> state, Moment moment, RowBuffer& rows) const override;

  /// The number of tiles, which may be more than the number of features.
  std::uint64_t tiles() const { return tilings_.tiles(); }

 private:
  std::size_t dim_;
  bool hashed_;
  bool wide_;    // numbers of tiles take 64 bits
  bool merges_;  // two tiles of a state may share an index
  Tilings tilings_;
  std::unique_ptr<TileTable> table_;  // when probing
};

}  // namespace bellwether
