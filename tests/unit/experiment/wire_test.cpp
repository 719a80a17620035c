#include <bellwether/experiment/wire.h>

#include <limits>

#include <gtest/gtest.h>

#include <bellwether/core/error.h>

namespace bellwether {
namespace {

WorkUnit unit() { return {.place = 3, .block = 1ULL << 40U, .settings = {0, 7, 123456789012}, .cost = 0.1}; }

WorkResult result() {
  constexpr double inf = std::numeric_limits<double>::infinity();
  RunRecord finished{.seed = 12,
                     .diverged_at = std::nullopt,
                     .seconds = 1e-9,
                     .average = {0.1, -0.0},
                     .last = {inf, 5e-324},
                     .curves = {{1, 2, 3}, {}}};
  RunRecord diverged{.seed = 13, .diverged_at = 0, .seconds = 0, .average = {}, .last = {}, .curves = {}};
  BlockResult block{.setting = -1,
                    .block = 2,
                    .runs = {finished, diverged},
                    .curves = {.runs = 1, .mean = {{0.1, 0.2}}, .m2 = {{0, 1.0 / 3}}}};
  return {.blocks = {block, BlockResult{}}, .alone = {{5, 1e-7}}};
}

TEST(Wire, BringsAUnitBackAsItWas) {
  const WorkUnit back = work_from(to_bytes(unit()));
  EXPECT_EQ(back.place, unit().place);
  EXPECT_EQ(back.block, unit().block);
  EXPECT_EQ(back.settings, unit().settings);
  EXPECT_EQ(back.cost, unit().cost);
}

TEST(Wire, BringsAResultBackAsItWas) {
  const WorkResult sent = result();
  const WorkResult back = result_from(to_bytes(sent));
  ASSERT_EQ(back.blocks.size(), 2U);
  ASSERT_EQ(back.blocks[0].runs.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const RunRecord& a = sent.blocks[0].runs[i];
    const RunRecord& b = back.blocks[0].runs[i];
    EXPECT_EQ(a.seed, b.seed);
    EXPECT_EQ(a.diverged_at, b.diverged_at);
    EXPECT_EQ(a.seconds, b.seconds);
    EXPECT_EQ(a.average, b.average);
    EXPECT_EQ(a.last, b.last);
    EXPECT_EQ(a.curves, b.curves);
  }
  EXPECT_EQ(back.blocks[0].setting, -1);
  EXPECT_EQ(back.blocks[0].block, 2U);
  EXPECT_EQ(back.blocks[0].curves.runs, 1U);
  EXPECT_EQ(back.blocks[0].curves.mean, sent.blocks[0].curves.mean);
  EXPECT_EQ(back.blocks[0].curves.m2, sent.blocks[0].curves.m2);
  EXPECT_TRUE(back.blocks[1].runs.empty());
  ASSERT_EQ(back.alone.size(), 1U);
  EXPECT_EQ(back.alone[0].setting, 5);
  EXPECT_EQ(back.alone[0].seconds_per_step, 1e-7);
}

TEST(Wire, KeepsEveryBit) {
  EXPECT_EQ(to_bytes(result_from(to_bytes(result()))), to_bytes(result()));
  WorkUnit odd = unit();
  odd.cost = -std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(to_bytes(work_from(to_bytes(odd))), to_bytes(odd));
}

TEST(Wire, NeverSendsNothingForAResult) { EXPECT_FALSE(to_bytes(WorkResult{}).empty()) << "which asks for work"; }

TEST(Wire, RefusesAMessageThatIsCutOff) {
  for (const auto& whole : {to_bytes(result()), to_bytes(unit())}) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const Ranks::Bytes part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      if (whole.size() > 100) EXPECT_THROW(result_from(part), IoError) << size;
      else EXPECT_THROW(work_from(part), IoError) << size;
    }
  }
}

}  // namespace
}  // namespace bellwether
