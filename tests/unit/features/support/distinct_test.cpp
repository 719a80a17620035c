#include <bellwether/features/support/distinct.h>

#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>

namespace bellwether {
namespace {

TEST(KeepDistinct, KeepsOneOfEachWhateverTheirNumberAndRange) {
  Rng rng(1);
  for (const std::size_t size : {0, 1, 2, 16, 17, 100, 800, 4096}) {
    for (const std::size_t bound : {1UL, 10UL, 1000UL, 32768UL, 32769UL, 1UL << 20U, 1UL << 32U}) {
      std::vector<std::uint32_t> indices(size);
      for (auto& index : indices) index = static_cast<std::uint32_t>(rng.below(bound));
      const std::set<std::uint32_t> expected(indices.begin(), indices.end());
      const std::size_t kept = keep_distinct(indices, bound);
      ASSERT_EQ(kept, expected.size()) << size << " below " << bound;
      EXPECT_EQ(std::set<std::uint32_t>(indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(kept)),
                expected);
    }
  }
}

TEST(KeepDistinct, KeepsThemInTheOrderOfTheirFirstAppearance) {
  for (const std::size_t bound : {6UL, 1UL << 20U}) {
    std::vector<std::uint32_t> indices{5, 3, 5, 5, 1, 3};
    for (int i = 0; i < 20; ++i) indices.push_back(5);
    indices.push_back(2);
    ASSERT_EQ(keep_distinct(indices, bound), 4U);
    indices.resize(4);
    EXPECT_EQ(indices, (std::vector<std::uint32_t>{5, 3, 1, 2}));
  }
}

}  // namespace
}  // namespace bellwether
