// Models of every learner: refused, or used as the program uses them. What is changed is the recipe or the state of a
// model, which then gets its compression and its checksum again: else hardly anything would come past these. Models of
// tables read one.
#include <bellwether/model/model.h>

#include <fmt/format.h>

#include <bellwether/core/support/rng.h>
#include <bellwether/learners/learners.h>
#include <bellwether/model/model_file.h>

#include "fuzz/inputs.h"
#include "fuzz/target.h"
#include "support/learner_modes.h"
#include "support/mutations.h"
#include "support/step_blocks.h"
#include "support/table_of_model.h"

namespace bellwether::fuzz {
namespace {

constexpr testing::Experience experience{
    .dim = 12, .steps = 60, .active = 3, .binary = true, .off_policy = true, .restart_probability = 0.02};

const StepBlock& steps_as(Layout layout) {
  static const StepBlock dense = testing::steps_of(experience, Layout::dense);
  static const StepBlock sparse = testing::steps_of(experience, Layout::sparse);
  static const StepBlock binary = testing::steps_of(experience, Layout::binary);
  return layout == Layout::dense ? dense : layout == Layout::sparse ? sparse : binary;
}

void use_model(Model& model) {
  const Recipe& recipe = model.recipe();
  for (std::size_t k = 0; k < model.targets(); ++k) {
    model.why_no_values(k);
    model.policy_value(k);
  }
  if (recipe.dim != experience.dim || recipe.rewards().size() != 1) return;
  const StepBlock& steps = steps_as(recipe.layout);
  std::vector<double> numbers(steps.size());
  for (std::size_t k = 0; k < model.targets(); ++k) {
    model.predict(k, steps.x.view(), numbers);
    if (recipe.resamples > 1) model.half_widths(k, steps.x.view(), numbers);
  }
  model.visits(steps.x.view(), numbers);
  model.judge(steps);
  model.learn(steps);
  model.finish_judging();
  for (std::size_t k = 0; k < model.targets(); ++k) model.policy_value(k);
  Model::parse(model.bytes(), "copy");
}

std::string mutate_model(const std::string& bytes, std::size_t longest, std::uint32_t seed, const Change& change) {
  Rng rng(seed);
  try {
    const ModelParts parts = parse_model_file(bytes, "");
    std::string recipe(parts.recipe), state = parts.state;
    const std::uint64_t kind = rng.below(8);
    if (kind == 0) recipe = change(std::move(recipe), longest / 2);
    else if (kind < 3 || state.empty()) state = change(std::move(state), longest);
    else state = testing::mutated(std::move(state), 0, rng);
    return model_file(recipe, state);
  } catch (const InvalidArgument&) {
    return change(bytes, longest);
  }
}

std::string learned(const LearnerEntry& entry, const Settings& settings, Layout layout) {
  Recipe recipe;
  recipe.dim = experience.dim;
  recipe.layout = layout;
  recipe.learner = entry.name;
  recipe.settings = entry.resolve(settings);
  recipe.targets = {{"reward", 1}};
  recipe.resamples = 2;
  Model model(recipe);
  model.learn(steps_as(layout));
  model.judge(steps_as(layout));
  return model.bytes();
}

std::string learned_table(const Recipe& recipe) {
  Model model(recipe);
  testing::read_table(model, as_file(testing::small_table, ".csv"));
  return model.bytes();
}

std::map<std::string, std::string> model_seeds() {
  std::map<std::string, std::string> all;
  for (const LearnerEntry& entry : learners()) {
    std::size_t mode = 0;
    for (const Settings& settings : testing::modes_of(entry)) {
      const Layout layout = mode % 2 == 0 ? Layout::sparse : Layout::dense;
      all[fmt::format("{}.{}.bw", entry.name, mode++)] = learned(entry, settings, layout);
    }
  }
  all["table_features.bw"] = learned_table(testing::recipe_of_table("none"));
  all["table_tiles.bw"] = learned_table(testing::recipe_of_table("tile_coding(tilings=2 tiles=3) + bias"));
  all["table_next.bw"] = learned_table(testing::recipe_of_table("fourier(order=2)", /*next=*/true));
  all["table_categories.bw"] = learned_table(testing::recipe_of_table("cross", /*next=*/false, /*categories=*/true));
  return all;
}

}  // namespace

const Registered model_target({.name = "model",
                               .run =
                                   [](const std::string& bytes) {
                                     Model model = Model::parse(bytes, "m.bw");
                                     use_model(model);
                                     testing::read_table(model, as_file(testing::small_table, ".csv"));
                                   },
                               .mutate = mutate_model,
                               .seeds = model_seeds});

}  // namespace bellwether::fuzz
