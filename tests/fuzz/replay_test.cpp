// What the fuzzer began with, and what it once found, goes through every target again (make fuzz looks for more).
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>
#include <bellwether/learners/learners.h>

#include "fuzz/target.h"
#include "support/mutations.h"

namespace bellwether::fuzz {
namespace {

namespace fs = std::filesystem;

/// The inputs of a target, by name.
std::map<std::string, std::string> inputs_of(const Target& target) {
  auto inputs = target.seeds ? target.seeds() : std::map<std::string, std::string>{};
  const fs::path corpus = fs::path(BELLWETHER_SOURCE_DIR) / "tests/fuzz/corpus" / target.name;
  if (!inputs.empty() && !fs::exists(corpus)) return inputs;  // models are made anew, as their format changes
  for (const auto& entry : fs::directory_iterator(corpus)) {
    std::ifstream in(entry.path(), std::ios::binary);
    inputs[entry.path().filename()] = {std::istreambuf_iterator<char>(in), {}};
  }
  return inputs;
}

class EveryTarget : public ::testing::TestWithParam<std::string> {
 protected:
  EveryTarget()
      : target_(*std::find_if(targets().begin(), targets().end(), [](const auto& t) { return t.name == GetParam(); })),
        inputs_(inputs_of(target_)) {}

  const Target& target_;
  std::map<std::string, std::string> inputs_;
};

TEST_P(EveryTarget, RefusesItsCorpusOrGoesOn) {
  std::size_t accepted = 0;
  for (const auto& [name, bytes] : inputs_) {
    SCOPED_TRACE(name);
    EXPECT_NO_THROW(accepted += accepts(target_, bytes) ? 1 : 0);
  }
  EXPECT_GT(accepted, 0U) << "a fuzzer that begins with nothing good stays at the door";
}

TEST_P(EveryTarget, RefusesItsCorpusWithSomeChangesOrGoesOn) {
  Rng rng(1);
  const Change change = [&](std::string text, std::size_t) {
    return text.empty() ? std::string("x") : testing::mutated(std::move(text), 0, rng);
  };
  for (const auto& [name, bytes] : inputs_) {
    SCOPED_TRACE(name);
    for (std::uint32_t i = 0; i < testing::mutations(GetParam() == "hdf5" ? 0 : 5); ++i) {
      const std::string changed = target_.mutate ? target_.mutate(bytes, 1 << 20, i, change) : change(bytes, 0);
      EXPECT_NO_THROW(accepts(target_, changed));
    }
  }
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const Target& target : targets()) names.push_back(target.name);
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Fuzz, EveryTarget, ::testing::ValuesIn(all_names()),
                         [](const auto& tested) { return tested.param; });

TEST(ModelTarget, BeginsWithAGoodModelOfEveryLearnerInEveryMode) {
  const auto target = std::find_if(targets().begin(), targets().end(), [](const auto& t) { return t.name == "model"; });
  const auto seeds = target->seeds();
  for (const LearnerEntry& entry : learners()) EXPECT_EQ(seeds.count(entry.name + ".0.bw"), 1U) << entry.name;
  for (const auto& [name, bytes] : seeds) EXPECT_TRUE(accepts(*target, bytes)) << name;
}

TEST(RecipeTarget, BeginsWithGoodRecipesOfTables) {
  const auto target =
      std::find_if(targets().begin(), targets().end(), [](const auto& t) { return t.name == "recipe"; });
  const auto recipes = inputs_of(*target);
  for (const char* name : {"table.json", "tiles.json", "next.json", "categories.json", "features.json"}) {
    EXPECT_TRUE(accepts(*target, recipes.at(name))) << name;
  }
}

}  // namespace
}  // namespace bellwether::fuzz
