#include <bellwether/features/tile_coding.h>

#include <algorithm>

#include <fmt/format.h>

#include <bellwether/features/support/distinct.h>
#include <bellwether/features/support/fmix.h>
#include <bellwether/linalg/simd/simd.h>

namespace bellwether {

namespace {

constexpr std::uint64_t most_narrow = std::uint64_t{1} << 32U;

/// The finaliser fmix32 of MurmurHash3 (Appleby, public domain): a bijection of 32 bits.
BELLWETHER_SIMD void hash(std::uint32_t* ids, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t h = ids[i];
    h = (h ^ h >> 16U) * 0x85ebca6bU;
    h = (h ^ h >> 13U) * 0xc2b2ae35U;
    ids[i] = h ^ h >> 16U;
  }
}

/// Every index modulo m.
BELLWETHER_SIMD void reduce(std::uint32_t* indices, std::size_t count, std::uint32_t m) {
  if ((m & (m - 1)) == 0) {
    for (std::size_t i = 0; i < count; ++i) indices[i] &= m - 1;
    return;
  }
  // The half keeps the rounded quotient off whole numbers.
  const double inverse = 1.0 / m;
  for (std::size_t i = 0; i < count; ++i) indices[i] -= m * static_cast<std::uint32_t>((indices[i] + 0.5) * inverse);
}

const FeatureContext& with_variables(const FeatureContext& context) {
  if (context.variables.empty()) throw InvalidArgument("tile_coding: there is no variable to tile");
  return context;
}

}  // namespace

TileCoding::TileCoding(const FeatureContext& context, const Params& params)
    : hashed_(checked(name, params).indexing == TileIndexing::hash),
      tilings_(name, with_variables(context).variables, parse_wrapping(name, context.variables, params.wrap),
               parse_tile_groups(name, context.variables, params.groups, params.tiles), params.tilings, params.edges,
               params.beyond) {
  if (params.beyond > 0 && params.edges == TileEdges::clip) {
    throw InvalidArgument(fmt::format(
        "tile_coding: beyond = {} needs edges = extend: clipped edges have no tiles beyond", params.beyond));
  }
  wide_ = tilings_.tiles() > most_narrow;
  if (wide_ && (!hashed_ || !params.memory)) {
    throw InvalidArgument(fmt::format(
        "tile_coding: {} tiles are more than 2^32; set indexing = hash and memory, or tile fewer variables jointly "
        "(groups = 1,2)",
        tilings_.tiles()));
  }
  dim_ = params.memory ? static_cast<std::size_t>(*params.memory) : static_cast<std::size_t>(tilings_.tiles());
  merges_ = hashed_ || dim_ < tilings_.tiles();
  if (params.collisions == TileCollisions::share) return;
  if (!hashed_) throw InvalidArgument("tile_coding: collisions = probe needs indexing = hash");
  table_ = std::make_unique<TileTable>(dim_);
}

std::size_t TileCoding::max_active() const { return std::min(tilings_.active(), dim_); }

void TileCoding::write(std::span<const double> state, Moment, RowBuffer& rows) const {
  std::array<std::uint32_t, Tilings::room> indices;
  const std::size_t active = tilings_.active();
  std::array<std::uint64_t, Tilings::room> ids;  // only where they are asked for below
  if (wide_) {
    tilings_.find(state, ids.data());
    std::transform(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(active), indices.begin(), upper_fmix64);
  } else {
    tilings_.find(state, indices.data());
    if (table_ != nullptr) std::copy_n(indices.begin(), active, ids.begin());
    if (hashed_) hash(indices.data(), active);
  }
  if (!merges_) {
    rows.add_ones({indices.data(), active});
    return;
  }
  reduce(indices.data(), active, static_cast<std::uint32_t>(dim_));
  if (table_ != nullptr) {
    for (std::size_t i = 0; i < active; ++i) indices[i] = table_->index(ids[i], indices[i]);
  }
  rows.add_ones({indices.data(), keep_distinct({indices.data(), active}, dim_)});
}

}  // namespace bellwether
