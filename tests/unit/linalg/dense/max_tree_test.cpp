#include <bellwether/linalg/dense/max_tree.h>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>

namespace bellwether {
namespace {

TEST(MaxTree, KnowsTheLargestAfterEveryChange) {
  for (const std::size_t n : {1U, 2U, 7U, 16U}) {
    MaxTree tree(n);
    std::vector<double> numbers(n, 0.0);
    EXPECT_EQ(tree.largest(), 0);
    Rng rng(1);
    for (int i = 0; i < 300; ++i) {
      if (i == 150) {
        tree.assign_all([](std::size_t, double value) { return -value - 1; });
        for (double& value : numbers) value = -value - 1;
      } else {
        const std::size_t j = rng.below(n);
        numbers[j] = 2 * rng.uniform() - 1;
        tree.assign(j, numbers[j]);
        EXPECT_EQ(tree[j], numbers[j]);
      }
      EXPECT_EQ(tree.largest(), *std::max_element(numbers.begin(), numbers.end()));
    }
  }
}

}  // namespace
}  // namespace bellwether
