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

/// What a feature map is made for: the variables it may look at, with their ranges, and where its randomness, if it has
/// any, comes from. A list of variables alone will do for maps without randomness.
struct FeatureContext {
  std::vector<Variable> variables;
  std::uint64_t seed = 0;
  std::uint64_t run = 0;

  FeatureContext(std::vector<Variable> the_variables, std::uint64_t the_seed = 0, std::uint64_t the_run = 0)
      : variables(visible(std::move(the_variables))), seed(the_seed), run(the_run) {}
};

/// When a state is met. Only features that are drawn anew (features/noise.h) look at it.
struct Moment {
  std::uint64_t step = 0;
  std::uint64_t episode = 0;

  /// The moment at which the i-th of a set of states is judged, outside of any run.
  static Moment of_evaluation(std::uint64_t i) { return {~i, ~i}; }
};

/// Turns a state, as a domain or a log gives it, into features. A map is a function of state and moment: one map serves
/// any number of threads.
class FeatureMap {
 public:
  virtual ~FeatureMap() = default;

  virtual std::string_view type() const = 0;
  virtual Layout layout() const = 0;
  virtual std::size_t dim() const = 0;

  /// The largest number of non-zero features of a state.
  virtual std::size_t max_active() const = 0;

  /// Appends the features of `state` as one row of `rows`, a buffer of this map's layout and dimension. The state may
  /// be longer than the variables the map looks at.
  void append(std::span<const double> state, RowBuffer& rows, Moment moment = {}) const {
    write(state, moment, rows);
    rows.end_row();
  }

  /// Writes the features into the row that is being written. For makers of maps: the buffer may be of a more general
  /// layout than the map's, and the map's features may be only a part of the row (RowBuffer::begin_part).
  virtual void write(std::span<const double> state, Moment moment, RowBuffer& rows) const = 0;
};

}  // namespace bellwether
