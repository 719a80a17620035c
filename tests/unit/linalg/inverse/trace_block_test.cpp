#include <bellwether/linalg/inverse/trace_block.h>

#include <Eigen/Core>

#include <gtest/gtest.h>

#include "support/experience.h"

namespace bellwether {
namespace {

using Eigen::VectorXd;

constexpr std::size_t dim = 9;

/// Fills a block with n samples and returns its traces as dense vectors; f_0 e_{-1} is not zero.
template <class X>
std::vector<VectorXd> fill(TraceBlock& block, Layout layout, std::size_t n) {
  const auto experience = testing::Experience{.dim = dim, .steps = n + 1, .active = 2}.as(layout);
  const FeatureRows rows = experience.view().x;
  std::vector<VectorXd> traces;
  VectorXd e = VectorXd::Zero(dim);
  for (std::size_t i = 0; i <= n; ++i) {
    const double f = 0.3 + 0.2 * static_cast<double>(i);
    const X a = rows.as<X>(i);
    e *= f;
    a.for_each([&](std::size_t j, double value) { e[static_cast<Eigen::Index>(j)] += value; });
    EXPECT_TRUE(block.propose(f, a));
    block.accept();
    if (i == 0) block.clear();
    else traces.push_back(e);
  }
  EXPECT_EQ(block.size(), n);
  EXPECT_LE((Eigen::Map<const VectorXd>(block.trace(), dim) - e).norm(), 1e-14);
  return traces;
}

template <class X>
void expect_products_and_sums(Layout layout) {
  TraceBlock block(dim, 6);
  const auto traces = fill<X>(block, layout, 5);
  const VectorXd q = VectorXd::Random(dim);
  VectorXd products(5);
  block.products(q.data(), 5, products.data());
  const VectorXd z = VectorXd::Random(5);
  VectorXd sum(dim);
  block.combine(z.data(), sum.data());
  VectorXd expected = VectorXd::Zero(dim);
  for (Eigen::Index i = 0; i < 5; ++i) {
    EXPECT_NEAR(products[i], q.dot(traces[static_cast<std::size_t>(i)]), 1e-14);
    expected += z[i] * traces[static_cast<std::size_t>(i)];
  }
  EXPECT_LE((sum - expected).norm(), 1e-14);
}

TEST(TraceBlock, MultipliesAndCombinesSparseTraces) { expect_products_and_sums<SparseView>(Layout::sparse); }
TEST(TraceBlock, MultipliesAndCombinesDenseTraces) { expect_products_and_sums<DenseView>(Layout::dense); }

TEST(TraceBlock, MultipliesManyRowsAsItDoesOneBitForBit) {
  constexpr std::size_t rows = 19;  // eight, eight and three
  constexpr std::size_t stride = dim + 3;
  const Eigen::MatrixXd P = Eigen::MatrixXd::Random(stride, rows);
  for (const bool dense : {false, true}) {
    TraceBlock block(dim, 6);
    if (dense) fill<DenseView>(block, Layout::dense, 5);
    else fill<SparseView>(block, Layout::sparse, 5);
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(6, rows);
    block.products_of_rows(P.data(), stride, rows, 5, all.data(), 6);
    for (Eigen::Index j = 0; j < P.cols(); ++j) {
      VectorXd one(5);
      block.products(P.col(j).data(), 5, one.data());
      EXPECT_TRUE(all.col(j).head(5) == one && all(5, j) == 0) << j;
    }
  }
}

TEST(TraceBlock, RejectsATraceThatLeavesTheRangeAndKeepsTheOldOne) {
  TraceBlock block(2, 3);
  const double one[] = {1, 2};
  const double large[] = {1e51, 0};
  const double nan[] = {std::nan(""), 0};
  EXPECT_TRUE(block.propose(0, DenseView{one, 2}));
  block.accept();
  EXPECT_FALSE(block.propose(1, DenseView{large, 2}));
  EXPECT_FALSE(block.propose(1, DenseView{nan, 2}));
  EXPECT_FALSE(block.propose(1e51, DenseView{one, 2}));
  EXPECT_FALSE(block.propose(std::nan(""), DenseView{one, 2}));
  EXPECT_EQ(block.size(), 1U);
  EXPECT_EQ(block.trace()[1], 2);
}

}  // namespace
}  // namespace bellwether
