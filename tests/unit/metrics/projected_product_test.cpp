#include <bellwether/metrics/projected_product.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <bellwether/core/support/rng.h>

#include "support/dense_algebra.h"

namespace bellwether {
namespace {

/// Rows with one active feature of each of `groups` groups of five, so that groups add up to the same; the last feature
/// is never active.
struct Tiles {
  Tiles(Layout layout, std::size_t groups, std::size_t count, std::uint64_t seed = 1)
      : dim(5 * groups + 1), rows(layout, dim) {
    Rng rng(seed);
    for (std::size_t t = 0; t < count; ++t) {
      const double at = 4 * rng.uniform();
      for (std::size_t i = 0; i < groups; ++i) {
        const auto tile = static_cast<std::uint32_t>(at + static_cast<double>(i) / static_cast<double>(groups));
        rows.add(static_cast<std::uint32_t>(5 * i) + tile, layout == Layout::binary ? 1 : 1 + at);
      }
      rows.end_row();
    }
  }

  /// X^T y / n with random y: a mean of `mean` and as much noise.
  std::vector<double> gradient(std::uint64_t seed, double mean) const {
    Rng rng(seed);
    std::vector<double> g(dim, 0.0);
    for (std::size_t t = 0; t < rows.rows(); ++t) {
      const double y = (mean + rng.normal()) / static_cast<double>(rows.rows());
      visit(rows.view().row(t), [&](const auto& x) { x.for_each([&](std::size_t j, double v) { g[j] += y * v; }); });
    }
    return g;
  }

  /// The definition, solved densely over the features that are active.
  double exact(const std::vector<double>& g, const std::vector<double>& h) const {
    const auto d = static_cast<Eigen::Index>(dim);
    Eigen::MatrixXd C = Eigen::MatrixXd::Zero(d, d);
    for (std::size_t t = 0; t < rows.rows(); ++t) {
      Eigen::VectorXd x = Eigen::VectorXd::Zero(d);
      visit(rows.view().row(t), [&](const auto& row) {
        row.for_each([&](std::size_t j, double v) { x[static_cast<Eigen::Index>(j)] = v; });
      });
      C += x * x.transpose() / static_cast<double>(rows.rows());
    }
    const auto seen = static_cast<double>((C.diagonal().array() > 0).count());
    for (Eigen::Index j = 0; j < d; ++j) {
      C(j, j) += C(j, j) > 0 ? C(j, j) * seen / static_cast<double>(rows.rows()) : 1;
    }
    const Eigen::Map<const Eigen::VectorXd> G(g.data(), d), H(h.data(), d);
    return G.dot(testing::solve(C, H));
  }

  std::size_t dim;
  RowBuffer rows;
};

TEST(ProjectedProduct, IsThatOfTheDefinitionInEveryLayout) {
  for (const Layout layout : {Layout::dense, Layout::sparse, Layout::binary}) {
    for (const std::size_t count : {40U, 400U, 4000U}) {
      const Tiles tiles(layout, 6, count);
      const auto g = tiles.gradient(2, 1), h = tiles.gradient(3, 1);
      for (const double accuracy : {0.1, 1e-3, 1e-9}) {
        const ProjectedProduct found = projected_product(tiles.rows.view(), g, h, accuracy);
        const double size = (tiles.exact(g, g) + tiles.exact(h, h)) / 2;
        EXPECT_NEAR(found.value, tiles.exact(g, h), accuracy * size);
        EXPECT_NEAR(found.size, size, accuracy * size);
        EXPECT_LE(found.missing, accuracy * found.size);
      }
    }
  }
}

TEST(ProjectedProduct, TheBoundOnTheErrorHolds) {
  const Tiles tiles(Layout::binary, 8, 300);
  const auto g = tiles.gradient(4, 0), h = tiles.gradient(5, 0);
  const double exact = tiles.exact(g, h);
  for (double accuracy = 1; accuracy > 1e-8; accuracy /= 3) {
    const ProjectedProduct found = projected_product(tiles.rows.view(), g, h, accuracy);
    EXPECT_LE(std::abs(found.value - exact), found.missing + 1e-14);
  }
}

TEST(ProjectedProduct, DoesNotDependOnTheUnitsOfFeatures) {
  const Tiles tiles(Layout::dense, 4, 500);
  const auto g = tiles.gradient(6, 1), h = tiles.gradient(7, 1);
  RowBuffer scaled(Layout::dense, tiles.dim);
  std::vector<double> a = g, b = h, unit(tiles.dim);
  for (std::size_t j = 0; j < tiles.dim; ++j) unit[j] = std::ldexp(1.0, static_cast<int>(j % 40) - 20);
  for (std::size_t t = 0; t < tiles.rows.rows(); ++t) {
    const std::span<double> row = scaled.add_dense();
    visit(tiles.rows.view().row(t),
          [&](const auto& x) { x.for_each([&](std::size_t j, double v) { row[j] = unit[j] * v; }); });
  }
  for (std::size_t j = 0; j < tiles.dim; ++j) a[j] *= unit[j], b[j] *= unit[j];
  // Powers of two round nothing.
  EXPECT_EQ(projected_product(scaled.view(), a, b).value, projected_product(tiles.rows.view(), g, h).value);
}

TEST(ProjectedProduct, TheRidgeVanishesWithTheNumberOfRows) {
  // One feature that is always 1: g h / (1 + 1/n). The mean of n rounded products is off by n roundings at most.
  for (const std::size_t n : {1U, 10U, 100000U}) {
    RowBuffer rows(Layout::dense, 1);
    for (std::size_t t = 0; t < n; ++t) rows.add_dense()[0] = 1;
    const std::vector<double> g{3}, h{2};
    EXPECT_NEAR(projected_product(rows.view(), g, h).value, 6 / (1 + 1 / static_cast<double>(n)), 1e-10);
  }
}

TEST(ProjectedProduct, FewIterationsAreEnoughWhateverTheNumberOfFeatures) {
  for (const std::size_t groups : {20U, 100U, 200U}) {
    const Tiles tiles(Layout::binary, groups, 8192);
    EXPECT_LE(projected_product(tiles.rows.view(), tiles.gradient(8, 1), tiles.gradient(9, 1)).iterations, 60);
  }
}

TEST(ProjectedProduct, OfNothingIsNothingAndOfInfinityIsNotFinite) {
  const Tiles tiles(Layout::sparse, 3, 50);
  const std::vector<double> zero(tiles.dim, 0.0);
  EXPECT_EQ(projected_product(tiles.rows.view(), zero, zero).value, 0);
  EXPECT_EQ(projected_product(tiles.rows.view(), zero, zero).iterations, 0);
  const auto g = tiles.gradient(2, 1);
  EXPECT_EQ(projected_product(tiles.rows.view(), g, zero).value, 0);
  std::vector<double> infinite = g;
  infinite[0] = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(projected_product(tiles.rows.view(), infinite, g).finite);
}

}  // namespace
}  // namespace bellwether
