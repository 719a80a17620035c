#pragma once

#include <string>
#include <vector>

#include <bellwether/data/log/log_steps.h>
#include <bellwether/model/model.h>
#include <bellwether/model/state_rows.h>

namespace bellwether::testing {

/// A table, as CSV, that has every column of the recipes below and of those in tests/fuzz/corpus.
inline const std::string small_table = [] {
  std::string text = "s,t,colour,next_s,next_t,next_colour,x,x.0,x.1,reward,cost,done\n";
  const char* const colours[] = {"red", "blue", "green"};
  for (int i = 0; i < 24; ++i) {
    const auto state = [&](int j) {
      return std::to_string(j % 7) + "," + std::to_string(j % 5) + "," + colours[j % 3] + ",";
    };
    text += state(i) + state(i + 1) + std::to_string(1 + i % 3) + ",0.5," + std::to_string(i) + ",1," +
            std::to_string(i % 4) + "," + (i % 6 == 5 ? "1\n" : "0\n");
  }
  return text;
}();

/// A recipe for that table. With a map the state is s and t, with `categories` the colour as well; without one x.0 and
/// x.1 are the features.
inline Recipe recipe_of_table(const std::string& features, bool next = false, bool categories = false) {
  Recipe made;
  made.features = features;
  made.columns.reward = {"reward", "cost"};
  made.columns.done = "done";
  made.targets = {{"reward", 0.9}, {"cost", 0.9}};
  made.ends_only = true;
  made.learner = "td";
  made.settings = {{"alpha", 0.1}, {"lambda", 0.5}, {"schedule", "constant"}, {"n0", 100}, {"trace", "accumulating"}};
  made.resamples = 2;
  if (features == "none") {
    made.columns.state = {"x.0", "x.1"};
    made.dim = 2;
    return made;
  }
  made.variables = {{.name = "s", .low = 0, .high = 6, .whole = true},
                    {.name = "t", .low = 0, .high = 4, .whole = true}};
  if (categories) {
    made.variables.push_back({.name = "colour", .low = 0, .high = 2, .whole = true, .categories = {"red", "blue"}});
  }
  for (const Variable& variable : made.variables) {
    made.columns.state.push_back(variable.name);
    if (next) made.columns.next.push_back("next_" + variable.name);
  }
  made.dim = made.map()->dim();
  made.layout = made.map()->layout();
  return made;
}

/// Predicts the states of a table and learns from its steps, as `predict` and `learn` do. Nothing for a model of steps
/// with ready-made features, which come from no table.
inline void read_table(Model& model, const std::string& path) {
  const Recipe recipe = model.recipe();
  if (recipe.columns.state.empty() && recipe.features == "none") return;
  std::vector<double> values;
  for (StateRows states(model, path); states.next();) {
    values.resize(states.rows().rows);
    for (std::size_t k = 0; k < model.targets(); ++k) model.predict(k, states.rows(), values);
  }
  LogSteps steps({path}, {},
                 {.columns = recipe.columns,
                  .map = model.shared_map(),
                  .layout = recipe.layout,
                  .dim = recipe.dim,
                  .variables = recipe.variables,
                  .keep_states = true});
  while (const StepBlock* const block = steps.next()) {
    model.judge(*block);
    model.learn(*block);
  }
}

}  // namespace bellwether::testing
