#include <bellwether/linalg/svd/sketch.h>

#include <Eigen/Core>
#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "support/sample.h"
#include "support/sketches.h"

namespace bellwether {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::matrix;

constexpr SketchKind kinds[] = {SketchKind::gaussian, SketchKind::count_sketch, SketchKind::srht,
                                SketchKind::aggregation};

VectorXd applied(const Sketch& S, const auto& x) {
  VectorXd y = VectorXd::Constant(static_cast<Index>(S.rows()), 7);  // previous contents must not matter
  std::vector<double> work(S.workspace(), 7.0);
  S.apply(x, y.data(), work.data());
  return y;
}

DenseView view(const VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

TEST(Sketch, IsTheSameLinearMapForDenseSparseAndBinaryVectors) {
  for (const SketchKind kind : kinds) {
    for (const std::size_t d : {1U, 13U, 16U}) {
      const Sketch S(kind, d == 1 ? 1 : 6, d, 3);
      const MatrixXd all = matrix(S);
      const VectorXd x = VectorXd::Random(static_cast<Index>(d));
      EXPECT_LE((applied(S, view(x)) - all * x).cwiseAbs().maxCoeff(), 1e-14);
      std::vector<std::uint32_t> some;
      VectorXd ones = VectorXd::Zero(static_cast<Index>(d));
      for (std::uint32_t j = 0; j < d; j += 3) {
        some.push_back(j);
        ones[j] = 1;
      }
      const VectorXd expected = all * ones;
      EXPECT_LE((applied(S, BinaryView{some.data(), some.size()}) - expected).cwiseAbs().maxCoeff(), 1e-14);
      EXPECT_LE((applied(S, view(ones)) - expected).cwiseAbs().maxCoeff(), 1e-14);
    }
  }
}

TEST(Sketch, TransposedIsTheAdjoint) {
  for (const SketchKind kind : kinds) {
    for (const std::size_t d : {1U, 13U, 16U}) {
      const Sketch S(kind, d == 1 ? 1 : 5, d, 4);
      const VectorXd y = VectorXd::Random(static_cast<Index>(S.rows()));
      VectorXd x(static_cast<Index>(d));
      std::vector<double> work(S.workspace(), 7.0);
      S.apply_transposed(y.data(), x.data(), work.data());
      EXPECT_LE((x - matrix(S).transpose() * y).cwiseAbs().maxCoeff(), 1e-14);
    }
  }
}

TEST(Sketch, IsAFunctionOfSeedAndNumber) {
  for (const SketchKind kind : kinds) {
    const MatrixXd S = matrix(Sketch(kind, 6, 40, 5, 2));
    EXPECT_EQ(S, matrix(Sketch(kind, 6, 40, 5, 2)));
    EXPECT_NE(S, matrix(Sketch(kind, 6, 40, 5, 3)));
    EXPECT_NE(S, matrix(Sketch(kind, 6, 40, 6, 2)));
  }
}

TEST(Sketch, KeepsInnerProductsInTheMean) {
  // Every entry of S^T S has the mean of I: off by at most five standard errors in 3 x 21 entries. Those without
  // variance are exact.
  for (const SketchKind kind : {SketchKind::gaussian, SketchKind::count_sketch, SketchKind::srht}) {
    constexpr Index d = 6;
    std::vector<testing::Sample> entries(d * d);
    for (std::uint64_t number = 0; number < 4000; ++number) {
      const MatrixXd S = matrix(Sketch(kind, 3, d, 1, number));
      const MatrixXd gram = S.transpose() * S;
      for (Index i = 0; i < d * d; ++i) entries[static_cast<std::size_t>(i)].add(gram.data()[i]);
    }
    for (Index i = 0; i < d * d; ++i) {
      const auto& entry = entries[static_cast<std::size_t>(i)];
      EXPECT_NEAR(entry.mean(), i % d == i / d ? 1 : 0, 5 * entry.standard_error() + 1e-12);
    }
  }
}

TEST(Sketch, GaussianEntriesHaveTheMomentsOfTheNormalDistribution) {
  const MatrixXd S = matrix(Sketch(SketchKind::gaussian, 50, 2000, 1)) * std::sqrt(50.0);
  const auto n = static_cast<double>(S.size());
  EXPECT_NEAR(S.mean(), 0, 5 / std::sqrt(n));
  EXPECT_NEAR(S.array().square().mean(), 1, 5 * std::sqrt(2 / n));
  EXPECT_NEAR(S.array().pow(4).mean(), 3, 5 * std::sqrt(96 / n));  // var z^4 = 105 - 9
  EXPECT_NEAR((S.array().abs() < 0.6744897501960817).cast<double>().mean(), 0.5, 2.5 / std::sqrt(n));
}

TEST(Sketch, CountSketchHasOneSignInEveryColumn) {
  const MatrixXd S = matrix(Sketch(SketchKind::count_sketch, 7, 300, 2));
  EXPECT_TRUE((S.cwiseAbs().colwise().sum().array() == 1).all());
  EXPECT_TRUE((S.cwiseAbs().colwise().maxCoeff().array() == 1).all());
  EXPECT_TRUE((S.cwiseAbs().rowwise().sum().array() > 20).all());  // 43 in the mean, with a deviation of 6
  EXPECT_GT(S.maxCoeff(), 0);
  EXPECT_LT(S.minCoeff(), 0);
}

TEST(Sketch, SrhtHasOrthogonalRowsOfEqualLength) {
  const MatrixXd S = matrix(Sketch(SketchKind::srht, 5, 32, 2));
  EXPECT_LE((S * S.transpose() - 32.0 / 5 * MatrixXd::Identity(5, 5)).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LE((S.cwiseAbs().array() - 1 / std::sqrt(5.0)).abs().maxCoeff(), 1e-16);
  const MatrixXd rotation = matrix(Sketch(SketchKind::srht, 16, 16, 2));
  EXPECT_LE((rotation.transpose() * rotation - MatrixXd::Identity(16, 16)).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(Sketch, AggregationTakesMeansOfNeighbours) {
  for (const std::size_t d : {10U, 23U}) {
    const MatrixXd S = matrix(Sketch(SketchKind::aggregation, 4, d, 2));
    EXPECT_LE((S.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-15);  // the mean of ones is one
    EXPECT_TRUE(((S.array() > 0).cast<int>().colwise().sum() == 1).all());
    int cuts = 0;
    const auto n = static_cast<Index>(d);
    for (Index j = 0; j < n; ++j)
      cuts += (S.col(j).array() > 0).matrix() == (S.col((j + 1) % n).array() > 0).matrix() ? 0 : 1;
    EXPECT_EQ(cuts, 4) << "a block is a stretch of the circle";
    const auto sizes = (S.array() > 0).cast<int>().rowwise().sum().eval();
    EXPECT_LE(sizes.maxCoeff() - sizes.minCoeff(), 1);
  }
}

TEST(WalshHadamard, MultipliesByTheMatrixOfSigns) {
  for (const std::size_t n : {1U, 2U, 64U}) {
    VectorXd y = VectorXd::Random(static_cast<Index>(n));
    VectorXd expected = VectorXd::Zero(static_cast<Index>(n));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        expected[static_cast<Index>(i)] += (std::popcount(i & j) % 2 == 0 ? 1 : -1) * y[static_cast<Index>(j)];
      }
    }
    walsh_hadamard(y.data(), n);
    EXPECT_LE((y - expected).cwiseAbs().maxCoeff(), 1e-13);
  }
}

}  // namespace
}  // namespace bellwether
