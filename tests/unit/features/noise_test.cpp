#include <bellwether/features/noise.h>

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include <bellwether/domains/domains.h>
#include <bellwether/experiment/stream.h>

#include "support/rejection.h"
#include "support/rows.h"

namespace bellwether {
namespace {

using testing::active_features;
using testing::rejection;

using Choice = std::vector<std::uint32_t>;

FeatureContext context(std::uint64_t seed = 1, std::uint64_t run = 0) { return {{}, seed, run}; }

TEST(Noise, ChoosesExactlyAsManyAsAskedForInAscendingOrder) {
  for (const std::int64_t count : {1, 63, 64, 65, 100, 1000}) {
    for (const std::int64_t active : {std::int64_t{0}, std::int64_t{1}, count / 2, count}) {
      const Noise map(context(), {.count = count, .active = active});
      EXPECT_EQ(map.dim(), static_cast<std::size_t>(count));
      EXPECT_EQ(map.max_active(), static_cast<std::size_t>(active));
      for (std::uint64_t step = 0; step < 10; ++step) {
        const Choice chosen = active_features(map, {}, {step, 0});
        ASSERT_EQ(chosen.size(), static_cast<std::size_t>(active));
        for (std::size_t i = 0; i < chosen.size(); ++i) {
          ASSERT_LT(chosen[i], count);
          if (i > 0) {
            ASSERT_LT(chosen[i - 1], chosen[i]);
          }
        }
      }
    }
  }
}

TEST(Noise, ChoosesEveryFeatureAndEveryPairEquallyOften) {
  constexpr std::size_t count = 7;
  constexpr int draws = 20000;
  const Noise map(context(), {.count = count, .active = 3});
  std::array<int, count> single{};
  std::array<std::array<int, count>, count> pair{};
  for (std::uint64_t step = 0; step < draws; ++step) {
    const Choice chosen = active_features(map, {}, {step, 0});
    for (const auto i : chosen) {
      ++single.at(i);
      for (const auto j : chosen) ++pair.at(i).at(j);
    }
  }
  const auto expect_frequency = [](int times, double p) {
    EXPECT_NEAR(times, p * draws, 4.5 * std::sqrt(p * (1 - p) * draws));
  };
  for (std::size_t i = 0; i < count; ++i) {
    expect_frequency(single.at(i), 3.0 / 7);
    for (std::size_t j = 0; j < i; ++j) expect_frequency(pair.at(i).at(j), 3.0 / 7 * 2 / 6);
  }
}

TEST(Noise, ChoicesOfDifferentStepsRunsAndSeedsDiffer) {
  std::set<Choice> met;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    for (std::uint64_t run = 0; run < 3; ++run) {
      const Noise map(context(seed, run), {});
      for (std::uint64_t step = 0; step < 20; ++step) met.insert(active_features(map, {}, {step, 0}));
      for (std::uint64_t i = 0; i < 20; ++i) met.insert(active_features(map, {}, Moment::of_evaluation(i)));
    }
  }
  EXPECT_EQ(met.size(), 3U * 3 * 40);
}

TEST(Noise, LooksAtTheStepOrAtTheEpisodeAndNotAtTheState) {
  const Noise step(context(), {});
  const Noise episode(context(), {.redraw = NoiseRedraw::episode});
  const double state = 5;
  EXPECT_EQ(active_features(step, {}, {4, 1}), active_features(step, {&state, 1}, {4, 2}));
  EXPECT_NE(active_features(step, {}, {4, 1}), active_features(step, {}, {5, 1}));
  EXPECT_EQ(active_features(episode, {}, {4, 1}), active_features(episode, {&state, 1}, {5, 1}));
  EXPECT_NE(active_features(episode, {}, {4, 1}), active_features(episode, {}, {4, 2}));
}

/// The rows of a stream of so many steps, cut into batches of a given size.
std::vector<Choice> rows_of_stream(const NoiseRedraw redraw, std::size_t batch_size, std::vector<double>* discounts) {
  const auto domain = make_domain("random_walk", {{"size", "5"}});
  Stream stream(*domain, std::make_shared<Noise>(context(), Noise::Params{.redraw = redraw}), 1);
  std::vector<Choice> rows;
  for (std::size_t done = 0; done < 240; done += batch_size) {
    const Batch batch = stream.next(batch_size);
    for (std::size_t t = 0; t < batch.size; ++t) {
      const auto x = batch.x.as<BinaryView>(t);
      rows.emplace_back(x.indices, x.indices + x.size);
      if (discounts != nullptr) discounts->push_back(batch.discount[t]);
    }
  }
  return rows;
}

TEST(Noise, DoesNotDependOnHowAStreamIsCut) {
  for (const auto redraw : {NoiseRedraw::step, NoiseRedraw::episode}) {
    const auto whole = rows_of_stream(redraw, 240, nullptr);
    for (const std::size_t size : {1, 6, 80}) EXPECT_EQ(rows_of_stream(redraw, size, nullptr), whole);
  }
}

TEST(Noise, StaysTheSameWithinAnEpisodeAndChangesWithTheNext) {
  std::vector<double> discounts;
  const auto rows = rows_of_stream(NoiseRedraw::episode, 240, &discounts);
  int episodes = 0;
  for (std::size_t t = 0; t + 1 < rows.size(); ++t) {
    if (discounts[t] > 0) {
      EXPECT_EQ(rows[t], rows[t + 1]);
    } else {
      EXPECT_NE(rows[t], rows[t + 1]);
      ++episodes;
    }
  }
  EXPECT_GT(episodes, 5);
}

TEST(Noise, RejectsMoreActiveFeaturesThanThereAre) {
  EXPECT_EQ(rejection([] { Noise map(context(), {.count = 10, .active = 11}); }),
            "noise: active = 11 is more than count = 10");
}

}  // namespace
}  // namespace bellwether
