#include <bellwether/linalg/simd/values.h>

#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "support/random_vectors.h"

namespace bellwether {
namespace {

/// Rows of random features, some of them empty where the layout allows it.
RowBuffer random_rows(Layout layout, std::size_t dim, std::size_t count, testing::RandomVectors& random) {
  RowBuffer rows(layout, dim);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::uint32_t j = 0; j < dim; ++j) {
      if (layout == Layout::dense || random.number() > 0.4) rows.add(j, random.number());
    }
    rows.end_row();
  }
  return rows;
}

class Values : public ::testing::TestWithParam<Layout> {};

TEST_P(Values, AreProductsOfWeightsAndFeatures) {
  testing::RandomVectors random(1);
  const RowBuffer rows = random_rows(GetParam(), 21, 13, random);
  const Eigen::VectorXd w = random.vector(21);
  std::vector<double> values(13);
  values_of(rows.view(), {w.data(), 21}, values);
  for (std::size_t i = 0; i < 13; ++i) {
    double expected = 0;
    visit(rows.view().row(i), [&](const auto& x) {
      x.for_each([&](std::size_t j, double v) { expected += v * w[static_cast<Eigen::Index>(j)]; });
    });
    EXPECT_NEAR(values[i], expected, 1e-14);
  }
}

TEST_P(Values, OfEightVectorsHaveTheBitsOfEachAlone) {
  testing::RandomVectors random(2);
  for (std::size_t dim = 1; dim <= 40; ++dim) {
    const RowBuffer rows = random_rows(GetParam(), dim, 9, random);
    std::vector<double> lanes(8 * dim);
    for (double& value : lanes) value = random.number() * std::ldexp(1.0, static_cast<int>(20 * random.number()));
    std::vector<double> together(8 * 9, -1);
    eight_values_of(rows.view(), lanes, together);
    for (std::size_t l = 0; l < 8; ++l) {
      std::vector<double> w(dim);
      for (std::size_t j = 0; j < dim; ++j) w[j] = lanes[8 * j + l];
      std::vector<double> alone(9);
      values_of(rows.view(), w, alone);
      for (std::size_t i = 0; i < 9; ++i) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(together[8 * i + l]), std::bit_cast<std::uint64_t>(alone[i]))
            << dim << " features, row " << i << ", vector " << l;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryLayout, Values, ::testing::Values(Layout::dense, Layout::sparse, Layout::binary));

}  // namespace
}  // namespace bellwether
