#include <bellwether/core/support/thread_limit.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include <bellwether/core/support/parallel.h>

namespace bellwether {
namespace {

unsigned processors() { return std::max(1U, std::thread::hardware_concurrency()); }

TEST(ThreadLimit, IsOneForEachProcessorUnlessSet) { EXPECT_EQ(allowed_threads(), processors()); }

TEST(ThreadLimit, HoldsForItsThreadWhileItExists) {
  {
    const ThreadLimit limit(7);
    EXPECT_EQ(allowed_threads(), 7U);
    {
      const ThreadLimit inner(3);
      EXPECT_EQ(allowed_threads(), 3U);
    }
    EXPECT_EQ(allowed_threads(), 7U);
    std::thread([] { EXPECT_EQ(allowed_threads(), processors()); }).join();
  }
  EXPECT_EQ(allowed_threads(), processors());
}

TEST(ThreadLimit, OfNoThreadsMeansOne) {
  const ThreadLimit limit(0);
  EXPECT_EQ(allowed_threads(), 1U);
}

TEST(ThreadLimit, IsTheShareOfEachCallInParallelFor) {
  struct Case {
    std::uint64_t count;
    unsigned jobs, each;
  };
  for (const Case& c : {Case{50, 1, 1}, Case{50, 3, 1}, Case{3, 3, 1}, Case{2, 8, 4}, Case{1, 8, 8}, Case{3, 8, 2}}) {
    std::atomic<std::uint64_t> as_expected = 0;
    parallel_for(c.count, c.jobs, [&](std::uint64_t) { as_expected += allowed_threads() == c.each ? 1U : 0U; });
    EXPECT_EQ(as_expected, c.count) << c.count << " calls, " << c.jobs << " jobs";
  }
  EXPECT_EQ(allowed_threads(), processors());
}

}  // namespace
}  // namespace bellwether
