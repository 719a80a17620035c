#include <bellwether/linalg/dense/growing_vector.h>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <bellwether/core/state.h>

#include "support/allocations.h"
#include "support/sanitizers.h"

namespace bellwether {
namespace {

TEST(GrowingVector, KeepsWhatItHoldsAsItGrowsAndHasZerosBehind) {
  const std::uint64_t before = testing::allocations();
  GrowingVector<double> v;
  for (int i = 0; i < 300'000; ++i) v.push_back(i);
  const double* more = v.append(100'000);
  EXPECT_EQ(testing::allocations(), before);
  for (int i = 0; i < 300'000; ++i) ASSERT_EQ(v[static_cast<std::size_t>(i)], i);
  for (int i = 0; i < 100'000; ++i) ASSERT_EQ(more[i], 0);
  EXPECT_EQ(v.size(), 400'000U);
}

TEST(GrowingVector, NeedsNoMoreAddressesThanItHasElements) {
  if (testing::sanitized) GTEST_SKIP() << "sanitizers need addresses of their own";
  // A limit of far more than there may be addresses for.
  rlimit was{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &was), 0);
  GrowingVector<double> v(std::size_t{1} << 40U);
  v.push_back(7);
  rlimit less = was;
  less.rlim_cur = 1U << 20U;  // less than the process has: nothing can be added
  ASSERT_EQ(setrlimit(RLIMIT_AS, &less), 0);
  bool refused = false;
  try {
    v.reserve_more(1U << 20U);
  } catch (const std::bad_alloc&) {
    refused = true;
  }
  ASSERT_EQ(setrlimit(RLIMIT_AS, &was), 0);
  EXPECT_TRUE(refused);
  EXPECT_EQ(v.size(), 1U);
  EXPECT_EQ(v[0], 7);
  v.append(1U << 20U);
  EXPECT_EQ(v[0], 7);
}

TEST(GrowingVector, HasIndependentCopies) {
  GrowingVector<int> v(10);
  v.push_back(3);
  GrowingVector<int> copy(v);
  copy[0] = 4;
  copy.push_back(5);
  EXPECT_EQ(v.size(), 1U);
  EXPECT_EQ(v[0], 3);
  v = copy;
  EXPECT_EQ(v.size(), 2U);
  EXPECT_EQ(v[1], 5);
  EXPECT_EQ(v.limit(), 10U);
  const GrowingVector<int> moved(std::move(copy));
  EXPECT_EQ(moved[0], 4);
}

TEST(GrowingVector, ReadsWhatItWroteUnlessItIsTooLong) {
  GrowingVector<int> v(10);
  for (int i = 0; i < 5; ++i) v.push_back(i * i);
  StateWriter out;
  out(v);
  GrowingVector<int> read(5);
  StateReader in(out.bytes());
  in(read);
  in.finish();
  EXPECT_EQ(read.size(), 5U);
  EXPECT_EQ(read[4], 16);
  GrowingVector<int> short_one(4);
  StateReader again(out.bytes());
  EXPECT_THROW(again(short_one), InvalidArgument);
}

TEST(GrowingVector, TakesNoMemoryForMoreThanAStateHolds) {
  constexpr std::size_t huge = std::size_t{1} << 50U;
  StateWriter out;
  out(std::uint64_t{huge}, 1.0);
  GrowingVector<double> v(2 * huge);
  StateReader in(out.bytes());
  EXPECT_THROW(in(v), InvalidArgument);
  EXPECT_EQ(v.size(), 0U);
}

}  // namespace
}  // namespace bellwether
