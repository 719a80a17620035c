#include "support/random_streams.h"

#include <cmath>

#include <rapidcheck.h>

namespace bellwether::testing {

namespace {

/// Copies the steps; `add(rows, j, value)` writes an entry of a row of features.
template <class Add>
BatchBuffer copied(const Batch& steps, Layout layout, std::size_t dim, Add add) {
  BatchBuffer made(layout, dim);
  const auto add_row = [&](const FeatureRows& rows, std::size_t i) {
    std::span<double> dense;
    if (layout == Layout::dense) dense = made.x().add_dense();
    visit(rows.row(i), [&](const auto& x) {
      x.for_each([&](std::size_t j, double value) {
        if (value == 0) return;
        add(j, [&](std::size_t to) {
          const auto index = static_cast<std::uint32_t>(to);
          if (layout == Layout::dense) dense[to] = value;
          else if (layout == Layout::sparse) made.x().add(index, value);
          else made.x().add(index);
        });
      });
    });
    if (layout != Layout::dense) made.x().end_row();
  };
  add_row(steps.x, 0);
  for (std::size_t i = 0; i < steps.size; ++i) {
    made.add({.reward = steps.reward[i],
              .discount = steps.discount[i],
              .rho = steps.rho[i],
              .pi = steps.pi[i],
              .interest = steps.interest[i],
              .lambda = steps.lambda[i],
              .restart = steps.restart[i] != 0});
    add_row(steps.x_next, i);
  }
  return made;
}

}  // namespace

Experience random_stream(std::size_t most_features) {
  Experience stream;
  stream.dim = *rc::gen::inRange<std::size_t>(1, most_features + 1);
  stream.active = *rc::gen::inRange<std::size_t>(1, stream.dim + 1);
  stream.steps = *rc::gen::inRange<std::size_t>(1, 120);
  stream.binary = *rc::gen::arbitrary<bool>();
  stream.off_policy = *rc::gen::arbitrary<bool>();
  stream.state_dependent = *rc::gen::arbitrary<bool>();
  stream.discount = *rc::gen::element(0.0, 0.5, 0.9, 1.0);
  stream.random_discount = *rc::gen::inRange(0, 4) == 0;
  stream.end_probability = *rc::gen::element(0.0, 0.05, 0.5);
  stream.restart_probability = *rc::gen::element(0.0, 0.1);
  stream.seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
  return stream;
}

double random_scale() { return std::pow(10.0, *rc::gen::inRange(-150, 151)); }

BatchBuffer repeated(const Batch& steps, Layout layout) {
  const std::size_t dim = steps.dim();
  return copied(steps, layout, 2 * dim, [dim](std::size_t j, const auto& put) {
    put(j);
    put(dim + j);
  });
}

BatchBuffer in_layout(const Batch& steps, Layout layout) {
  return copied(steps, layout, steps.dim(), [](std::size_t j, const auto& put) { put(j); });
}

}  // namespace bellwether::testing
