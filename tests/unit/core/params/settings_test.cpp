#include <bellwether/core/params/settings.h>

#include <cstdint>

#include <gtest/gtest.h>

namespace bellwether {
namespace {

TEST(Settings, TakeNumbersTruthValuesAndText) {
  const Settings settings{{"alpha", 0.05}, {"rank", 7}, {"cap_rank", true}, {"fast", false}, {"trace", "replacing"}};
  EXPECT_EQ(text_of(settings), "alpha=0.05 rank=7 cap_rank=true fast=false trace=replacing");
}

TEST(Settings, NumbersReadBackAsTheyWere) {
  for (const double value : {1.0 / 3, 1e-300, -2.5e20, 1e50}) EXPECT_EQ(std::stod(Setting("x", value).second), value);
  EXPECT_EQ(Setting("x", std::uint64_t{18446744073709551615U}).second, "18446744073709551615");
  EXPECT_EQ(Setting("x", 0.1F).second, format_number(0.1F));
}

TEST(Settings, AreNamesWithValues) {
  const Settings settings{{"alpha", 0.5}};
  for (const auto& [name, value] : settings) {
    EXPECT_EQ(name, "alpha");
    EXPECT_EQ(value, "0.5");
  }
  EXPECT_EQ(settings, (Settings{{"alpha", "0.5"}}));
  EXPECT_NE(settings, (Settings{{"alpha", "0.50"}}));
}

}  // namespace
}  // namespace bellwether
