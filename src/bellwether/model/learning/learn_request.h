#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <bellwether/core/params/field.h>
#include <bellwether/core/params/settings.h>
#include <bellwether/data/log/log_columns.h>
#include <bellwether/data/log/log_source.h>
#include <bellwether/data/table.h>
#include <bellwether/model/recipe.h>

namespace bellwether {

/// The numbers of a request to learn, each with its range and its meaning (core/params/field.h). The defaults suit a
/// log that is read once with a learner that needs no tuning. When to change them:
///
///   passes      several for learners with a step size, which a single pass does not bring to their fixed point; never
///               for least squares, which counts every step twice then and gains nothing
///   holdout     0.1 when you compare features or learners by their judgements; the value then rests on less data
///   resamples   0 when no interval is needed and time is: each costs as much as the learner itself
///   sample      more where the first rows of a stream do not show the ranges of its variables
///   seed        another one shows how much depends on the choice of halves, and on random features
///   jobs        learners and resamples run side by side; results do not depend on it
struct LearnParams {
  static constexpr std::int64_t most_resamples = 64;  // the bits of a word: one says whether a half has an episode

  std::int64_t passes = 1;
  double holdout = 0;
  std::optional<std::int64_t> resamples = std::nullopt;
  std::int64_t sample = 1000;
  std::int64_t seed = 1;
  std::optional<std::int64_t> jobs = std::nullopt;

  static constexpr auto fields() {
    return std::tuple{
        Field("passes", &LearnParams::passes, at_least(1), "how often to read the files"),
        Field("holdout", &LearnParams::holdout, {0, 1, false, true},
              "share of the episodes that values are judged by instead of learned from; with 0, values are judged by "
              "each step just before it is learned from"),
        Field("resamples", &LearnParams::resamples, between(0, most_resamples),
              "how many more learners learn from a random half of the episodes each, for 95 % intervals; auto: 20, but "
              "none where that takes long"),
        Field("sample", &LearnParams::sample, at_least(1), "rows of a stream that set the ranges of the features"),
        Field("seed", &LearnParams::seed, at_least(0), "seed of features, resampling and holding out"),
        Field("jobs", &LearnParams::jobs, between(1, 1024), "threads; auto: one per core")};
  }
};

/// What to learn from, and how. Everything but `files` may be left out: columns are found by their usual names,
/// features and learner are chosen so that they need no tuning, and the summary says which were chosen and why.
///
///     learn({.files = {"log.csv"}});                                         // usual names, all defaults
///     learn({.files = {"a.csv", "b.csv"},
///            .columns = {.state = {"position", "velocity"}, .reward = {"fuel"}},
///            .discount = {"0.9", "0.99"},                                    // two targets
///            .features = "tile_coding(tilings=16) + bias",
///            .learner = "true_online_td",
///            .settings = {{"alpha", 0.01}},
///            .params = {.passes = 5},
///            .model = "m.bw"});
///
/// Several files are read one after another, and no episode continues from one to the next. A discount is needed only
/// where nothing says where episodes end; without one it is 1, or what the data's discount column says.
///
/// Messages about a request name its fields in backticks, with a value where one helps: `discount=0.99`. A program or a
/// binding may replace them by its own spelling.
struct LearnRequest {
  std::vector<LogSource> files;            // paths, "-" is standard input; or tables of the program
  LogColumns columns = {};                 // which columns mean what
  std::vector<std::string> discount = {};  // numbers, each a target of its own with every reward; or one column
  std::optional<std::size_t> dim = {};     // number of features of sparse rows; a stream of these needs it
  BadRows bad_rows = BadRows::reject;      // a bad row ends `learn` with InvalidArgument, or is left out and counted
  char decimal = '.';                      // the decimal mark of numbers in CSV: a point or a comma

  std::string features = {};  // a description (features/feature_maps.h); "none": the state columns are features already
  Settings feature_settings = {};  // added to the description
  std::string learner = {};        // a name of `learners()`; empty: chosen by the number of features and the data
  Settings settings = {};          // of the learner, also of one that was chosen
  LearnParams params = {};

  std::string model = {};  // file to write the model to; empty: none
  double checkpoint = 0;   // seconds after which the model is written again and again; 0: only at the end
  bool resume = false;     // continue from `model` if it exists; a stream always does
  bool again = false;      // learn even from a file that the model has learned from, or that is given twice
  std::string like = {};   // a model whose columns, features with their ranges, learner and targets are to be used
  std::optional<Recipe> recipe = {};  // the same, where the program has the recipe of such a model
  bool figures = false;               // make the data of figures: LearnResult::figures
};

}  // namespace bellwether
