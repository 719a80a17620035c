// What is proved about accelerated gradient TD, on exact matrices: its expected iteration is
//
//   w <- w + B (b - A w),   B = alpha A_k^+ + eta I
//
// with A_k the k largest eigenvalues of A (in the theorem) or its k largest singular values (in the algorithm).
#include <gtest/gtest.h>
#include <Eigen/Core>

#include <complex>

#include <bellwether/domains/all.h>
#include <bellwether/metrics/exact.h>

#include "support/dense_algebra.h"
#include "support/random_vectors.h"

namespace bellwether {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using testing::RandomVectors;
using testing::solve;
using testing::Svd;

/// A_k^+ by singular values.
Matrix truncated_inverse(const Matrix& A, Index k) {
  const Svd svd(A);
  return svd.V.leftCols(k) * svd.sigma.head(k).cwiseInverse().asDiagonal() * svd.U.leftCols(k).transpose();
}

double spectral_radius(const Matrix& A) { return testing::eigenvalues(A).cwiseAbs().maxCoeff(); }

Matrix identity(Index n) { return Matrix::Identity(n, n); }

/// Columns of length one.
Matrix random_basis(Index n) {
  RandomVectors random;
  return random.matrix(n, n).colwise().normalized();
}

/// The theorem's example: A = Q diag(lambda) Q^-1, of whose eigenvalues the first k are kept.
struct Example {
  Vector lambda = Vector{{2, 1, 0.5, 0.1, 0.02}};
  Index kept = 2;
  double alpha = 0.8;
  double eta = 0.5;
  Matrix Q = random_basis(5);
  Matrix inverse = testing::inverse(Q);

  Matrix A() const { return Q * lambda.asDiagonal() * inverse; }
  Matrix B() const {
    Vector diagonal = Vector::Constant(lambda.size(), eta);
    for (Index j = 0; j < kept; ++j) diagonal[j] += alpha / lambda[j];
    return Q * diagonal.asDiagonal() * inverse;
  }
  Vector contraction() const {
    Vector rho = Vector::Ones(lambda.size()) - eta * lambda;
    for (Index j = 0; j < kept; ++j) rho[j] -= alpha;
    return rho;
  }
};

TEST(AtdTheory, ErrorsShrinkByTheirOwnFactorInEveryEigenDirection) {
  const Example example;
  const Vector b = example.Q * example.lambda.cwiseAbs2().cwiseProduct(Vector{{1, -1, 0.7, -1, 0.9}});
  const Vector solution = solve(example.A(), b);
  const Vector start = (example.inverse * b).cwiseQuotient(example.lambda);
  Vector w = Vector::Zero(5);
  for (int t = 0; t <= 200; ++t) {
    const Vector error = example.inverse * (w - solution);
    const Vector factor = example.contraction().array().pow(t);
    ASSERT_LE((error + factor.cwiseProduct(start)).cwiseAbs().maxCoeff(), 1e-12) << t;

    // With |(Q^-1 b)_j| <= lambda_j^p, here p = 2; the norm needs |Q| and the root of the rank.
    const double rate = factor.cwiseAbs().cwiseProduct(example.lambda).maxCoeff();
    ASSERT_LE(error.cwiseAbs().maxCoeff(), rate + 1e-12) << t;
    ASSERT_LE((w - solution).norm(), Svd(example.Q).sigma[0] * std::sqrt(5.0) * rate + 1e-12) << t;
    w += example.B() * (b - example.A() * w);
  }
  EXPECT_LT((w - solution).norm(), 0.2 * solution.norm());
}

TEST(AtdTheory, ConvergesExactlyWhenEveryFactorIsBelowOne) {
  Example example;
  for (const double alpha : {0.2, 0.8, 1.5, 1.9}) {
    for (const double eta : {0.01, 0.04, 0.2, 0.5, 0.7, 1.2}) {
      example.alpha = alpha;
      example.eta = eta;
      const bool sufficient = eta < (2 - alpha) / 2;  // lambda_max = 2
      const double radius = spectral_radius(identity(5) - example.B() * example.A());
      EXPECT_NEAR(radius, example.contraction().cwiseAbs().maxCoeff(), 1e-10);
      if (sufficient) {
        EXPECT_LT(radius, 1);
      }
    }
  }
}

TEST(AtdTheory, ToleratesNegativeKeptEigenvaluesWhileEtaIsSmall) {
  Example example;
  example.lambda = Vector{{2, -0.5, 0.3, 0.1, 0.02}};
  example.alpha = 0.8;
  for (const double eta : {0.1, 1.0, 1.5, 1.7}) {
    example.eta = eta;
    const bool converges = example.contraction().cwiseAbs().maxCoeff() < 1;
    EXPECT_EQ(converges, eta * 0.5 < 0.8 && 0.8 + 2 * eta < 2) << eta;
  }
}

TEST(AtdTheory, DivergesAtTheStepSizeThatThePaperAllows) {
  // eta <= max(2 - alpha, alpha) / lambda_1 as printed; it has to be eta < (2 - alpha) / lambda_1.
  Example example;
  example.alpha = 1.5;
  example.eta = 1.5 / 2;
  EXPECT_NEAR(example.contraction()[0], -2, 1e-15);
  EXPECT_GT(spectral_radius(identity(5) - example.B() * example.A()), 1.99);
}

TEST(AtdTheory, UnitColumnsDoNotBoundTheNormByOne) {
  // A bound without |Q| fails: two eigenvectors that almost coincide.
  const double angle = 0.1;
  Example example;
  example.lambda = Vector{{1, 0.9}};
  example.kept = 0;
  example.eta = 0.5;
  example.Q = Matrix{{1, std::cos(angle)}, {0, std::sin(angle)}};
  example.inverse = testing::inverse(example.Q);
  EXPECT_GT(Svd(example.Q).sigma[0], 1.4);
  const Vector b = example.Q * example.lambda.cwiseAbs2();  // p = 2, both with equality
  const Vector solution = solve(example.A(), b);
  const double printed = example.lambda.maxCoeff();  // of the bound at t = 0: max_j lambda_j^(p-1)
  EXPECT_GT(solution.norm(), 1.8 * printed);
  EXPECT_LE(solution.norm(), Svd(example.Q).sigma[0] * std::sqrt(2.0) * printed);
}

TEST(AtdTheory, LimitOfASingularSystemLiesInTheRangeAndIsNotThePseudoInverse) {
  Example example;
  example.lambda = Vector{{2, 1, 0.5, 0.2, 0}};
  const Matrix A = example.A();
  const Vector b = A * Vector::Ones(5);
  Vector w = Vector::Zero(5);
  for (int t = 0; t < 3000; ++t) w += example.B() * (b - A * w);
  EXPECT_LE((A * w - b).norm(), 1e-10);
  EXPECT_LE(std::abs((example.inverse * w)[4]), 1e-10);  // no part of the null vector: the group inverse
  const Vector shortest = testing::shortest_solution(A, b);
  EXPECT_LT(shortest.norm(), w.norm());
  EXPECT_GT((w - shortest).norm(), 0.01);
}

class OnBoyansChain : public ::testing::Test {
 protected:
  BoyanChain chain_{{}};
  KeySystem system_ = Exact(chain_, *chain_.features()).system(0);
};

TEST_F(OnBoyansChain, HasComplexEigenvalues) {
  // So a proof that needs ordered real eigenvalues does not cover its simplest example. Known to four digits.
  Eigen::VectorXcd eigenvalues = testing::eigenvalues(system_.A);
  std::vector<double> real, imaginary;
  for (const auto& value : eigenvalues) {
    real.push_back(value.real());
    imaginary.push_back(std::abs(value.imag()));
  }
  std::sort(real.begin(), real.end());
  std::sort(imaginary.begin(), imaginary.end());
  for (const auto& [value, expected] : {std::pair{real[0], .0512},
                                        {real[1], .0512},
                                        {real[2], .0563},
                                        {real[3], .0563},
                                        {imaginary[0], .0232},
                                        {imaginary[2], .0801}}) {
    EXPECT_NEAR(value, expected, 1e-4);
  }
}

TEST_F(OnBoyansChain, HasTheSameFixedPointWhateverTheRank) {
  // A flat spectrum: a rank below d does not improve the asymptotic rate.
  const double radii[] = {.952, .955, .959, .965, .095};
  for (Index k = 0; k <= 4; ++k) {
    const Matrix B = truncated_inverse(system_.A, k) + identity(4);
    EXPECT_NEAR(spectral_radius(identity(4) - B * system_.A), radii[k], 1e-3) << k;
    Vector w = Vector::Zero(4);
    for (int t = 0; t < 1500; ++t) w += B * (system_.b - system_.A * w);
    EXPECT_LE((w - Vector{{-24, -16, -8, 0}}).norm(), 1e-9) << k;
  }
}

TEST_F(OnBoyansChain, PreconditionedMatrixIsAProjectionPlusATDMatrix) {
  // (alpha A_k^+ + eta I) A = alpha V_k V_k^T + eta A: its symmetric part is positive whenever that of A is.
  for (Index k = 0; k <= 4; ++k) {
    const Matrix V = Svd(system_.A).V.leftCols(k);
    const Matrix left = (0.7 * truncated_inverse(system_.A, k) + 0.3 * identity(4)) * system_.A;
    const Matrix right = 0.7 * V * V.transpose() + 0.3 * system_.A;
    EXPECT_LE((left - right).norm(), 1e-14 * 10);
    const Matrix symmetric = (left + left.transpose()) / 2;
    EXPECT_GT(testing::symmetric_eigenvalues(symmetric)[0], 0);
  }
}

TEST(AtdTheory, OnBairdsStarTheEmphaticIterationConvergesAndThePlainOneDoesNot) {
  // The accelerated part controls the unstable direction for a while, but its step size 1/(t+1) falls below eta.
  const Baird baird({});
  const Exact exact(baird, *baird.features());
  const auto initial = baird.initial_weights();
  const auto final_values = [&](Weighting weighting, Index k) {
    const KeySystem system = exact.system(0, weighting);
    const double eta = 0.1 / system.A.norm();
    const Matrix inverse = truncated_inverse(system.A, k);
    Vector w = Eigen::Map<const Vector>(initial.data(), 8);
    for (int t = 0; t < 20000; ++t) {
      const Vector residual = system.b - system.A * w;
      w += 1.0 / (t + 1) * inverse * residual + eta * residual;
    }
    return (exact.X() * w).norm();
  };
  for (const Index k : {0, 1, 3}) {
    EXPECT_LT(final_values(Weighting::emphatic, k), 1) << k;
    EXPECT_GT(final_values(Weighting::behaviour, k), 1e3) << k;
  }
}

}  // namespace
}  // namespace bellwether
