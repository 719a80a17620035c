#include "mountain_car_stream.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <bellwether/core/rng.h>

namespace bellwether::bench {
namespace {

struct Car {
  double x = 0;
  double v = 0;

  void start(Rng& rng) {
    x = -0.6 + 0.2 * rng.uniform();
    v = 0;
  }

  /// Moves on; true at the goal.
  bool step(Rng& rng) {
    const double with_motion = v < 0 ? -1.0 : 1.0;
    const double action = rng.uniform() < 0.2 ? static_cast<double>(rng.below(3)) - 1 : with_motion;
    v = std::clamp(v + 0.001 * action - 0.0025 * std::cos(3 * x), -0.07, 0.07);
    x += v;
    if (x < -1.2) {
      x = -1.2;
      v = 0;
    }
    return x >= 0.5;
  }
};

void add_tiles(RowBuffer& rows, const Shape& shape, double position, double velocity) {
  const std::size_t places = shape.dim / shape.active;
  const double side = std::floor(std::sqrt(static_cast<double>(places)));
  for (std::size_t k = 0; k < shape.active; ++k) {
    // Tilings are shifted against one another by 1 and 3 parts of a tile, whole tiles apart.
    const double part = static_cast<double>(k) / static_cast<double>(shape.active);
    const auto row = static_cast<std::uint64_t>(position * side + part);
    const auto column = static_cast<std::uint64_t>(velocity * side + 3 * part);
    const std::uint64_t mixed = (row * 0x9e3779b97f4a7c15U + column + k) * 0xd1342543de82ef95U;
    rows.add(static_cast<std::uint32_t>(k * places + (mixed >> 33U) % places));
  }
  rows.end_row();
}

void add_cosines(RowBuffer& rows, const Shape& shape, double position, double velocity) {
  const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(shape.dim))));
  const std::span<double> row = rows.add_dense();
  for (std::size_t j = 0; j < shape.dim; ++j) {
    const double a = static_cast<double>(j / side);
    const double b = static_cast<double>(j % side);
    row[j] = std::cos(std::numbers::pi * (a * position + b * velocity));
  }
}

}  // namespace

BatchBuffer mountain_car(const Shape& shape, std::size_t steps, std::uint64_t seed) {
  BatchBuffer buffer(shape.layout, shape.dim);
  Rng rng(seed);
  Car car;
  car.start(rng);
  const auto add_state = [&] {
    const double position = (car.x + 1.2) / 1.7;
    const double velocity = (car.v + 0.07) / 0.14;
    if (shape.layout == Layout::dense) add_cosines(buffer.x(), shape, position, velocity);
    else add_tiles(buffer.x(), shape, position, velocity);
  };
  add_state();
  for (std::size_t t = 0; t < steps; ++t) {
    const bool end = car.step(rng) || t + 1 == steps;
    if (end) car.start(rng);
    buffer.add({.reward = -0.01, .discount = end ? 0.0 : 1.0});
    add_state();
  }
  return buffer;
}

}  // namespace bellwether::bench
