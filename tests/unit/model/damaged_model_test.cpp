// Models that someone has changed and given the right checksum: they are refused with one line, or go on.
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>
#include <bellwether/learners/learners.h>
#include <bellwether/model/model.h>
#include <bellwether/model/model_file.h>

#include "support/mutations.h"
#include "support/rejection.h"
#include "support/step_blocks.h"

namespace bellwether {
namespace {

using testing::Experience;
using testing::rejection;

constexpr Experience experience{.dim = 6, .steps = 300, .restart_probability = 0.02};

Model learned(const StepBlock& steps) {
  Recipe recipe;
  recipe.dim = experience.dim;
  recipe.layout = Layout::sparse;
  recipe.learner = "td";
  recipe.settings = find_entry(learners(), "learner", "td").resolve({});
  recipe.targets = {{"reward", 1}, {"reward", 0.5}};
  recipe.resamples = 3;
  Model model(recipe);
  model.learn(steps);
  model.judge(steps);
  return model;
}

/// What anyone may ask a model. Only one whose recipe fits the steps can learn from them.
void use(Model& model, const StepBlock& steps) {
  const Recipe& recipe = model.recipe();
  if (recipe.dim != experience.dim || recipe.layout != Layout::sparse || recipe.rewards().size() != 1) return;
  std::vector<double> numbers(steps.size());
  for (std::size_t k = 0; k < model.targets(); ++k) {
    model.policy_value(k);
    model.predict(k, steps.x.view(), numbers);
    if (recipe.resamples > 1) model.half_widths(k, steps.x.view(), numbers);
  }
  model.learn(steps);
  model.judge(steps);
  model.bytes();
}

TEST(DamagedModel, IsRefusedWithOneLineOrGoesOn) {
  const StepBlock steps = testing::steps_of(experience, Layout::sparse);
  const std::string good = learned(steps).bytes();
  const ModelParts parts = parse_model_file(good, "good");
  Rng rng(3);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < testing::mutations(3000); ++i) {
    std::string recipe(parts.recipe), state(parts.state);
    if (i % 2 == 0) recipe = testing::mutated(recipe, 0, rng);
    else state = testing::mutated(state, 0, rng);
    try {
      Model model = Model::parse(model_file(recipe, state), "m.bw");
      use(model, steps);
    } catch (const InvalidArgument& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("m.bw: ")) << error.what();
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 0U);
}

TEST(DamagedModel, HasARecipeThatAModelCanHave) {
  const std::string good = learned(testing::steps_of(experience, Layout::sparse)).bytes();
  const ModelParts parts = parse_model_file(good, "good");
  const auto with = [&](const std::string& part, const std::string& other) {
    std::string recipe(parts.recipe);
    const std::size_t at = recipe.find(part);
    EXPECT_NE(at, std::string::npos) << recipe;
    recipe.replace(at, part.size(), other);
    return rejection([&] { Model::parse(model_file(recipe, parts.state), "m.bw"); });
  };
  const std::string targets = R"([{"discount":1.0,"reward":"reward"},{"discount":0.5,"reward":"reward"}])";
  EXPECT_EQ(with(targets, "[]"), "m.bw: model: there is no target");
  EXPECT_EQ(with(R"("discount":0.5)", R"("discount":-0.5)"), "m.bw: model: discount = -0.5 is outside [0, 1]");
  EXPECT_EQ(with(R"("holdout":0.0)", R"("holdout":1.5)"), "m.bw: model: holdout = 1.5 is outside [0, 1)");
  EXPECT_EQ(with(R"("resamples":3)", R"("resamples":2)"), "m.bw: a saved state contradicts itself");
  for (const char* number : {"-1", "1e92", "2.5", "36893488147419103232", "\"3\""}) {
    const std::string message = with(R"("resamples":3)", fmt::format(R"("resamples":{})", number));
    EXPECT_EQ(message.find("m.bw: the description of the model cannot be read"), 0U) << message;
  }
  EXPECT_NE(with(R"("dim":6)", R"("dim":7)"), "accepted");
}

}  // namespace
}  // namespace bellwether
