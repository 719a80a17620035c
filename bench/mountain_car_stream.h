#pragma once

#include <cstdint>

#include <bellwether/core/batch.h>

namespace bellwether::bench {

/// What the features of a stream look like. Dense states have a value in every place; binary ones as many ones as there
/// are tilings.
struct Shape {
  Layout layout;
  std::size_t dim;
  std::size_t active;
};

/// Steps of Mountain Car: episodes of about 150 steps in which a state shares most of its features with the one before,
/// as in practice.
///
/// Binary: `active` tilings, with as many tiles a side as there is room for in `dim` features. Dense: the first `dim`
/// of a Fourier basis. A step costs 0.01, so that values are about -1, and the last step ends an episode, so that the
/// stream can be repeated.
BatchBuffer mountain_car(const Shape& shape, std::size_t steps, std::uint64_t seed);

}  // namespace bellwether::bench
