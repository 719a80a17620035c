#include <bellwether/core/support/rng.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "support/sample.h"

namespace bellwether {
namespace {

using Block = std::array<std::uint64_t, 4>;
using Key = std::array<std::uint64_t, 2>;

/// Philox 4x64-10 as section 3.3 of Salmon et al. (2011) writes it.
Block philox(Block x, Key k) {
  __extension__ using Wide = unsigned __int128;
  for (int round = 0; round < 10; ++round) {
    const Wide p0 = static_cast<Wide>(0xD2E7470EE14C6C93) * x[0];
    const Wide p1 = static_cast<Wide>(0xCA5A826395121157) * x[2];
    const auto high = [](Wide p) { return static_cast<std::uint64_t>(p >> 64U); };
    const auto low = [](Wide p) { return static_cast<std::uint64_t>(p); };
    x = {high(p1) ^ x[1] ^ k[0], low(p1), high(p0) ^ x[3] ^ k[1], low(p0)};
    k[0] += 0x9E3779B97F4A7C15;
    k[1] += 0xBB67AE8584CAA73B;
  }
  return x;
}

Block next_block(Rng& rng) {
  Block block;
  for (auto& word : block) word = rng.bits();
  return block;
}

// The lines "philox4x64 10" of Random123's tests/kat_vectors.
TEST(Rng, TheReferencePhiloxOfThisTestGivesThePublishedVectors) {
  constexpr std::uint64_t ones = 0xffffffffffffffff;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (Block{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b}));
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}),
            (Block{0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0}));
  EXPECT_EQ(philox({0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89},
                   {0x452821e638d01377, 0xbe5466cf34e90c6c}),
            (Block{0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6}));
}

TEST(Rng, FirstBlockOfSeedZeroIsThePublishedVector) {
  Rng rng(0);
  EXPECT_EQ(next_block(rng), (Block{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b}));
}

TEST(Rng, IsPhiloxOfSeedRunPurposeAndNumberOfTheDraw) {
  for (const std::uint64_t seed : {0ULL, 1ULL, 0x452821e638d01377ULL}) {
    for (const std::uint64_t run : {0ULL, 7ULL, ~0ULL}) {
      for (const auto purpose : {Purpose::trajectory, Purpose::features, Purpose::learner, Purpose::evaluation}) {
        Rng rng(seed, run, purpose);
        for (std::uint64_t n = 0; n < 5; ++n) {
          EXPECT_EQ(next_block(rng), philox({n, static_cast<std::uint64_t>(purpose), 0, 0}, {seed, run}));
        }
      }
    }
  }
}

TEST(Rng, TheNthDrawDoesNotDependOnWhatTheDrawsBeforeItWereUsedFor) {
  Rng bits(3, 4);
  Rng mixed(3, 4);
  for (int n = 0; n < 100; ++n) {
    const std::uint64_t expected = bits.bits();
    if (n % 3 == 0) {
      EXPECT_EQ(mixed.bits(), expected);
    } else if (n % 3 == 1) {
      EXPECT_EQ(mixed.uniform(), static_cast<double>(expected >> 11U) * 0x1p-53);
    } else {
      EXPECT_LT(mixed.below(10), 10U);
    }
    EXPECT_EQ(mixed.drawn(), static_cast<std::uint64_t>(n + 1));
  }
}

TEST(Rng, ACopyContinuesWithTheSameDraws) {
  Rng rng(1);
  for (int n = 0; n < 6; ++n) rng.bits();
  Rng copy = rng;
  for (int n = 0; n < 20; ++n) EXPECT_EQ(copy.bits(), rng.bits());
}

TEST(Rng, SeedsRunsAndPurposesHaveSequencesOfTheirOwn) {
  std::set<std::uint64_t> first;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (std::uint64_t run = 0; run < 10; ++run) {
      for (const auto purpose : {Purpose::trajectory, Purpose::features, Purpose::learner, Purpose::evaluation}) {
        first.insert(Rng(seed, run, purpose).bits());
      }
    }
  }
  EXPECT_EQ(first.size(), 400U);
}

TEST(Rng, UniformHasTheMeanAndVarianceOfTheUnitInterval) {
  Rng rng(5);
  testing::Sample sample;
  double least = 1;
  double most = 0;
  constexpr int n = 100000;
  for (int i = 0; i < n; ++i) {
    const double u = rng.uniform();
    sample.add(u);
    least = std::min(least, u);
    most = std::max(most, u);
  }
  EXPECT_GE(least, 0.0);
  EXPECT_LT(most, 1.0);
  EXPECT_NEAR(sample.mean(), 0.5, 4 * std::sqrt(1.0 / 12 / n));
  // The variance of (u - 1/2)^2 is 1/80 - 1/144 = 1/180.
  EXPECT_NEAR(sample.variance(), 1.0 / 12, 4 * std::sqrt(1.0 / 180 / n));
}

TEST(Rng, NormalHasTheMomentsOfTheStandardNormalDistribution) {
  Rng rng(7);
  constexpr int n = 100000;
  std::array<double, 5> moment{};
  std::array<int, 3> beyond{};
  for (int i = 0; i < n; ++i) {
    const double x = rng.normal();
    for (std::size_t k = 1; k < moment.size(); ++k) moment.at(k) += std::pow(x, static_cast<double>(k)) / n;
    for (std::size_t k = 0; k < beyond.size(); ++k) beyond.at(k) += std::abs(x) > static_cast<double>(k + 1) ? 1 : 0;
  }
  // E x^k = 0, 1, 0, 3 and E x^2k = 1, 3, 15, 105.
  EXPECT_NEAR(moment[1], 0, 4 * std::sqrt(1.0 / n));
  EXPECT_NEAR(moment[2], 1, 4 * std::sqrt((3.0 - 1) / n));
  EXPECT_NEAR(moment[3], 0, 4 * std::sqrt(15.0 / n));
  EXPECT_NEAR(moment[4], 3, 4 * std::sqrt((105.0 - 9) / n));
  for (std::size_t k = 0; k < beyond.size(); ++k) {
    const double p = std::erfc(static_cast<double>(k + 1) / std::sqrt(2.0));
    EXPECT_NEAR(beyond.at(k), p * n, 4 * std::sqrt(p * (1 - p) * n)) << "beyond " << k + 1 << " standard deviations";
  }
}

TEST(Rng, EveryMomentHasASequenceOfItsOwnThatCanBeAskedForInAnyOrder) {
  for (const std::uint64_t moment : {5ULL, 0ULL, ~0ULL, 1ULL}) {
    Rng rng(3, 4, Purpose::noise, moment);
    for (std::uint64_t n = 0; n < 3; ++n) {
      EXPECT_EQ(next_block(rng), philox({n, static_cast<std::uint64_t>(Purpose::noise), moment, 0}, {3, 4}));
    }
  }
}

TEST(Rng, BelowGivesEveryNumberEquallyOften) {
  Rng rng(6);
  constexpr int n = 70000;
  std::array<int, 7> count{};
  for (int i = 0; i < n; ++i) ++count.at(rng.below(7));
  const double expected = n / 7.0;
  for (const int c : count) EXPECT_NEAR(c, expected, 4 * std::sqrt(expected * 6 / 7));
  for (int i = 0; i < 10; ++i) EXPECT_EQ(rng.below(1), 0U);
}

}  // namespace
}  // namespace bellwether
