#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <bellwether/core/features.h>
#include <bellwether/core/variable.h>

namespace bellwether {

/// What a feature map is made from: the variables it may use, with their ranges, and the seed and run of its
/// randomness. A list of variables is enough for maps without randomness.
struct FeatureContext {
  std::vector<Variable> variables;
  std::uint64_t seed = 0;
  std::uint64_t run = 0;

  FeatureContext(std::vector<Variable> the_variables, std::uint64_t the_seed = 0, std::uint64_t the_run = 0)
      : variables(visible(std::move(the_variables))), seed(the_seed), run(the_run) {}
};

/// The time at which a state is visited. Only features that are redrawn over time (features/noise.h) use it.
struct Moment {
  std::uint64_t step = 0;
  std::uint64_t episode = 0;

  /// The moment at which the i-th state of an evaluation set is evaluated, outside of any run.
  static Moment of_evaluation(std::uint64_t i) { return {~i, ~i}; }
};

/// Turns a state of a domain or a log into features. A map is a function of state and moment: any number of threads may
/// share it.
class FeatureMap {
 public:
  virtual ~FeatureMap() = default;

  virtual std::string_view type() const = 0;
  virtual Layout layout() const = 0;
  virtual std::size_t dim() const = 0;

  /// The largest number of non-zero features of a state.
  virtual std::size_t max_active() const = 0;

  /// Appends the features of `state` as one row of `rows`, a buffer of this map's layout and dimension. The state may
  /// have more numbers than the map uses.
  void append(std::span<const double> state, RowBuffer& rows, Moment moment = {}) const {
    write(state, moment, rows);
    rows.end_row();
  }

  /// Writes the features into the current row. The buffer may have a more general layout than the map, and the features
  /// may be only a part of the row (RowBuffer::begin_part).
  virtual void write(std::span<const double> state, Moment moment, RowBuffer& rows) const = 0;
};

}  // namespace bellwether
