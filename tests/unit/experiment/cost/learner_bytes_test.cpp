#include <memory>

#include <gtest/gtest.h>

#include <bellwether/experiment/cost/heap.h>
#include <bellwether/experiment/sweep.h>
#include <bellwether/results/store_reader.h>

#include "support/temporary_folder.h"

namespace bellwether {
namespace {

constexpr const char* study = R"toml([domain]
name = "random_walk"
size = 100
[run]
steps = 20
seeds = 2
[[learner]]
name = "td"
alpha = [0.1, 0.2]
[[learner]]
name = "lstd"
[[learner]]
name = "atd"
rank = [2, 50]
)toml";

TEST(HeapInUse, GrowsByWhatIsAllocated) {
  const auto before = heap_in_use();
  if (!before) GTEST_SKIP() << "the C library does not tell";
  constexpr std::uint64_t size = 1000000;
  const auto block = std::make_unique<char[]>(size);
  EXPECT_GE(*heap_in_use() - *before, size);
  EXPECT_LE(*heap_in_use() - *before, size + 8192) << "but for the allocator's own and the rounding to pages";
}

TEST(Sweep, MeasuresTheMemoryOfOneLearnerOfEachSetting) {
  if (!heap_in_use()) GTEST_SKIP() << "the C library does not tell";
  const testing::TemporaryFolder folder;
  const std::string file = folder.path("results.db");
  {
    StoreWriter store(file);
    ASSERT_TRUE(sweep(PreparedStudy(parse_study(study, "walk.toml")), store, {.workers = {.jobs = 2}}));
  }
  const StoreReader reader(file);
  std::vector<double> bytes;
  // Blocks that were freed are used again, which must not make learners look smaller.
  for (const StoredSetting& setting : reader.settings(1)) bytes.push_back(static_cast<double>(setting.bytes.value()));
  ASSERT_EQ(bytes.size(), 5U);
  constexpr double d = 100;
  constexpr double number = sizeof(double);
  EXPECT_EQ(bytes[0], bytes[1]) << "a step size takes no room";
  EXPECT_GE(bytes[0], 2 * d * number) << "weights and a trace";
  EXPECT_LE(bytes[0], 20 * d * number);
  EXPECT_GE(bytes[2], d * d * number) << "a matrix";
  EXPECT_GE(bytes[4] - bytes[3], 2 * (50 - 2) * d * number) << "two factors of so many columns more";
}

}  // namespace
}  // namespace bellwether
