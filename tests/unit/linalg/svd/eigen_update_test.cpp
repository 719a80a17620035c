#include <bellwether/linalg/svd/eigen_update.h>

#include <gtest/gtest.h>
#include <Eigen/Core>

#include "support/dense_algebra.h"
#include "support/factorisations.h"
#include "support/random_vectors.h"

namespace bellwether {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::RandomVectors;
using testing::values;
using testing::vectors;

/// Checks that the vectors are orthonormal and decompose G.
void expect_decomposition(const EigenUpdate& eigen, const MatrixXd& G, double tolerance) {
  const MatrixXd L = vectors(eigen);
  const VectorXd lambda = values(eigen);
  ASSERT_TRUE(L.allFinite());
  const MatrixXd I = MatrixXd::Identity(G.rows(), G.cols());
  EXPECT_LE((L.transpose() * L - I).cwiseAbs().maxCoeff(), tolerance);
  EXPECT_LE((L * lambda.asDiagonal() * L.transpose() - G).norm(), tolerance * G.norm());
  EXPECT_TRUE(std::is_sorted(lambda.begin(), lambda.end(), std::greater<>()));
}

/// Diagonals to start from, each difficult in its own way.
std::vector<std::pair<const char*, VectorXd>> spectra(Index n) {
  std::vector<std::pair<const char*, VectorXd>> all;
  VectorXd d = VectorXd::LinSpaced(n, 2, 1);
  all.emplace_back("even", d);
  for (Index i = 0; i < n; ++i) d[i] = std::pow(0.3, static_cast<double>(i));
  all.emplace_back("falling", d);
  for (Index i = 0; i < n; ++i) d[i] = 1 + 1e-9 * static_cast<double>(n - i);
  all.emplace_back("clustered", d);
  all.emplace_back("equal", VectorXd::Ones(n));
  all.emplace_back("zero", VectorXd::Zero(n));
  d.setZero();
  d.head(n / 3).setConstant(5);
  all.emplace_back("low rank", d);
  return all;
}

/// Calls `add(t, random, eigen, G)` to change a matrix and its decomposition, `terms` times from each of the diagonals.
template <class Add>
void follow(int terms, double tolerance, Add add) {
  constexpr Index n = 21;
  for (const auto& [name, d] : spectra(n)) {
    SCOPED_TRACE(name);
    RandomVectors random;
    EigenUpdate eigen(n);
    eigen.reset({d.data(), n});
    MatrixXd G = d.asDiagonal();
    for (int t = 0; t < terms; ++t) {
      add(t, random, eigen, G);
      expect_decomposition(eigen, G, tolerance);
    }
  }
}

TEST(EigenUpdate, FollowsTermsOfRankOne) {
  follow(30, 1e-13, [](int t, RandomVectors& random, EigenUpdate& eigen, MatrixXd& G) {
    const Index n = G.rows();
    const VectorXd v = t % 5 == 4 ? random.sparse(n, 2) : random.vector(n);
    const double rho = (t % 3 == 2 ? -1 : 1) * std::pow(10, t % 4 - 3);
    eigen.add(rho, v.data());
    G += rho * v * v.transpose();
  });
}

TEST(EigenUpdate, FollowsTermsOfRankTwo) {
  follow(60, 2e-12, [](int t, RandomVectors& random, EigenUpdate& eigen, MatrixXd& G) {
    const Index n = G.rows();
    const double size = std::pow(10, -t % 7);
    VectorXd h = size * random.vector(n);
    VectorXd y = random.vector(n);
    double g = t % 2;
    if (t % 11 == 3) h = 2 * y;         // of rank one
    if (t % 11 == 5) h.setZero();       // of rank one too
    if (t % 11 == 7) y.setZero();       // nothing
    if (t % 11 == 8) h = y + 1e-9 * h;  // nearly of rank one
    if (t % 11 == 9) y = G * random.sparse(n, 1), g = 1e-20;
    eigen.add_pair(h.data(), y.data(), g);
    G += h * y.transpose() + y * h.transpose() + g * y * y.transpose();
  });
}

TEST(EigenUpdate, FindsTheEigenvaluesToRoundingOfTheLargest) {
  constexpr Index n = 40;
  RandomVectors random;
  EigenUpdate eigen(n);
  eigen.reset(std::vector<double>(n, 0.0));
  MatrixXd G = MatrixXd::Zero(n, n);
  for (int t = 0; t < 100; ++t) {
    const VectorXd h = random.vector(n);
    const VectorXd y = random.vector(n);
    eigen.add_pair(h.data(), y.data(), 1);
    G += h * y.transpose() + y * h.transpose() + y * y.transpose();
  }
  const VectorXd expected = testing::symmetric_eigenvalues(G).reverse();
  EXPECT_LE((values(eigen) - expected).cwiseAbs().maxCoeff(), 1e-13 * expected.cwiseAbs().maxCoeff());
}

TEST(EigenUpdate, GrowsByZeros) {
  RandomVectors random;
  EigenUpdate eigen(12);
  MatrixXd G(0, 0);
  for (Index n = 1; n <= 12; ++n) {
    eigen.grow();
    G.conservativeResizeLike(MatrixXd::Zero(n, n));
    expect_decomposition(eigen, G, 1e-13);
    const VectorXd h = random.vector(n);
    const VectorXd y = random.vector(n);
    eigen.add_pair(h.data(), y.data(), 0.5);  // indefinite: zeros come between the eigenvalues
    G += h * y.transpose() + y * h.transpose() + 0.5 * y * y.transpose();
    expect_decomposition(eigen, G, 1e-13);
  }
}

TEST(EigenUpdate, ScalesWithTheMatrix) {
  constexpr Index n = 9;
  for (const double size : {1e-60, 1.0, 1e60}) {
    RandomVectors random;
    EigenUpdate eigen(n);
    VectorXd d = size * VectorXd::LinSpaced(n, 3, 1);
    eigen.reset({d.data(), n});
    MatrixXd G = d.asDiagonal();
    const VectorXd h = std::sqrt(size) * random.vector(n);
    const VectorXd y = std::sqrt(size) * random.vector(n);
    eigen.scale(0.25);
    eigen.add_pair(h.data(), y.data(), 1);
    G = 0.25 * G + h * y.transpose() + y * h.transpose() + y * y.transpose();
    expect_decomposition(eigen, G, 1e-13);
  }
}

TEST(EigenUpdate, LeavesAMatrixAloneThatATermDoesNotReach) {
  constexpr Index n = 5;
  const VectorXd d = VectorXd::LinSpaced(n, 5, 1);
  EigenUpdate eigen(n);
  eigen.reset({d.data(), n});
  const VectorXd v = 1e-10 * VectorXd::Ones(n);
  eigen.add(1, v.data());
  EXPECT_EQ(values(eigen), d);
  EXPECT_EQ(vectors(eigen), MatrixXd::Identity(n, n));
}

TEST(EigenUpdate, TakesATermFarBelowAnotherOneOfThePair) {
  // The larger term makes an eigenvalue from nothing, beside which the smaller one does not count: vectors that were
  // not numbers were the answer.
  constexpr Index n = 3;
  const VectorXd d{{4e-32, 0, 0}};
  EigenUpdate eigen(n);
  eigen.reset({d.data(), n});
  VectorXd h = VectorXd::Zero(8);
  VectorXd y = VectorXd::Zero(8);
  h[0] = 4e-52;
  y.head(n) = VectorXd{{-5e-13, 3e4, 1e5}};
  const double g = 1e-36;
  eigen.add_pair(h.data(), y.data(), g);
  const MatrixXd G = MatrixXd(d.asDiagonal()) + g * y.head(n) * y.head(n).transpose();
  expect_decomposition(eigen, G, 1e-14);
}

TEST(EigenUpdate, TakesAPairWhoseEigenvalueIsThatOfTheMatrixBefore) {
  constexpr Index n = 3;
  const VectorXd d{{1e-12, 1.5e-28, 0}};
  EigenUpdate eigen(n);
  eigen.reset({d.data(), n});
  VectorXd h = VectorXd::Zero(8);
  VectorXd y = VectorXd::Zero(8);
  h.head(n) = VectorXd{{1.3e-40, 0, 8.5e-41}};
  y[2] = -4e21;
  const double g = 2.3e-68;
  eigen.add_pair(h.data(), y.data(), g);
  MatrixXd G = d.asDiagonal();
  G += h.head(n) * y.head(n).transpose() + y.head(n) * h.head(n).transpose() + g * y.head(n) * y.head(n).transpose();
  expect_decomposition(eigen, G, 1e-13);
}

TEST(EigenUpdate, DecomposesMatricesWhoseSquaresHaveNoNumbers) {
  for (const double size : {1e-90, 1e75}) {
    RandomVectors random;
    EigenUpdate eigen(5);
    eigen.reset(std::vector<double>(5, 0.0));
    MatrixXd G = MatrixXd::Zero(5, 5);
    for (int t = 0; t < 8; ++t) {
      const VectorXd v = size * random.vector(5);
      eigen.add(1, v.data());
      G += v * v.transpose();
    }
    const MatrixXd L = vectors(eigen);
    const MatrixXd rest = L * values(eigen).asDiagonal() * L.transpose() - G;
    EXPECT_LE(rest.cwiseAbs().maxCoeff(), 1e-14 * G.cwiseAbs().maxCoeff()) << size;
  }
}

TEST(EigenUpdate, StartsFromNegativeEigenvaluesToo) {
  const VectorXd d{{-0.25, -0.25, -3}};
  EigenUpdate eigen(3);
  eigen.reset({d.data(), 3});
  EXPECT_EQ(values(eigen), d);
}

}  // namespace
}  // namespace bellwether
