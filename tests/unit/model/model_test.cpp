#include <bellwether/model/model.h>

#include <cmath>
#include <filesystem>

#include <sys/resource.h>

#include <gtest/gtest.h>

#include <bellwether/core/state.h>
#include <bellwether/core/support/rng.h>
#include <bellwether/learners/learners.h>
#include <bellwether/model/model_file.h>

#include "support/child.h"
#include "support/rejection.h"
#include "support/sanitizers.h"
#include "support/step_blocks.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

using testing::Experience;
using testing::part_of;
using testing::rejection;
using testing::steps_of;

constexpr Experience experience{.dim = 6, .steps = 3000, .off_policy = true, .restart_probability = 0.02};

Recipe recipe(const std::string& learner = "lstd", std::size_t resamples = 4) {
  Recipe made;
  made.dim = experience.dim;
  made.layout = Layout::sparse;
  made.learner = learner;
  made.settings = find_entry(learners(), "learner", learner).resolve({});
  made.targets = {{"reward", 1}};
  made.resamples = resamples;
  return made;
}

TEST(Model, LearnsAsTheLearnerAloneDoesHoweverTheStepsAreCut) {
  const StepBlock all = steps_of(experience, Layout::sparse);
  const auto alone = make_learner("lstd", experience.dim);
  alone->learn(all.view(0));
  for (const std::size_t size : {1U, 7U, 500U, 3000U}) {
    Model model(recipe());
    for (std::size_t i = 0; i < all.size(); i += size) {
      model.learn(part_of(all, i, std::min<std::size_t>(size, all.size() - i)), size == 7 ? 2 : 1);
    }
    EXPECT_EQ(model.learner(0).weights(), alone->weights()) << size;
    EXPECT_EQ(model.policy_value(0).half_width.has_value(), true);
  }
}

TEST(Model, ThreadsAndBlocksDoNotChangeTheIntervals) {
  const StepBlock all = steps_of(experience, Layout::sparse);
  Model one(recipe()), other(recipe());
  one.learn(all, 1);
  for (std::size_t i = 0; i < all.size(); i += 300) other.learn(part_of(all, i, 300), 2);
  EXPECT_EQ(one.policy_value(0).half_width, other.policy_value(0).half_width);
}

/// A state may fill half of the memory: it is copied once to be written, and what compresses well takes little more.
TEST(Model, IsWrittenWithOneCopyOfItsState) {
  if (testing::sanitized) GTEST_SKIP() << "sanitizers keep what is freed";
  Recipe wide = recipe("td", 0);
  wide.dim = 4'000'000;
  testing::Child alone([&] {
    const Model model(wide);
    const auto peak = [] {
      rusage used{};
      getrusage(RUSAGE_SELF, &used);
      return 1024 * static_cast<double>(used.ru_maxrss);
    };
    StateWriter state = StateWriter::counter();
    model.learner(0).save(state);
    const double least = static_cast<double>(state.counted()), before = peak();
    model.bytes();
    return peak() - before < 3.0 * least ? 0 : 1;  // weights and trace, and three sums of the log
  });
  EXPECT_EQ(alone.code(), 0);
}

TEST(Model, AHalfLearnsFromItsEpisodesAlone) {
  Experience ends = experience;
  ends.restart_probability = 0;
  const StepBlock all = steps_of(ends, Layout::sparse);
  Model model(recipe("td", 2));
  model.learn(all);
  const FeatureRows state = all.x.view().slice(0, 1);
  std::vector<double> value(1), width(1), half(1);
  model.predict(0, state, value);
  model.half_widths(0, state, width);
  Episodes episodes(model.recipe().seed);
  double squares = 0;
  for (std::size_t h = 0; h < 2; ++h) {
    const auto alone = make_learner("td", experience.dim);
    Episodes split(model.recipe().seed);
    for (const Segment& s : split.split(all)) {
      if ((episodes.halves(s.unit) >> h & 1U) != 0) alone->learn(all.view(0).slice(s.first, s.count));
    }
    alone->predict(state, half);
    squares += (half[0] - value[0]) * (half[0] - value[0]);
  }
  // Two deviations, and Student's t with one degree of freedom is 12.7.
  EXPECT_NEAR(width[0], 12.706 * std::sqrt(squares / 2), 2e-4 * width[0]);
}

/// Walks of a few steps to the right with noisy rewards; every state has one feature.
StepBlock walks(std::size_t episodes, std::uint64_t seed) {
  Rng rng(seed);
  StepBlock block;
  block.clear(Layout::binary, 3, 1);
  for (std::size_t i = 0; i < episodes; ++i) {
    for (std::uint32_t s = 0; s < 3; ++s) {
      block.x.add(s);
      block.x.end_row();
      block.x_next.add(std::min(s + 1, 2U));
      block.x_next.end_row();
      block.rewards[0].push_back(1 + rng.normal());
      block.discount.push_back(s < 2 ? 1 : 0);
    }
  }
  return block;
}

TEST(Model, TheIntervalOfThePolicyValueHoldsTheTruthInNinetyFivePercentOfLogs) {
  Recipe walk = recipe("lstd", 20);
  walk.dim = 3;
  walk.layout = Layout::binary;
  walk.settings = find_entry(learners(), "learner", "lstd").resolve({{"inverse_init", "1000"}});
  int held = 0;
  double widths = 0;
  constexpr int logs = 400;
  for (std::uint64_t i = 0; i < logs; ++i) {
    Model model(walk);
    model.learn(walks(100, i + 1));
    const PolicyValue value = model.policy_value(0);
    ASSERT_TRUE(value.of_starts);
    if (std::abs(*value.value - 3) <= *value.half_width) ++held;
    widths += *value.half_width / logs;
  }
  // Binomial with p = .95: 380 +- 4.4. The standard error of a return is sqrt(3/100) = .173; Student's t is 2.12 with
  // 1/(1/20 + 1/99) degrees of freedom.
  EXPECT_GT(held, 362);
  EXPECT_LT(held, 396);
  EXPECT_NEAR(widths, 2.12 * 0.173, 0.03);
}

TEST(Model, ReturnsOfStartStatesAreThoseOfEpisodesThatEnded) {
  StepBlock steps = walks(2, 1);
  steps.rewards[0] = {1, 2, 4, 1, 2, 8};
  steps.rho = {1, 1, 1, 2, 0.5, 1};
  Recipe walk = recipe("td", 0);
  walk.dim = 3;
  walk.layout = Layout::binary;
  walk.targets = {{"reward", 0.5}};
  Model model(walk);
  model.learn(part_of(steps, 0, 4));
  EXPECT_EQ(model.returns(0).episodes(), 1U);
  EXPECT_DOUBLE_EQ(model.returns(0).mean(), 1 + 0.5 * 2 + 0.25 * 4);
  model.learn(part_of(steps, 4, 2));
  const double second = 2 * (1 + 0.5 * 0.5 * (2 + 0.5 * 8));
  EXPECT_DOUBLE_EQ(model.returns(0).mean(), (3 + second) / 2);
  EXPECT_DOUBLE_EQ(model.returns(0).standard_error(), std::abs(second - 3) / 2);
  EXPECT_NEAR(model.returns(0).half_width(), 12.706 * std::abs(second - 3) / 2, 1e-2);
}

TEST(Model, EpisodesCutShortHaveNoReturnAndAreCounted) {
  StepBlock steps = walks(3, 1);  // the second of three is cut after two steps, and the log ends within the third
  steps.discount = {1, 1, 0, 1, 1, 1, 1, 1, 1};
  steps.restart = {0, 0, 0, 0, 0, 1, 0, 0, 0};
  Recipe walk = recipe("td", 0);
  walk.dim = 3;
  walk.layout = Layout::binary;
  Model model(walk);
  model.learn(part_of(steps, 0, 4));
  model.learn(part_of(steps, 4, 5));
  EXPECT_EQ(model.returns(0).episodes(), 1U);
  EXPECT_EQ(model.returns(0).mean_length(), 3);
  EXPECT_EQ(model.returns(0).cut_short(), 2U);
  EXPECT_EQ(model.returns(0).mean_length_cut(), 3);  // two steps and four
  EXPECT_FALSE(model.returns(0).weighted());
  StartReturns both = model.returns(0);
  both.absorb(model.returns(0));
  EXPECT_EQ(both.cut_short(), 4U);
  EXPECT_EQ(both.mean_length_cut(), 3);
}

TEST(Model, EpisodesHeldOutAreJudgedByAndNotLearnedFrom) {
  Recipe half = recipe("td", 0);
  half.holdout = 0.5;
  Model model(half);
  const StepBlock all = steps_of(experience, Layout::sparse);
  model.learn(all);
  EXPECT_LT(model.learner(0).steps(), 2000U);
  EXPECT_GT(model.learner(0).steps(), 1000U);
  model.finish_judging();
  ASSERT_EQ(model.judgements(0).size(), 1U);
  EXPECT_EQ(model.judgements(0)[0].steps + model.learner(0).steps(), all.size());
}

TEST(Model, ValuesAreJudgedByStepsHoweverSmallTheBlocksAre) {
  const StepBlock all = steps_of(experience, Layout::sparse);
  std::vector<std::vector<Judgement>> found;
  for (const std::size_t size : {1U, 4U, 500U}) {  // divisors of 500, so that judgements are due at the same steps
    Model model(recipe("lstd", 0));
    for (std::size_t i = 0; i < all.size(); i += size) {
      const StepBlock block = part_of(all, i, size);
      model.judge(block);
      model.learn(block);
    }
    model.finish_judging();
    found.push_back(model.judgements(0));
    ASSERT_EQ(found.back().size(), 3U) << size;
    for (std::size_t j = 0; j < 3; ++j) {
      const Judgement &one = found.back()[j], &same = found.front()[j];
      EXPECT_EQ(one.after, 500U << j);
      EXPECT_EQ(one.steps, std::min<std::size_t>(500U << j, all.size() - one.after));
      EXPECT_EQ(one.td_error, same.td_error);
      EXPECT_EQ(one.projected, same.projected);
      EXPECT_EQ(one.mean_return, same.mean_return);
    }
    // They are those of the weights at that time.
    Model until(recipe("lstd", 0));
    until.learn(part_of(all, 0, 500));
    const StepBlock judged = part_of(all, 500, 500);
    EXPECT_EQ(found.back()[0].td_error, judge(judged.view(0), until.learner(0).weights(), 0).td_error);
  }
}

TEST(Model, FurtherPassesAreLearnedFromButNotCounted) {
  const StepBlock all = steps_of(experience, Layout::sparse);
  Model model(recipe("td", 3));
  model.learn(all);
  const std::uint64_t steps = model.episodes().steps();
  model.begin_pass();
  model.learn(all);
  const auto alone = make_learner("td", experience.dim);
  alone->learn(all.view(0));
  // The second pass does not go on from where the first one ended.
  StepBlock again = all;
  again.restart[0] = 1;
  alone->learn(again.view(0));
  EXPECT_EQ(model.learner(0).weights(), alone->weights());
  EXPECT_EQ(model.episodes().steps(), steps);
}

TEST(Model, SeveralTargetsAreLearnedSideBySide) {
  StepBlock all = steps_of(experience, Layout::sparse);
  all.rewards.push_back(all.rewards[0]);
  for (double& r : all.rewards[1]) r *= -2;
  Recipe several = recipe("td", 0);
  several.targets = {{"a", 0.5}, {"a", 1}, {"b", 1}};
  several.ends_only = true;
  for (double& d : all.discount) d = d > 0 ? 0.7 : 0;  // stands for any number but 0
  Model model(several);
  model.learn(all);
  EXPECT_EQ(several.name_of(0), "a_0.5");
  EXPECT_EQ(several.name_of(2), "b");
  for (std::size_t k = 0; k < 3; ++k) {
    StepBlock own = all;
    for (double& d : own.discount) d = d > 0 ? several.targets[k].discount : 0;
    const auto alone = make_learner("td", experience.dim);
    alone->learn(own.view(k < 2 ? 0 : 1));
    EXPECT_EQ(model.learner(k).weights(), alone->weights()) << k;
  }
}

TEST(Model, SavedAndLoadedMidStreamItGoesOnBitForBit) {
  const StepBlock all = steps_of(experience, Layout::sparse);
  Model straight(recipe("atd", 3)), first(recipe("atd", 3));
  straight.learn(all);
  first.learn(part_of(all, 0, 1234));
  first.keep_reader_state("a row");
  Model second = Model::parse(first.bytes(), "m.bw");
  EXPECT_EQ(second.reader_state(), "a row");
  EXPECT_EQ(second.bytes(), first.bytes());
  second.learn(part_of(all, 1234, all.size() - 1234));
  second.keep_reader_state({});
  EXPECT_EQ(second.bytes(), straight.bytes());
}

TEST(Model, MergedShardsEqualLearningFromAllOfThem) {
  const StepBlock all = steps_of(experience, Layout::sparse);
  StepBlock second = part_of(all, 1500, 1500);
  second.restart[0] = 1;
  Model straight(recipe("lstd", 0)), a(recipe("lstd", 0)), b(recipe("lstd", 0));
  straight.learn(part_of(all, 0, 1500));
  straight.learn(second);
  a.learn(part_of(all, 0, 1500));
  b.learn(second);
  a.absorb(b);
  EXPECT_LT(testing::max_difference(a.learner(0).weights(), straight.learner(0).weights()), 1e-9);
  EXPECT_NEAR(*a.policy_value(0).value, *straight.policy_value(0).value, 1e-9);
  EXPECT_EQ(a.episodes().steps(), straight.episodes().steps());
  EXPECT_EQ(a.episodes().begun(), straight.episodes().begun());
}

TEST(Model, ModelsThatDoNotFitAreNotMerged) {
  Model a(recipe()), b(recipe("lstd", 5)), c(recipe("td")), d(recipe("td"));
  EXPECT_EQ(rejection([&] { a.absorb(b); }), "two models with different resamples or shares held out cannot be merged");
  EXPECT_EQ(rejection([&] { a.absorb(c); }), "two models with different learners cannot be merged");
  EXPECT_EQ(rejection([&] { c.absorb(d); }), "td: what two of them have learned does not add up");
}

TEST(ModelFile, DamageIsNoticedWhereverItIs) {
  Model model(recipe("td", 0));
  model.learn(steps_of(experience, Layout::sparse));
  const std::string good = model.bytes();
  for (std::size_t i = 0; i < good.size(); i += i < 200 ? 1 : 97) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 4);
    EXPECT_TRUE(rejection([&] { Model::parse(bad, "m.bw"); }).starts_with("m.bw: ")) << i;
  }
  for (std::size_t size = 0; size < good.size(); size += size < 200 ? 1 : 97) {
    EXPECT_TRUE(rejection([&] { Model::parse(good.substr(0, size), "m.bw"); }).starts_with("m.bw: is ")) << size;
  }
  EXPECT_EQ(rejection([&] { Model::parse(good + "x", "m.bw"); }), "m.bw: is damaged: there is something after its end");
  EXPECT_EQ(rejection([&] { Model::parse("", "m.bw"); }), "m.bw: is empty, not a model");
  EXPECT_EQ(rejection([&] { Model::parse("step,error\n", "m.bw"); }), "m.bw: is not a model of Bellwether");
}

TEST(ModelFile, FilesOfOtherVersionsAndFromOtherMachinesAreRefused) {
  std::string earlier = model_file("{}", "");
  earlier[16] = 1;
  EXPECT_EQ(rejection([&] { parse_model_file(earlier, "m.bw"); }),
            "m.bw: was written by an earlier version of Bellwether (format 1; this one reads 4): learn it anew");
  std::string later = model_file("{}", "");
  later[16] = 5;
  EXPECT_EQ(rejection([&] { parse_model_file(later, "m.bw"); }),
            "m.bw: was written by a later version of Bellwether (format 5; this one reads up to 4)");
  std::string other = model_file("{}", "");
  std::reverse(other.begin() + 20, other.begin() + 24);
  EXPECT_EQ(rejection([&] { parse_model_file(other, "m.bw"); }),
            "m.bw: was written on a machine with another byte order");
}

TEST(ModelFile, StatesAreCompressedAndComeBackAsTheyWere) {
  Rng rng(1);
  for (const std::size_t size : {0U, 1U, 7U, 8U, 9U, 4095U, 100000U}) {
    std::string state(size, '\0');
    for (char& c : state) c = static_cast<char>(rng.bits() & 255U);
    EXPECT_TRUE(parse_model_file(model_file("{}", state), "m.bw").state == state) << size;
  }
  std::string numbers;  // small whole numbers as doubles
  for (int i = 0; i < 10000; ++i) {
    const double number = i % 50;
    numbers.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  const std::string file = model_file("{}", numbers);
  EXPECT_LT(file.size(), numbers.size() / 20);
  EXPECT_TRUE(parse_model_file(file, "m.bw").state == numbers);
}

/// CRC-32 as zlib computes it, bit by bit.
std::uint32_t crc(std::string_view bytes) {
  std::uint32_t sum = ~0U;
  for (const char c : bytes) {
    sum ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1U ^ (0xedb88320U & (0U - (sum & 1U)));
  }
  return ~sum;
}

TEST(ModelFile, ASizeThatNoStateHasIsRefusedBeforeMemoryIsTaken) {
  const std::string good = model_file("{}", std::string(1000, 'x'));
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{999}, std::uint64_t{1001}, ~std::uint64_t{0}}) {
    std::string bad = good.substr(0, good.size() - 4);
    for (std::size_t i = 0; i < 8; ++i) bad[32 + i] = static_cast<char>(size >> 8 * i & 255U);
    const std::uint32_t sum = crc(bad);
    for (std::size_t i = 0; i < 4; ++i) bad += static_cast<char>(sum >> 8 * i & 255U);
    EXPECT_EQ(rejection([&] { parse_model_file(bad, "m.bw"); }), "m.bw: is damaged: its state cannot be decompressed")
        << size;
  }
}

TEST(ModelFile, ALinkThatLeadsToItselfIsOneLine) {
  const testing::TemporaryFolder folder;
  const std::string loop = folder.path("loop");
  std::filesystem::create_symlink(loop, loop);
  EXPECT_EQ(testing::failure([&] { Model::load(loop); }),
            "cannot read " + loop + ": Too many levels of symbolic links");
}

TEST(ModelFile, AStateThatIsNotTheRecipesIsRejected) {
  const Recipe td = recipe("td", 0);
  EXPECT_EQ(rejection([&] { Model::parse(model_file(text_of(td), "short"), "m.bw"); }),
            "m.bw: a saved state ends too early");
  EXPECT_TRUE(rejection([&] {
                Model::parse(model_file("{}", ""), "m.bw");
              }).starts_with("m.bw: the description of the model cannot be read"));
}

}  // namespace
}  // namespace bellwether
