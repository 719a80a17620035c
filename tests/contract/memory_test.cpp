// What a learner needs is known before it is allocated, and never more than it takes: nothing is refused that would
// fit.
#include <gtest/gtest.h>

#include <bellwether/experiment/cost/heap.h>
#include <bellwether/learners/learners.h>
#include <bellwether/learners/sharing/ensembles.h>

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

TEST(MemoryOfEveryLearner, GrowsWithItsRank) {
  if (!heap_in_use()) GTEST_SKIP() << "the C library does not tell";
  constexpr std::size_t dim = 1000;
  for (const char* name : {"atd", "tlstd", "atd_sketch", "projected_lstd"}) {
    for (const char* rank : {"20", "500", "1000000000"}) {
      const Settings settings{{"rank", rank}};
      const std::uint64_t before = *heap_in_use();
      const auto learner = make_learner(name, dim, settings);
      EXPECT_GE(static_cast<double>(*heap_in_use() - before), 0.99 * least_bytes(name, dim, settings)) << name << rank;
    }
    const std::string message = rejection([&] { make_learner(name, 1'000'000, {{"rank", "1000000000"}}); });
    EXPECT_TRUE(message.starts_with(name + std::string(" with 1,000,000 features needs "))) << message;
    EXPECT_TRUE(message.ends_with(" are free: take a smaller rank or fewer features")) << message;
  }
  const std::vector<Settings> members{{{"rank", "900000"}, {"eta", "0.1"}}, {{"rank", "900000"}, {"eta", "0.2"}}};
  const std::string together = rejection([&] { make_ensemble("atd", 1'000'000, members, Sharing::on); });
  EXPECT_TRUE(together.starts_with("atd with 1,000,000 features needs ")) << together;
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
