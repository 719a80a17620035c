#include <bellwether/features/support/tilings.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/features/support/unit_interval.h>
#include <bellwether/linalg/simd/simd.h>

namespace bellwether {

namespace {

/// Eight numbers at once. Clang forgets an alignment that such a type is declared with, so numbers are copied.
using Lanes = std::uint32_t __attribute__((vector_size(Tilings::padding * sizeof(std::uint32_t))));

/// What a variable adds to the number of a tile where the displacement reaches the threshold.
struct Step {
  std::uint32_t threshold;
  std::uint32_t step;
};

/// The numbers of the tiles of all groups, eight tilings at a time:
///
///   id_j = first + j cells + sum_i stride_i (tile of the i-th variable in tiling j)
BELLWETHER_SIMD void number_tiles(const Tilings::Group* groups, std::size_t count, const Tilings::Use* uses,
                                  const Tilings::Place* places, const std::uint32_t* displacements, std::size_t row,
                                  std::size_t tilings, std::uint32_t* ids) {
  constexpr Lanes lane = {0, 1, 2, 3, 4, 5, 6, 7};
  std::array<Step, Tilings::most_joint> steps;
  for (std::size_t g = 0; g < count; ++g) {
    const Tilings::Group group = groups[g];
    auto first = static_cast<std::uint32_t>(group.first);
    for (std::size_t i = 0; i < group.uses; ++i) {
      const Tilings::Use use = uses[group.first_use + i];
      const Tilings::Place place = places[use.axis];
      const auto stride = static_cast<std::uint32_t>(use.stride);
      first += stride * place.low;
      steps[i] = {place.threshold, stride * (place.high - place.low)};
    }
    for (std::size_t j = 0; j < tilings; j += Tilings::padding) {
      Lanes id = (lane + static_cast<std::uint32_t>(j)) * static_cast<std::uint32_t>(group.cells) + first;
      for (std::size_t i = 0; i < group.uses; ++i) {
        Lanes o;
        std::memcpy(&o, displacements + i * row + j, sizeof o);
        id += reinterpret_cast<Lanes>(o >= steps[i].threshold) & steps[i].step;
      }
      std::memcpy(ids + j, &id, sizeof id);
    }
    ids += tilings;
  }
}

}  // namespace

Tilings::Tilings(std::string_view owner, const std::vector<Variable>& variables, const std::vector<bool>& wraps,
                 const std::vector<TileGroup>& groups, std::int64_t tilings, TileEdges edges, std::int64_t beyond)
    : tilings_(static_cast<std::size_t>(tilings)),
      inverse_(1.0 / static_cast<double>(tilings)),
      half_tile_(static_cast<double>(tilings + 1) / 2),
      beyond_(static_cast<double>(beyond * tilings)),
      edges_(edges) {
  if (groups.size() > most_active / tilings_) {
    throw InvalidArgument(fmt::format("{}: {} groups of {} tilings are more than {} tiles for a state", owner,
                                      groups.size(), tilings_, most_active));
  }
  double total = 0;
  std::size_t longest = 0;
  for (const TileGroup& group : groups) {
    if (group.variables.size() > most_joint) {
      throw InvalidArgument(fmt::format("{}: {} variables are too many to tile jointly; at most {}", owner,
                                        group.variables.size(), most_joint));
    }
    Group numbered{.first = tiles_, .cells = 1, .first_use = uses_.size(), .uses = group.variables.size()};
    double cells = 1;
    uses_.resize(uses_.size() + numbered.uses);
    for (std::size_t i = numbered.uses; i-- > 0;) {
      const std::size_t variable = group.variables[i];
      const std::int64_t g = group.tiles[i];
      const auto known = std::find_if(axes_.begin(), axes_.end(), [&](const Axis& axis) {
        return axis.variable == variable && axis.tiles == static_cast<std::uint32_t>(g);
      });
      uses_[numbered.first_use + i] = {static_cast<std::size_t>(known - axes_.begin()), numbered.cells};
      if (known == axes_.end()) {
        const Variable& v = variables[variable];
        check_range(owner, v);
        axes_.push_back({variable, static_cast<std::uint32_t>(g), wraps[variable], v.low, v.high - v.low,
                         static_cast<double>(g) * static_cast<double>(tilings)});
      }
      const std::int64_t more = edges == TileEdges::extend && !wraps[variable] ? 1 + 2 * beyond : 0;
      numbered.cells *= static_cast<std::uint64_t>(g + more);
      cells *= static_cast<double>(g + more);
    }
    total += cells * static_cast<double>(tilings);
    if (total >= 0x1p63) throw InvalidArgument(fmt::format("{}: {:.3g} tiles are too many to count", owner, total));
    tiles_ += numbered.cells * tilings_;
    longest = std::max(longest, numbered.uses);
    groups_.push_back(numbered);
  }
  if (axes_.size() > most_axes) {
    throw InvalidArgument(
        fmt::format("{}: variables are cut in {} different ways, more than {}", owner, axes_.size(), most_axes));
  }
  row_ = (tilings_ + padding - 1) / padding * padding;
  displacements_.resize(longest * row_, 0);
  for (std::size_t i = 0; i < longest; ++i) {
    for (std::size_t j = 0; j < tilings_; ++j) {
      displacements_[i * row_ + j] = static_cast<std::uint32_t>(j * (1 + 2 * i) % tilings_);
    }
  }
}

std::uint32_t Tilings::tile(const Axis& axis, std::uint32_t count) const {
  if (axis.wraps) return count == axis.tiles ? 0 : count;
  if (edges_ == TileEdges::extend) return count;
  return std::clamp(count, 1U, axis.tiles) - 1;  // tiles are counted from -1 on
}

/// Where x, in n-ths of a tile, lies when tiles beyond the ends double in width, counted from the first of them. The
/// logarithm is linear between powers of two, and so has the same bits on every processor.
double Tilings::bent(const Axis& axis, double x) const {
  const auto n = static_cast<double>(tilings_);
  const auto log2_of_1_plus = [](double y) {
    int exponent = 0;
    const double fraction = std::frexp(1 + y, &exponent);  // 1 + y = 2 fraction * 2^(exponent - 1), 1 <= 2 fraction < 2
    return exponent - 1 + (2 * fraction - 1);
  };
  if (x < 0) x = -n * log2_of_1_plus(-x / n);
  else if (x > axis.end) x = axis.end + n * log2_of_1_plus((x - axis.end) / n);
  return x + beyond_;
}

void Tilings::place(const Axis& axis, double value, Place& out) const {
  // In n-ths of a tile everything is whole: q = floor(n g u) = a n + b lies in tile a, or a + 1 if b + o >= n. The
  // product is formed before the quotient so that whole values in whole ranges are placed exactly.
  double x = (value - axis.low) * axis.end / axis.range;
  if (axis.wraps) {
    x -= axis.end * std::floor(x / axis.end);
    if (!(x < axis.end)) x = 0;
  }
  // floor(g u + o/n - 1/2 + 1/(2n)) + 1 = floor((n g u + o + (n+1)/2) / n) when clipping
  const double shift = axis.wraps || edges_ == TileEdges::extend ? 0 : half_tile_;
  const auto n = static_cast<std::uint32_t>(tilings_);
  double end = axis.end;
  if (beyond_ > 0 && !axis.wraps) {
    x = bent(axis, x);
    end += 2 * beyond_;
  }
  const auto q = static_cast<std::uint32_t>((x > 0 ? std::min(x, end) : 0) + shift);
  const auto a = static_cast<std::uint32_t>((q + 0.5) * inverse_);  // half an n-th keeps off whole numbers
  const std::uint32_t b = q - a * n;
  // Number by number: a structure of three would be returned in pieces and read back before they are joined.
  out.threshold = n - b;
  out.low = tile(axis, a);
  out.high = tile(axis, a + 1);
}

void Tilings::place_all(std::span<const double> state, Place* places) const {
  for (std::size_t i = 0; i < axes_.size(); ++i) place(axes_[i], state[axes_[i].variable], places[i]);
}

void Tilings::find(std::span<const double> state, std::uint32_t* ids) const {
  std::array<Place, most_axes> places;
  place_all(state, places.data());
  number_tiles(groups_.data(), groups_.size(), uses_.data(), places.data(), displacements_.data(), row_, tilings_, ids);
}

void Tilings::find(std::span<const double> state, std::uint64_t* ids) const {
  std::array<Place, most_axes> places;
  place_all(state, places.data());
  for (const Group& group : groups_) {
    for (std::size_t j = 0; j < tilings_; ++j) {
      std::uint64_t id = group.first + j * group.cells;
      for (std::size_t i = 0; i < group.uses; ++i) {
        const Use& use = uses_[group.first_use + i];
        const Place& place = places[use.axis];
        id += use.stride * (displacements_[i * row_ + j] >= place.threshold ? place.high : place.low);
      }
      *ids++ = id;
    }
  }
}

}  // namespace bellwether
