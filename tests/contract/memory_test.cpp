// What a learner needs is known before it is allocated, and never more than it takes: nothing is refused that would
// fit.
#include <gtest/gtest.h>

#include <bellwether/experiment/cost/heap.h>
#include <bellwether/learners/learners.h>

#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::rejection;

TEST(MemoryOfEveryLearner, IsAtLeastWhatIsAskedFor) {
  if (!heap_in_use()) GTEST_SKIP() << "the C library does not tell";
  constexpr std::size_t dim = 3000;
  for (const LearnerEntry& entry : learners()) {
    const std::uint64_t before = *heap_in_use();
    const auto learner = make_learner(entry.name, dim);
    EXPECT_GE(static_cast<double>(*heap_in_use() - before), 0.99 * least_bytes(entry.name, dim)) << entry.name;
  }
}

TEST(MemoryOfEveryLearner, IsRefusedWhereThereIsNotEnough) {
  for (const LearnerEntry& entry : learners()) {
    const std::string message = rejection([&] { make_learner(entry.name, std::size_t{1} << 62U); });
    const std::string what = entry.name + " with 4,611,686,018,427,387,904 features needs ";
    EXPECT_TRUE(message.starts_with(what)) << message;
  }
  const std::string message = rejection([] { make_learner("lstd", 10'000'000); });
  EXPECT_TRUE(message.starts_with("lstd with 10,000,000 features needs 800 TB; ")) << message;
  EXPECT_TRUE(message.ends_with(" are free: take lstd_krylov")) << message;
}

}  // namespace
}  // namespace bellwether
