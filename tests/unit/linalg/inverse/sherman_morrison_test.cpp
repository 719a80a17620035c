#include <bellwether/linalg/inverse/sherman_morrison.h>

#include <Eigen/Core>

#include <gtest/gtest.h>

#include "support/dense_algebra.h"
#include "support/experience.h"
#include "support/factorisations.h"

namespace bellwether {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::Experience;
using testing::inverse_of;

constexpr std::size_t dim = 10;
constexpr double p0 = 3;

template <class X>
VectorXd dense(const X& x) {
  VectorXd v = VectorXd::Zero(dim);
  x.for_each([&](std::size_t j, double value) { v[static_cast<Index>(j)] += value; });
  return v;
}

VectorXd weights_of(const ShermanMorrison& P) {
  VectorXd w(dim);
  P.read({w.data(), dim});
  return w;
}

/// The definitions, on dense matrices.
struct Definition {
  MatrixXd S = MatrixXd::Identity(dim, dim) / p0;
  VectorXd e = VectorXd::Zero(dim);
  VectorXd w = VectorXd::Zero(dim);

  void move(double f, const VectorXd& a) { e = f * e + a; }
  void add(const VectorXd& d, double y, double b) {
    S += e * d.transpose();
    w += y * testing::solve(S, e) + b * e;
  }
};

/// Rows of features with few entries. a_i and d_i are both row i, so that S, which is not symmetric because of the
/// trace, is well conditioned.
constexpr Experience rows{.dim = dim, .steps = 60, .active = 3};

double factor(std::size_t i) { return i % 11 == 4 ? 0.0 : 0.1 * static_cast<double>(i % 13); }

template <class X>
void expect_definition_after_every_sample(Layout layout, std::size_t block) {
  const auto experience = rows.as(layout);
  const FeatureRows x = experience.view().x;
  ShermanMorrison P(dim, p0, block);
  Definition is;
  for (std::size_t i = 0; i < x.rows; ++i) {
    const X a = x.as<X>(i);
    ASSERT_TRUE(P.sample(factor(i), a, a));
    EXPECT_NEAR(P.prediction(), dense(a).dot(is.w), 1e-11);
    ASSERT_TRUE(P.take(1.5, 0.1));
    is.move(factor(i), dense(a));
    is.add(dense(a), 1.5, 0.1);
    ASSERT_LE((inverse_of(P) - testing::inverse(is.S)).cwiseAbs().maxCoeff(), 1e-10)
        << "sample " << i << ", block " << block;
    ASSERT_LE((weights_of(P) - is.w).cwiseAbs().maxCoeff(), 1e-10);
    EXPECT_NEAR(P.dot(a), dense(a).dot(is.w), 1e-10);
  }
  EXPECT_EQ(P.skipped(), 0U);
}

TEST(ShermanMorrison, FollowsTheInverseAndItsGainsForEveryBlockSizeInTheMiddleOfBlocksToo) {
  for (const std::size_t block : std::initializer_list<std::size_t>{1, 2, 3, 7, 16, 100}) {
    expect_definition_after_every_sample<SparseView>(Layout::sparse, block);
    expect_definition_after_every_sample<DenseView>(Layout::dense, block);
  }
}

TEST(ShermanMorrison, TakesDenseAndSparseSamplesInOneStream) {
  const auto sparse = rows.as(Layout::sparse);
  const auto full = rows.as(Layout::dense);
  ShermanMorrison mixed(dim, p0, 8);
  ShermanMorrison alike(dim, p0, 8);
  for (std::size_t i = 0; i < 60; ++i) {
    const auto x = sparse.view().x.as<SparseView>(i);
    const auto same = full.view().x.as<DenseView>(i);
    ASSERT_TRUE(i % 5 < 3 ? mixed.sample(0.7, x, x) : mixed.sample(0.7, same, same));
    ASSERT_TRUE(alike.sample(0.7, x, x));
    EXPECT_NEAR(mixed.prediction(), alike.prediction(), 1e-11);
    mixed.take(1);
    alike.take(1);
  }
  EXPECT_LE((inverse_of(mixed) - inverse_of(alike)).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(ShermanMorrison, TimesTheNumberOfSamplesIsTheInverseOfTheMean) {
  // The normalised recursion, and the inverse of (I/p0 + S_t) / (t+1), are both (t+1) P.
  const auto experience = rows.as(Layout::sparse);
  const FeatureRows x = experience.view().x;
  ShermanMorrison P(dim, p0, 4);
  Definition is;
  MatrixXd N = p0 * MatrixXd::Identity(dim, dim);
  for (std::size_t i = 0; i < x.rows; ++i) {
    const auto t = static_cast<double>(i);
    ASSERT_TRUE(P.sample(0.5, x.as<SparseView>(i), x.as<SparseView>(i)));
    P.take(0);
    const VectorXd d = dense(x.as<SparseView>(i));
    is.move(0.5, d);
    is.add(d, 0, 0);
    const VectorXd u = N * is.e;
    const VectorXd q = N.transpose() * d;
    if (i == 0) N -= u * q.transpose() / (1 + d.dot(u));
    else N = (t + 1) / t * (N - u * q.transpose() / (t + d.dot(u)));
    const MatrixXd normalised = (t + 1) * inverse_of(P);
    ASSERT_LE((normalised - N).cwiseAbs().maxCoeff(), 1e-9 * N.cwiseAbs().maxCoeff());
    ASSERT_LE((normalised - testing::inverse(is.S / (t + 1))).cwiseAbs().maxCoeff(), 1e-9 * N.cwiseAbs().maxCoeff());
  }
}

TEST(ShermanMorrison, LeavesOutASampleThatWouldMakeTheMatrixSingular) {
  for (const std::size_t block : std::initializer_list<std::size_t>{1, 3, 20}) {
    const auto experience = rows.as(Layout::sparse);
    const FeatureRows x = experience.view().x;
    ShermanMorrison P(dim, p0, block);
    Definition is;
    for (std::size_t i = 0; i + 1 < 30; ++i) {
      const auto a = x.as<SparseView>(i);
      is.move(0.5, dense(a));
      VectorXd d = dense(x.as<SparseView>(i + 1));
      const bool singular = i % 7 == 5;
      const double product = d.dot(testing::inverse(is.S) * is.e);
      if (singular) d *= -1 / product;  // 1 + d.P e = 0
      std::vector<std::uint32_t> indices;
      std::vector<double> values;
      for (std::size_t j = 0; j < dim; ++j) {
        indices.push_back(static_cast<std::uint32_t>(j));
        values.push_back(d[static_cast<Index>(j)]);
      }
      ASSERT_TRUE(P.sample(0.5, a, SparseView{indices.data(), values.data(), dim}));
      ASSERT_TRUE(P.take(1));
      if (!singular) is.add(d, 1, 0);
      ASSERT_LE((inverse_of(P) - testing::inverse(is.S)).cwiseAbs().maxCoeff(), 1e-9)
          << "sample " << i << ", block " << block;
      ASSERT_LE((weights_of(P) - is.w).cwiseAbs().maxCoeff(), 1e-9);
    }
    EXPECT_EQ(P.skipped(), 4U);
  }
}

TEST(ShermanMorrison, StaysFiniteWhenSamplesDriveTheInverseToInfinity) {
  // c = 1e-7 again and again: every sample multiplies the inverse by ten million.
  for (const std::size_t block : std::initializer_list<std::size_t>{1, 8}) {
    ShermanMorrison P(1, 1.0, block);
    std::size_t taken = 0;
    for (std::size_t i = 0; i < 100; ++i) {
      const double a = 1;
      const double d = (1e-7 - 1) / P.inverse()[0];
      if (!P.sample(0.0, DenseView{&a, 1}, DenseView{&d, 1}) || !P.take(1)) break;
      ++taken;
      double w = 0;
      P.read({&w, 1});
      ASSERT_TRUE(std::isfinite(w));
      ASSERT_TRUE(std::isfinite(P.inverse()[0]));
    }
    EXPECT_LT(taken, 100U);
    EXPECT_GT(taken, 3U);
  }
}

TEST(ShermanMorrison, RejectsNumbersThatAreNotFiniteAndStaysAsItIs) {
  const double one[] = {1, 2};
  for (const double strange : {std::nan(""), HUGE_VAL, -HUGE_VAL, 1e308}) {
    ShermanMorrison P(2, 1.0, 4);
    ASSERT_TRUE(P.sample(0.5, DenseView{one, 2}, DenseView{one, 2}));
    ASSERT_TRUE(P.take(1));
    const auto before = P.inverse();
    const double bad[] = {1, strange};
    EXPECT_FALSE(P.sample(0.5, DenseView{bad, 2}, DenseView{one, 2}));
    EXPECT_FALSE(P.sample(0.5, DenseView{one, 2}, DenseView{bad, 2}));
    EXPECT_FALSE(P.sample(strange, DenseView{one, 2}, DenseView{one, 2}));
    EXPECT_TRUE(P.sample(0.5, DenseView{one, 2}, DenseView{one, 2}));
    EXPECT_FALSE(P.take(strange));
    EXPECT_FALSE(P.take(1, strange));
    EXPECT_EQ(P.inverse(), before);
    EXPECT_TRUE(P.take(1));
  }
}

TEST(ShermanMorrison, MergesIntoTheInverseOfTheSumInTheMidstOfBlocks) {
  const auto steps = Experience{.dim = dim, .steps = 47, .active = 3}.as(Layout::sparse);
  ShermanMorrison parts[] = {{dim, p0, 4}, {dim, p0, 4}};
  MatrixXd S = MatrixXd::Identity(dim, dim) / p0;
  VectorXd s = VectorXd::Zero(dim);
  for (std::size_t t = 0; t < steps.size(); ++t) {
    ShermanMorrison& P = parts[t < 22 ? 0 : 1];
    const auto a = steps.view().x.as<SparseView>(t);
    const auto d = steps.view().x_next.as<SparseView>(t);
    ASSERT_TRUE(P.sample(0, a, d));
    ASSERT_TRUE(P.take(steps.view().reward[t] - P.prediction()));
    S += dense(a) * dense(d).transpose();
    s += dense(a) * steps.view().reward[t];
  }
  const MatrixXd inverse = testing::inverse(S);
  ASSERT_TRUE(parts[0].merge(parts[1]));
  EXPECT_LE((inverse_of(parts[0]) - inverse).norm(), 1e-11 * inverse.norm());
  EXPECT_LE((weights_of(parts[0]) - inverse * s).norm(), 1e-11 * (inverse * s).norm());
}

TEST(ShermanMorrison, RefusesToMergeIntoASingularSum) {
  const std::uint32_t index = 0;
  const double one = 1;
  const double opposite = -1 / p0 - 1;
  ShermanMorrison parts[] = {{dim, p0}, {dim, p0}};
  ASSERT_TRUE(parts[0].sample(0, SparseView{&index, &one, 1}, SparseView{&index, &one, 1}) && parts[0].take(1));
  ASSERT_TRUE(parts[1].sample(0, SparseView{&index, &one, 1}, SparseView{&index, &opposite, 1}) && parts[1].take(1));
  const VectorXd before = weights_of(parts[0]);
  EXPECT_FALSE(parts[0].merge(parts[1]));
  EXPECT_EQ(weights_of(parts[0]), before);
}

}  // namespace
}  // namespace bellwether
