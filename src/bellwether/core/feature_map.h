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
/// randomness. A list of variables is enough for maps without randomness:
///
///     const auto map = make_features("fourier", {{{.name = "angle", .low = 0, .high = 360, .wraps = true}}});
///
/// Ranges that are not known can be found in data (RangeFinder in core/variable.h).
struct FeatureContext {
  std::vector<Variable> variables;  // without hidden ones, which the constructor removes
  std::uint64_t seed = 0;           // maps with the same seed and run draw the same numbers
  std::uint64_t run = 0;

  FeatureContext(std::vector<Variable> the_variables, std::uint64_t the_seed = 0, std::uint64_t the_run = 0)
      : variables(visible(std::move(the_variables))), seed(the_seed), run(the_run) {}
};

/// The time at which a state is visited. Only features that are redrawn over time use it, and of these there is one:
/// `noise`, which is a function of (seed, run, step or episode).
struct Moment {
  std::uint64_t step = 0;     // steps since the beginning of the run
  std::uint64_t episode = 0;  // episodes that ended before this one

  /// The moment at which the i-th state of an evaluation set is evaluated, outside of any run: counted down from the
  /// largest numbers, which no run reaches.
  static Moment of_evaluation(std::uint64_t i) { return {~i, ~i}; }
};

/// Turns a state of a domain or a log into features x(s), of which a learner's values are a linear function: v(s) =
/// w.x(s). What the features cannot tell apart has the same value, so they decide how good values can become; the
/// learner decides how soon.
///
///     const auto map = make_features("tile_coding + bias", *make_domain("mountain_car"));
///     RowBuffer rows(map->layout(), map->dim());
///     map->append(std::array{-0.5, 0.0}, rows);
///     const double value = learner->predict(rows.view().row(0));
///
/// A map does not change, and its features are a function of state and moment: any number of threads may share it. A
/// map of your own derives from this class and defines the five functions below; `Stream` and `EvaluationSet` take it
/// as they take the library's.
class FeatureMap {
 public:
  virtual ~FeatureMap() = default;

  virtual std::string_view type() const = 0;  // its name, such as "tile_coding"
  virtual Layout layout() const = 0;          // how it stores features; the most compact one that can hold them
  virtual std::size_t dim() const = 0;        // d, the number of features, and so of weights

  /// The largest number of non-zero features of a state. A step of a linear learner costs about this much, not d.
  virtual std::size_t max_active() const = 0;

  /// Appends the features of `state` as one row of `rows`, a buffer of this map's layout and dimension. The state may
  /// have more numbers than the map uses: hidden variables come last. A value beyond the range that the map was made
  /// for counts as the end of the range; maps of separate values, such as categorical, have a feature for any other.
  void append(std::span<const double> state, RowBuffer& rows, Moment moment = {}) const {
    write(state, moment, rows);
    rows.end_row();
  }

  /// Writes the features into the current row. The buffer may have a more general layout than the map, and the features
  /// may be only a part of the row (RowBuffer::begin_part).
  virtual void write(std::span<const double> state, Moment moment, RowBuffer& rows) const = 0;
};

}  // namespace bellwether
