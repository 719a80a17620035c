#include <bellwether/experiment/dispatch/wire.h>

#include <limits>

#include <gtest/gtest.h>

#include <bellwether/experiment/dispatch/dispatch.h>

namespace bellwether {
namespace {

WorkUnit sample_unit() {
  return {.case_index = 3, .first_seed = 1ULL << 40U, .seeds = 7, .settings = {0, 7, 123456789012}, .cost = 0.1};
}

Dispatch::Done sample_result() {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const Trial finished{.curves = {{inf, 5e-324, -0.0}, {}},
                       .diverged_at = std::nullopt,
                       .seconds = 1e-9,
                       .findings = {{"rank", "12"}, {"", ""}}};
  const Trial diverged{.curves = {}, .diverged_at = 0, .seconds = 0, .findings = {}};
  return {sample_unit(), {.trials = {{finished, diverged}, {}}, .seconds_alone = {1e-7, 2e-7}}};
}

TEST(Wire, BringsAUnitBackAsItWas) {
  const auto back = from_bytes<WorkUnit>(to_bytes(sample_unit()));
  EXPECT_EQ(back.case_index, sample_unit().case_index);
  EXPECT_EQ(back.first_seed, sample_unit().first_seed);
  EXPECT_EQ(back.seeds, sample_unit().seeds);
  EXPECT_EQ(back.settings, sample_unit().settings);
  EXPECT_EQ(back.cost, sample_unit().cost);
}

TEST(Wire, BringsAResultBackAsItWas) {
  const auto sent = sample_result();
  const auto back = from_bytes<Dispatch::Done>(to_bytes(sent));
  EXPECT_EQ(back.work.settings, sent.work.settings);
  ASSERT_EQ(back.result.trials.size(), 2U);
  ASSERT_EQ(back.result.trials[0].size(), 2U);
  EXPECT_TRUE(back.result.trials[1].empty());
  for (std::size_t i = 0; i < 2; ++i) {
    const Trial& a = sent.result.trials[0][i];
    const Trial& b = back.result.trials[0][i];
    EXPECT_EQ(a.curves, b.curves);
    EXPECT_EQ(a.diverged_at, b.diverged_at);
    EXPECT_EQ(a.seconds, b.seconds);
    EXPECT_EQ(a.findings, b.findings);
  }
  EXPECT_EQ(back.result.seconds_alone, sent.result.seconds_alone);
}

TEST(Wire, KeepsEveryBit) {
  const std::string bytes = to_bytes(sample_result());
  EXPECT_EQ(to_bytes(from_bytes<Dispatch::Done>(bytes)), bytes);
  WorkUnit odd = sample_unit();
  odd.cost = -std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(to_bytes(from_bytes<WorkUnit>(to_bytes(odd))), to_bytes(odd));
}

TEST(Wire, NeverSendsNothingForAResult) {
  EXPECT_FALSE(to_bytes(Dispatch::Done{}).empty()) << "an empty message asks for work";
}

TEST(Wire, RefusesAMessageThatIsCutOffOrTooLong) {
  const std::string result = to_bytes(sample_result());
  for (std::size_t size = 0; size < result.size(); ++size) {
    EXPECT_THROW(from_bytes<Dispatch::Done>(result.substr(0, size)), IoError) << size;
  }
  const std::string unit_bytes = to_bytes(sample_unit());
  for (std::size_t size = 0; size < unit_bytes.size(); ++size) {
    EXPECT_THROW(from_bytes<WorkUnit>(unit_bytes.substr(0, size)), IoError) << size;
  }
  EXPECT_THROW(from_bytes<WorkUnit>(unit_bytes + "x"), IoError);
}

}  // namespace
}  // namespace bellwether
