// Models that someone has changed and given the right checksum: they are refused with one line, or go on.
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>
#include <bellwether/learners/learners.h>
#include <bellwether/model/model.h>
#include <bellwether/model/model_file.h>

#include "support/data/files.h"
#include "support/mutations.h"
#include "support/rejection.h"
#include "support/step_blocks.h"
#include "support/table_of_model.h"
#include "support/temporary_folder.h"

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

/// A model of a table, which reads it.
class DamagedModelOfATable : public ::testing::Test {
 protected:
  DamagedModelOfATable() { testing::write_file(table_, testing::small_table); }

  /// What is wrong with a recipe after a change.
  template <class Change>
  static std::string objection(Recipe recipe, Change&& change) {
    change(recipe);
    const std::string file = model_file(text_of(recipe), "");
    const std::string found = rejection([&] { Model{recipe}; });
    EXPECT_EQ(rejection([&] { Model::parse(file, "m.bw"); }), "m.bw: " + found);
    return found;
  }

  testing::TemporaryFolder folder_;
  std::string table_ = folder_.path("small.csv");
};

TEST_F(DamagedModelOfATable, IsRefusedWithOneLineOrReadsIt) {
  Rng rng(5);
  std::size_t refused = 0, read = 0;
  for (const Recipe& recipe :
       {testing::recipe_of_table("tile_coding(tilings=2 tiles=3) + bias"), testing::recipe_of_table("none"),
        testing::recipe_of_table("cross + categorical(colour)", /*next=*/true, /*categories=*/true)}) {
    Model good(recipe);
    testing::read_table(good, table_);
    const std::string file = good.bytes();
    const ModelParts parts = parse_model_file(file, "good");
    for (std::size_t i = 0; i < testing::mutations(1000); ++i) {
      try {
        const std::string text = testing::mutated(std::string(parts.recipe), 0, rng);
        Model model = Model::parse(model_file(text, parts.state), "m.bw");
        testing::read_table(model, table_);
        ++read;
      } catch (const InvalidArgument& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 0U);
  EXPECT_GT(read, 0U);
}

TEST_F(DamagedModelOfATable, HasAColumnOfTheStateForEachVariable) {
  const Recipe good = testing::recipe_of_table("polynomial(degree=1)");
  EXPECT_EQ(objection(good, [](Recipe& r) { r.columns.state.clear(); }),
            "model: features = polynomial(degree=1) needs columns of the state, and there are none");
  EXPECT_EQ(objection(good, [](Recipe& r) { r.columns.state.pop_back(); }),
            "model: the state has 1 columns, the features 2 variables");
  EXPECT_EQ(objection(good, [](Recipe& r) { r.columns.state.emplace_back("colour"); }),
            "model: the state has 3 columns, the features 2 variables");
  EXPECT_EQ(objection(good,
                      [](Recipe& r) {
                        r.variables.resize(20'000, r.variables[0]);
                        r.dim = 20'001;
                      }),
            "model: the state has 2 columns, the features 20000 variables");
  Recipe broken = good;
  broken.features = "tile\ncoding";
  EXPECT_EQ(rejection([&] { Model::parse(model_file(text_of(broken), ""), "m.bw"); }).find('\n'), std::string::npos);
  EXPECT_EQ(objection(good, [](Recipe& r) { std::swap(r.variables[1].low, r.variables[1].high); }),
            "model: variable 't' has the range [4, 0]");
}

TEST_F(DamagedModelOfATable, WithoutAMapHasAColumnForEachFeatureOrNone) {
  const Recipe good = testing::recipe_of_table("none");
  EXPECT_EQ(objection(good, [](Recipe& r) { r.columns.state.pop_back(); }),
            "model: the state has 1 columns, which are the features, but dim = 2");
  EXPECT_EQ(objection(good, [](Recipe& r) { r.layout = Layout::binary; }),
            "model: the columns of the state are features, but layout is not dense");
  EXPECT_EQ(objection(good, [](Recipe& r) { r.variables.resize(3, {.name = "x", .low = 0, .high = 1}); }),
            "model: the state has 2 columns, the features 3 variables");
  Recipe ready = good;  // steps with features of their own
  ready.columns = {};
  ready.layout = Layout::sparse;
  EXPECT_NO_THROW(Model{ready});
}

TEST_F(DamagedModelOfATable, HasTheColumnsThatItsStepsAreMadeOf) {
  const Recipe good = testing::recipe_of_table("polynomial(degree=1)", /*next=*/true);
  EXPECT_EQ(objection(good, [](Recipe& r) { r.columns.next.pop_back(); }),
            "model: the state has 2 columns, the next state 1");
  EXPECT_EQ(objection(good, [](Recipe& r) { r.columns.reward.clear(); }),
            "model: the columns of the reward are [], but the targets have [reward, cost]");
  EXPECT_EQ(objection(good, [](Recipe& r) { std::swap(r.columns.reward[0], r.columns.reward[1]); }),
            "model: the columns of the reward are [cost, reward], but the targets have [reward, cost]");
  EXPECT_EQ(objection(good, [](Recipe& r) { r.columns.done = "reward"; }),
            "model: column 'reward' is both the reward and done: `done=none`, if it is not");
  EXPECT_EQ(objection(good,
                      [](Recipe& r) {
                        r.columns.next.clear();
                        r.columns.unordered = true;
                      }),
            "model: `unordered` rows need columns of the next state, `next=a,b,...`");
}

}  // namespace
}  // namespace bellwether
