#include <bellwether/experiment/worker_pool.h>

#include <atomic>
#include <set>

#include <gtest/gtest.h>

#include <bellwether/core/error.h>

namespace bellwether {
namespace {

using namespace std::chrono_literals;

WorkUnit unit(std::uint64_t block) { return {.place = 0, .block = block, .settings = {}, .cost = 0}; }

/// A result that tells its unit.
WorkResult result_of(const WorkUnit& work) {
  WorkResult result;
  result.blocks.resize(1);
  result.blocks[0].block = work.block;
  return result;
}

TEST(WorkerPool, DoesEveryUnitOnce) {
  WorkerPool pool(3, result_of);
  for (std::uint64_t i = 0; i < 200; ++i) pool.submit(unit(i));
  std::set<std::uint64_t> seen;
  std::size_t done = 0;
  while (done < 200) {
    for (const auto& one : pool.collect(1000ms)) {
      ++done;
      EXPECT_TRUE(seen.insert(one.work.block).second);
      EXPECT_EQ(one.result.blocks.at(0).block, one.work.block);
    }
  }
  EXPECT_TRUE(pool.collect(0ms).empty());
}

TEST(WorkerPool, WaitsNoLongerThanAsked) {
  WorkerPool pool(1, result_of);
  EXPECT_TRUE(pool.collect(1ms).empty());
}

TEST(WorkerPool, ThrowsWhatAUnitThrew) {
  WorkerPool pool(2, [](const WorkUnit& work) {
    if (work.block == 3) throw IoError("unit 3");
    return result_of(work);
  });
  for (std::uint64_t i = 0; i < 5; ++i) pool.submit(unit(i));
  EXPECT_THROW(
      {
        for (int i = 0; i < 100; ++i) pool.collect(100ms);
      },
      IoError);
}

TEST(WorkerPool, EndsWithoutWhatItHasNotBegun) {
  std::atomic<int> begun = 0;
  {
    WorkerPool pool(1, [&](const WorkUnit& work) {
      ++begun;
      std::this_thread::sleep_for(20ms);
      return result_of(work);
    });
    for (std::uint64_t i = 0; i < 100; ++i) pool.submit(unit(i));
    while (begun == 0) std::this_thread::yield();
  }
  EXPECT_LT(begun, 50);
}

}  // namespace
}  // namespace bellwether
