#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <bellwether/core/params/field.h>
#include <bellwether/core/params/settings.h>
#include <bellwether/data/log_columns.h>
#include <bellwether/data/table.h>

namespace bellwether {

/// The numbers of a request to learn, each with its range and its meaning.
struct LearnParams {
  static constexpr std::int64_t most_resamples = 64;

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
/// features and learner are chosen so that they need no tuning (model/learning/defaults.h).
///
/// Messages about a request name its fields in backticks, with a value where one helps: `discount=0.99`. A program or a
/// binding may replace them by its own spelling.
struct LearnRequest {
  std::vector<std::string> files;          // "-" is standard input
  LogColumns columns = {};                 // which columns mean what
  std::vector<std::string> discount = {};  // numbers, each a target of its own with every reward; or one column
  std::optional<std::size_t> dim = {};     // number of features of sparse rows
  BadRows bad_rows = BadRows::reject;

  std::string features = {};  // a description; none: the state columns are features already
  Settings feature_settings = {};
  std::string learner = {};
  Settings settings = {};  // of the learner
  LearnParams params = {};

  std::string model = {};  // file to write the model to; empty: none
  double checkpoint = 0;   // seconds after which the model is written again and again; 0: only at the end
  bool resume = false;     // continue from `model` if it exists; a stream always does
  std::string like = {};   // a model whose columns, features with their ranges, learner and targets are to be used
};

}  // namespace bellwether
