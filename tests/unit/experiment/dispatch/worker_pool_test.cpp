#include <bellwether/experiment/dispatch/worker_pool.h>

#include <atomic>
#include <set>

#include <gtest/gtest.h>

#include <bellwether/core/error.h>
#include <bellwether/core/support/thread_limit.h>

namespace bellwether {
namespace {

using namespace std::chrono_literals;

WorkUnit unit_of(std::uint64_t seed) {
  return {.case_index = 0, .first_seed = seed, .seeds = 1, .settings = {}, .cost = 0};
}

/// A result that tells its unit.
UnitResult result_of(const WorkUnit& work, const std::stop_token& = {}) {
  return {.trials = {}, .seconds_alone = {static_cast<double>(work.first_seed)}};
}

TEST(WorkerPool, DoesEveryUnitOnce) {
  WorkerPool pool(3, result_of);
  for (std::uint64_t i = 0; i < 200; ++i) pool.submit(unit_of(i));
  std::set<std::uint64_t> seen;
  std::size_t done = 0;
  while (done < 200) {
    for (const auto& one : pool.collect(1000ms)) {
      ++done;
      EXPECT_TRUE(seen.insert(one.work.first_seed).second);
      EXPECT_EQ(one.result.seconds_alone.at(0), static_cast<double>(one.work.first_seed));
    }
  }
  EXPECT_TRUE(pool.collect(0ms).empty());
}

TEST(WorkerPool, ComputesAUnitOnASingleThread) {
  WorkerPool pool(2, [](const WorkUnit& work, const std::stop_token&) {
    if (allowed_threads() != 1) throw IoError("a learner would use several");
    return result_of(work);
  });
  for (std::uint64_t i = 0; i < 5; ++i) pool.submit(unit_of(i));
  for (std::size_t done = 0; done < 5;) done += pool.collect(100ms).size();
}

TEST(WorkerPool, WaitsNoLongerThanAsked) {
  WorkerPool pool(1, result_of);
  EXPECT_TRUE(pool.collect(1ms).empty());
}

TEST(WorkerPool, ThrowsWhatAUnitThrew) {
  WorkerPool pool(2, [](const WorkUnit& work, const std::stop_token&) {
    if (work.first_seed == 3) throw IoError("unit 3");
    return result_of(work);
  });
  for (std::uint64_t i = 0; i < 5; ++i) pool.submit(unit_of(i));
  EXPECT_THROW(
      {
        for (int i = 0; i < 100; ++i) pool.collect(100ms);
      },
      IoError);
}

TEST(WorkerPool, IsIdleWhileAThreadHasNothingToDo) {
  WorkerPool pool(2, result_of);
  EXPECT_TRUE(pool.idle());
  pool.submit(unit_of(0));
  EXPECT_TRUE(pool.idle());
  pool.submit(unit_of(1));
  EXPECT_FALSE(pool.idle());
  while (!pool.idle()) pool.collect(100ms);
  EXPECT_TRUE(pool.dismissed());
}

TEST(WorkerPool, TellsUnitsInProgressThatTheyAreNotWanted) {
  std::atomic<bool> begun = false;
  std::atomic<bool> gave_up = false;
  {
    WorkerPool pool(1, [&](const WorkUnit&, const std::stop_token& unwanted) -> UnitResult {
      begun = true;
      while (!unwanted.stop_requested()) std::this_thread::yield();
      gave_up = true;
      return {};
    });
    pool.submit(unit_of(0));
    while (!begun) std::this_thread::yield();
  }
  EXPECT_TRUE(gave_up);
}

TEST(WorkerPool, EndsWithoutWhatItHasNotBegun) {
  std::atomic<int> begun = 0;
  {
    WorkerPool pool(1, [&](const WorkUnit& work, const std::stop_token&) {
      ++begun;
      std::this_thread::sleep_for(20ms);
      return result_of(work);
    });
    for (std::uint64_t i = 0; i < 100; ++i) pool.submit(unit_of(i));
    while (begun == 0) std::this_thread::yield();
  }
  EXPECT_LT(begun, 50);
}

}  // namespace
}  // namespace bellwether
