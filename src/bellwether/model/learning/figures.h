#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <bellwether/core/state_sample.h>
#include <bellwether/model/model.h>
#include <bellwether/model/predicted_returns.h>

namespace bellwether {

/// A range of one variable, and how many states of the sample lie in it: how well the data supports values there.
struct StateBin {
  double low = 0;          // the lower end, which belongs to the bin, and the upper one, which does so for the last bin
  double high = 0;         // equal to `low` where every bin is one whole number
  std::size_t states = 0;  // of the sample
};

/// One variable of the state, cut into bins.
struct VariableBins {
  std::string name;                 // of its column
  bool whole = false;               // every bin is one whole number
  std::vector<StateBin> bins = {};  // from the smallest values to the largest; some may be empty
  std::size_t beyond = 0;           // states of the sample that are outliers and in no bin
};

/// The mean value of the states that were visited in a bin, w . (mean features of these states), and its interval.
struct BinValue {
  double value = 0;                  // in the unit of the reward
  std::optional<double> half_width;  // half the 95 % interval; nothing without resamples
};

/// What there is to draw of one target.
struct TargetFigures {
  std::string name;                                          // as TargetSummary has it
  std::vector<std::vector<std::optional<BinValue>>> values;  // for each variable, each bin; nothing for an empty bin
  PredictedReturns returns;                                  // predictions against returns
};

/// The data of the figures of what was learned, as plain numbers: a page, a notebook or another program only draws.
/// Curves over time are in TargetSummary::judgements.
///
///     const LearnResult result = learn({.files = {"log.csv"}, .figures = true});
///     const LearnFigures& figures = *result.figures;
///     for (std::size_t b = 0; b < figures.variables[0].bins.size(); ++b)
///       if (const auto& v = figures.targets[0].values[0][b])
///         std::printf("%g: %g\n", figures.variables[0].bins[b].low, v->value);
///
/// Bins hold states that were visited, up to 8192 of them chosen at random, as values of other states are guesses. A
/// whole variable with up to 40 values has a bin for each, any other 24 of equal width over its usual range.
struct LearnFigures {
  std::size_t states = 0;                    // in the sample
  std::vector<VariableBins> variables = {};  // the first sixteen; none where the log holds features already
  std::size_t variables_left_out = 0;        // the others
  std::vector<TargetFigures> targets = {};   // in the order of the summary; `values` is empty where there are none
};

/// The figures of a model, with states of the log that it was learned from.
LearnFigures figures_of(const Model& model, const StateSample& states);

/// The figures as one JSON object; what is not known is null.
std::string json_of(const LearnFigures& figures);

}  // namespace bellwether
