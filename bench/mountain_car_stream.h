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

/// Steps of Mountain Car under the policy that pushes the way the car rolls, and one time in five at random: episodes
/// of about 150 steps in which a state shares most of its features with the one before, as in practice.
///
/// Binary: `active` tilings, each with its own dim/active places and as many tiles a side as these allow; tiles that do
/// not fit are hashed. Dense: cosines of position and velocity. A step costs 0.01, so that values are about -1, and the
/// last step ends an episode, so that the stream can be repeated.
BatchBuffer mountain_car(const Shape& shape, std::size_t steps, std::uint64_t seed);

}  // namespace bellwether::bench
