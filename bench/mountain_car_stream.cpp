#include "mountain_car_stream.h"

#include <cmath>
#include <string>

#include <fmt/format.h>

#include <bellwether/domains/mountain_car.h>
#include <bellwether/experiment/stream.h>
#include <bellwether/features/feature_maps.h>

namespace bellwether::bench {
namespace {

std::string features_for(const Shape& shape) {
  const auto root = [](std::size_t n) { return std::sqrt(static_cast<double>(n)); };
  if (shape.layout == Layout::dense) return fmt::format("fourier(order={})", std::ceil(root(shape.dim)) - 1);
  return fmt::format("tile_coding(tilings={} tiles={} memory={} edges=clip)", shape.active,
                     std::floor(root(shape.dim / shape.active)), shape.dim);
}

}  // namespace

BatchBuffer mountain_car(const Shape& shape, std::size_t steps, std::uint64_t seed) {
  const MountainCar car({});
  Stream stream(car, make_features(features_for(shape), car), seed);
  const Batch batch = stream.next(steps);
  BatchBuffer buffer(shape.layout, shape.dim);
  const auto add_state = [&](const Features& x) {
    if (shape.layout == Layout::dense) buffer.x().append(DenseView{x.values, shape.dim});
    else buffer.x().append(x);
  };
  add_state(batch.x.row(0));
  for (std::size_t t = 0; t < steps; ++t) {
    buffer.add({.reward = 0.01 * batch.reward[t], .discount = t + 1 == steps ? 0.0 : batch.discount[t]});
    add_state(batch.x_next.row(t));
  }
  return buffer;
}

}  // namespace bellwether::bench
