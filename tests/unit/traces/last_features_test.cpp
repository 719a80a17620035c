#include <bellwether/traces/last_features.h>

#include <gtest/gtest.h>

namespace bellwether {
namespace {

TEST(LastFeatures, AreEqualOnlyToTheSameBitsInTheSameOrderAndLayout) {
  const std::vector<std::uint32_t> indices{2, 0};
  const std::vector<std::uint32_t> turned{0, 2};
  const std::vector<double> ones{1, 1};
  const std::vector<double> zeros{0, 1};
  const std::vector<double> negative{-0.0, 1};
  const SparseView x{indices.data(), ones.data(), 2};
  LastFeatures last(3);
  EXPECT_FALSE(last.equal(SparseView{nullptr, nullptr, 0})) << "nothing was remembered";
  last.remember(x);
  EXPECT_TRUE(last.equal(x));
  const std::vector<std::uint32_t> copy = indices;
  EXPECT_TRUE(last.equal(SparseView{copy.data(), ones.data(), 2})) << "wherever they are";
  EXPECT_FALSE(last.equal(SparseView{turned.data(), ones.data(), 2}));
  EXPECT_FALSE(last.equal(SparseView{indices.data(), zeros.data(), 2}));
  EXPECT_FALSE(last.equal(SparseView{indices.data(), ones.data(), 1}));
  EXPECT_FALSE(last.equal(BinaryView{indices.data(), 2}));
  EXPECT_FALSE(last.equal(DenseView{ones.data(), 2}));
  last.remember(DenseView{zeros.data(), 2});
  EXPECT_FALSE(last.equal(DenseView{negative.data(), 2})) << "0 and -0 are different bits";
  EXPECT_TRUE(last.equal(DenseView{zeros.data(), 2}));
  last.forget();
  EXPECT_FALSE(last.equal(DenseView{zeros.data(), 2}));
}

TEST(LastFeatures, MayBeNone) {
  LastFeatures last(3);
  last.remember(BinaryView{nullptr, 0});
  EXPECT_TRUE(last.equal(BinaryView{nullptr, 0}));
  const std::uint32_t first = 0;
  EXPECT_FALSE(last.equal(BinaryView{&first, 1}));
}

TEST(LastFeatures, AreACopy) {
  std::vector<double> values{1, 2, 3};
  LastFeatures last(3);
  last.remember(DenseView{values.data(), 3});
  values[1] = 5;
  EXPECT_FALSE(last.equal(DenseView{values.data(), 3}));
}

}  // namespace
}  // namespace bellwether
