#include <bellwether/features/bias.h>

#include <gtest/gtest.h>

#include "support/rows.h"

namespace bellwether {
namespace {

TEST(Bias, IsOneWhateverTheStateAndNeedsNoVariables) {
  const Bias map(FeatureContext({}), {});
  EXPECT_EQ(map.layout(), Layout::binary);
  const double state = 17;
  EXPECT_EQ(testing::features_of(map, {&state, 1}), std::vector<double>{1});
  EXPECT_EQ(testing::features_of(map, {}), std::vector<double>{1});
}

}  // namespace
}  // namespace bellwether
