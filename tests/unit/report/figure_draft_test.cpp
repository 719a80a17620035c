#include <bellwether/report/figure_draft.h>

#include <gtest/gtest.h>

namespace bellwether {
namespace {

TEST(FigureDraft, PanelsAreNamedByTheirValuesAndLargePowersOfTenInShort) {
  EXPECT_EQ(panel_title("n0", "1000000"), "n0 = 1e6");
  EXPECT_EQ(panel_title("n0", "10000"), "n0 = 10000");
  EXPECT_EQ(panel_title("n0", "1200000"), "n0 = 1200000");
  EXPECT_EQ(panel_title("trace", "replacing"), "trace = replacing");
}

TEST(FigureDraft, ValuesAreOnALogarithmicAxisWhenTheyArePositiveAndSpanMoreThanAFactorOf20) {
  EXPECT_EQ(scale_of({"0.01", "1"}), ValueScale::log);
  EXPECT_EQ(scale_of({"1", "20"}), ValueScale::linear);
  EXPECT_EQ(scale_of({"0", "100"}), ValueScale::linear);
  EXPECT_EQ(scale_of({"1", "auto"}), ValueScale::named);
  EXPECT_EQ(scale_of({}), ValueScale::named);
}

}  // namespace
}  // namespace bellwether
