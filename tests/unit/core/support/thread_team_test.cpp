#include <bellwether/core/support/thread_team.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace bellwether {
namespace {

TEST(ThreadTeam, DoesEveryPieceOfWorkOnceInRunAfterRun) {
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    ThreadTeam team(threads);
    EXPECT_EQ(team.size(), threads);
    for (const std::uint64_t count : {0U, 1U, 2U, 20U, 300U}) {
      std::vector<std::atomic<int>> done(count);
      for (int run = 1; run <= 50; ++run) {
        team.run(count, [&](std::uint64_t i) { ++done[i]; });
        for (const auto& times : done) ASSERT_EQ(times, run);
      }
    }
  }
}

TEST(ThreadTeam, CoversAllNumbersByRanges) {
  ThreadTeam team(3);
  for (const std::size_t n : {0U, 1U, 9U, 10U, 11U, 95U}) {
    std::vector<std::atomic<int>> done(n);
    team.run_ranges(n, 10, [&](std::size_t first, std::size_t last) {
      EXPECT_LT(first, last);
      EXPECT_LE(last - first, 10U);
      for (std::size_t i = first; i < last; ++i) ++done[i];
    });
    for (const auto& times : done) EXPECT_EQ(times, 1);
  }
}

TEST(ThreadTeam, ThrowsTheFirstFailureAgainAndCanGoOn) {
  ThreadTeam team(4);
  std::atomic<int> done = 0;
  const auto work = [&](std::uint64_t i) {
    if (i == 3) throw std::runtime_error("three");
    ++done;
  };
  EXPECT_THROW(team.run(1'000'000, work), std::runtime_error);
  EXPECT_LT(done, 1'000'000 - 1);
  done = 0;
  team.run(100, [&](std::uint64_t) { ++done; });
  EXPECT_EQ(done, 100);
}

TEST(ThreadTeam, AloneIsTheCallersThread) {
  EXPECT_EQ(ThreadTeam::alone().size(), 1U);
  ThreadTeam::alone().run(
      5, [caller = std::this_thread::get_id()](std::uint64_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
}

}  // namespace
}  // namespace bellwether
