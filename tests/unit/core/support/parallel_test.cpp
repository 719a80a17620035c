#include <bellwether/core/support/parallel.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace bellwether {
namespace {

TEST(ParallelFor, DoesEveryPieceOfWorkOnce) {
  for (const unsigned jobs : {1U, 3U, 50U}) {
    std::vector<std::atomic<int>> done(20);
    parallel_for(done.size(), jobs, [&](std::uint64_t i) { ++done[i]; });
    for (const auto& times : done) EXPECT_EQ(times, 1);
  }
  parallel_for(0, 4, [](std::uint64_t) { FAIL(); });
}

TEST(ParallelFor, TellsItsProgressUpToOne) {
  std::vector<double> shares;
  parallel_for(
      4, 3, [](std::uint64_t) {}, [&](double share) { shares.push_back(share); });
  EXPECT_EQ(shares, (std::vector<double>{0.25, 0.5, 0.75, 1}));
}

TEST(ParallelFor, ThrowsTheFirstFailureAgainAndStops) {
  std::atomic<int> done = 0;
  const auto work = [&](std::uint64_t i) {
    if (i == 3) throw std::runtime_error("three");
    ++done;
  };
  EXPECT_THROW(parallel_for(1'000'000, 2, work), std::runtime_error);
  EXPECT_LT(done, 1'000'000 - 1);
}

}  // namespace
}  // namespace bellwether
