// The mean return of episodes, some of which are cut short.
#include <cmath>

#include <gtest/gtest.h>

#include <bellwether/core/state.h>
#include <bellwether/model/episode_returns.h>

#include "support/step_blocks.h"

namespace bellwether {
namespace {

constexpr std::size_t dim = 3;
const std::vector<double> w{10, 20, 30};

/// A step from state s to the next, of which the reward is given.
void add_step(StepBlock& block, std::uint32_t s, double reward, double discount, Restart restart = Restart::none) {
  block.x.add(s);
  block.x.end_row();
  block.x_next.add(std::min<std::uint32_t>(s + 1, dim - 1));
  block.x_next.end_row();
  block.rewards[0].push_back(reward);
  block.discount.push_back(discount);
  block.restart.push_back(static_cast<std::uint8_t>(restart));
}

StepBlock block_of_steps() {
  StepBlock block;
  block.clear(Layout::binary, dim, 1);
  return block;
}

/// Adds blocks, split as a model does.
EpisodeReturns returns_of(const std::vector<StepBlock>& blocks, std::size_t halves) {
  Episodes episodes(1);
  EpisodeReturns returns(dim, halves);
  for (const StepBlock& block : blocks) returns.add(block.view(0), episodes.split(block), episodes);
  return returns;
}

TEST(EpisodeReturns, WhatIsCutShortHasTheValueOfItsLastState) {
  StepBlock block = block_of_steps();
  add_step(block, 0, 1, 0.5);
  add_step(block, 1, 2, 0);  // ended: 1 + 0.5 * 2
  add_step(block, 0, 4, 0.5);
  add_step(block, 1, 8, 0.5);                    // cut short in state 2: 4 + 0.5 * 8 + 0.25 * 30
  add_step(block, 0, 3, 0.5, Restart::episode);  // goes on in state 1: 3 + 0.5 * 20
  const EpisodeReturns returns = returns_of({block}, 0);
  EXPECT_EQ(returns.count(0), 3U);
  EXPECT_DOUBLE_EQ(returns.mean(0, w), (2 + 15.5 + 13) / 3);
}

TEST(EpisodeReturns, BlocksDoNotMatterAndJumpsAreNoStarts) {
  StepBlock all = block_of_steps(), first = block_of_steps(), second = block_of_steps();
  for (StepBlock* block : {&all, &first}) add_step(*block, 0, 1, 0.5);
  for (StepBlock* block : {&all, &second}) {
    add_step(*block, 1, 2, 0.5);
    add_step(*block, 0, 100, 0, Restart::jump);
    add_step(*block, 2, 7, 0);
  }
  const double mean = (1 + 0.5 * 2 + 0.25 * 30 + 7) / 2;
  EXPECT_DOUBLE_EQ(returns_of({all}, 0).mean(0, w), mean);
  EXPECT_DOUBLE_EQ(returns_of({first, second}, 0).mean(0, w), mean);
  EXPECT_EQ(returns_of({first, second}, 0).count(0), 2U);
}

TEST(EpisodeReturns, HalvesHaveTheirEpisodesAndMergedOnesHaveAll) {
  StepBlock block = block_of_steps();
  Episodes episodes(1);
  std::vector<double> sums(3, 0.0), counts(3, 0.0);
  for (std::uint64_t unit = 0; unit < 40; ++unit) {
    const bool cut = unit % 3 == 0;
    const double reward = 1 + static_cast<double>(unit);
    add_step(block, 1, reward, cut ? 0.5 : 0, Restart::episode);
    for (std::size_t h = 0; h < sums.size(); ++h) {
      if (h > 0 && (episodes.halves(unit) >> (h - 1) & 1U) == 0) continue;
      sums[h] += reward + (cut ? 0.5 * w[2] : 0);
      counts[h] += 1;
    }
  }
  EpisodeReturns returns = returns_of({block}, 2);
  for (std::size_t h = 0; h < sums.size(); ++h) EXPECT_NEAR(returns.mean(h, w), sums[h] / counts[h], 1e-12) << h;
  returns.absorb(returns_of({block}, 2));
  EXPECT_EQ(returns.count(0), 80U);
  for (std::size_t h = 0; h < sums.size(); ++h) EXPECT_NEAR(returns.mean(h, w), sums[h] / counts[h], 1e-12) << h;
}

}  // namespace
}  // namespace bellwether
