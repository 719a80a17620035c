#include <bellwether/model/covariance.h>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>

namespace bellwether {
namespace {

/// Rows of which many are equal; feature 3 never occurs, feature 0 in every row.
RowBuffer repeated_rows(Layout layout, bool ones, std::size_t dim) {
  Rng rng(3);
  RowBuffer rows(layout, dim);
  for (std::size_t t = 0; t < 500; ++t) {
    const auto kind = static_cast<std::uint32_t>(rng.uniform() * 40);
    rows.add(0, ones ? 1 : 0.5);
    for (std::uint32_t j = 4; j < dim; ++j) {
      if ((kind + 1) * j % 7 < 3) rows.add(j, ones ? 1 : 1.0 / (kind + j));
    }
    rows.end_row();
  }
  return rows;
}

TEST(Covariance, AProductHasTheBitsOfTheSumOverRows) {
  for (const std::size_t dim : {5U, 12U, 21U}) {
    for (const auto& [layout, ones] : {std::pair(Layout::dense, false), std::pair(Layout::sparse, false),
                                       std::pair(Layout::sparse, true), std::pair(Layout::binary, true)}) {
      const RowBuffer buffer = repeated_rows(layout, ones, dim);
      const FeatureRows rows = buffer.view();
      Covariance C(rows);
      Rng rng(4);
      std::vector<double> v(dim), y(dim);
      for (int repeat = 0; repeat < 3; ++repeat) {
        for (double& value : v) value = rng.normal();
        C.times(v, y);
        std::vector<double> expected(dim, 0.0);
        for (std::size_t t = 0; t < rows.rows; ++t) {
          visit(rows.row(t), [&](const auto& x) {
            double product = 0;
            x.for_each([&](std::size_t j, double value) { product += value * v[j]; });
            x.for_each(
                [&](std::size_t j, double value) { expected[j] += product / static_cast<double>(rows.rows) * value; });
          });
        }
        for (std::size_t j = 0; j < dim; ++j) {
          // The sums of dense products have an order of their own.
          if (layout == Layout::dense) EXPECT_NEAR(y[j], expected[j], 1e-14);
          else EXPECT_EQ(y[j], expected[j]) << j;
        }
      }
    }
  }
}

}  // namespace
}  // namespace bellwether
