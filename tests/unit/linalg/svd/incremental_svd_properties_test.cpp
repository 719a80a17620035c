// IncrementalSvd beside the dense matrix that it stands for, on random terms.
#include <bellwether/linalg/svd/incremental_svd.h>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <Eigen/Core>

#include "support/dense_algebra.h"
#include "support/factorisations.h"
#include "support/vector_stream.h"

namespace bellwether {
namespace {

using namespace testing;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double orthonormal_to = 1e-10;

/// A remainder shorter than this share of its vector is left out as rounding (GrowingBasis).
constexpr double left_out = 1e-10;

/// Terms A <- c A + s z d^T with z <- f z + a x, and the same on a dense matrix.
class Terms {
 public:
  Terms(Index dim, int exponent_of_z, int exponent_of_d)
      : xs_(dim, exponent_of_z),
        ds_(dim, exponent_of_d),
        decays_(*rc::gen::arbitrary<bool>()),
        moves_(*rc::gen::arbitrary<bool>()),
        sparse_(*rc::gen::arbitrary<bool>()),
        A(MatrixXd::Zero(dim, dim)),
        z(VectorXd::Zero(dim)) {}

  void add(IncrementalSvd& svd) {
    const VectorXd x = xs_.next();
    const VectorXd d = ds_.next();
    const double c = decays_ ? (xs_.uniform() < 0.05 ? 0.0 : xs_.uniform()) : 1.0;
    const double s = ds_.uniform() < 0.1 ? 0.0 : ds_.number();
    const double f = moves_ && ds_.uniform() < 0.8 ? ds_.uniform() : 0.0;
    const double a = ds_.number();
    if (sparse_) svd.resolve(f, a, Sparse(x).view(), Sparse(d).view());
    else svd.resolve(f, a, dense(x), dense(d));
    svd.commit(c, s);
    lost_z = f * lost_z + std::abs(a) * x.norm();
    z = f * z + a * x;
    const double term = std::abs(s) * d.norm();
    // Everything is right to rounding of its terms, but for what is left out of vectors that are nearly in the span, as
    // they are by chance too after a truncation.
    const bool exact = !truncated && std::min(xs_.apart, ds_.apart) > 10 * left_out;
    tolerance = c * tolerance + (exact ? 1e-10 : 4 * left_out) * term * (z.norm() + lost_z) + 1e-14 * c * A.norm();
    A = c * A + s * z * d.transpose();
  }

 private:
  VectorStream xs_, ds_;
  bool decays_, moves_, sparse_;

 public:
  MatrixXd A;
  VectorXd z;
  double lost_z = 0;     // a bound of the lengths that z was added up from
  double tolerance = 0;  // of |A|
  bool truncated = false;
};

IncrementalSvd random_svd(Index dim, std::size_t rank, IncrementalSvd::Solves solves) {
  return {static_cast<std::size_t>(dim), rank, *rc::gen::inRange<std::size_t>(1, rank + 3), solves};
}

TEST(IncrementalSvdProperties, IsTheDenseSumOfItsTermsWhileNothingIsTruncated) {
  EXPECT_TRUE(rc::check([] {
    const Index dim = random_dim();
    Terms terms(dim, *rc::gen::inRange(-40, 41), *rc::gen::inRange(-40, 41));
    auto svd = random_svd(dim, static_cast<std::size_t>(dim),
                          *rc::gen::element(IncrementalSvd::Solves::never, IncrementalSvd::Solves::every_term));
    const int count = *rc::gen::inRange(1, 60);
    for (int t = 0; t < count; ++t) {
      terms.add(svd);
      RC_ASSERT(!svd.full());
      const Factors f(svd);
      RC_ASSERT(std::max(defect(f.U), defect(f.V)) <= orthonormal_to);
      RC_ASSERT((f.product() - terms.A).norm() <= terms.tolerance);
      if (t + 1 < count) continue;
      const VectorXd sigma = written_out(svd.singular_values());
      const VectorXd expected = Svd(terms.A).sigma;
      for (Index i = 0; i < dim; ++i) {
        RC_ASSERT(std::abs((i < sigma.size() ? sigma[i] : 0.0) - expected[i]) <= 2 * terms.tolerance);
      }
    }
  }));
}

TEST(IncrementalSvdProperties, TruncatesToTheBestApproximationOfTheMatrixAtThatTime) {
  EXPECT_TRUE(rc::check([] {
    const Index dim = *rc::gen::inRange(2, 41);
    const auto rank = *rc::gen::inRange<std::size_t>(1, static_cast<std::size_t>(dim));
    Terms terms(dim, *rc::gen::inRange(-40, 41), *rc::gen::inRange(-40, 41));
    auto svd =
        random_svd(dim, rank, *rc::gen::element(IncrementalSvd::Solves::never, IncrementalSvd::Solves::every_term));
    for (int t = 0; t < 60; ++t) {
      terms.add(svd);
      if (!svd.full()) continue;
      RC_ASSERT((Factors(svd).product() - terms.A).norm() <= terms.tolerance);
      svd.truncate();
      const Factors f(svd);
      RC_ASSERT(f.M.rows() <= static_cast<Index>(rank));
      RC_ASSERT(std::max(defect(f.U), defect(f.V)) <= orthonormal_to);
      // No matrix of this rank is nearer (Eckart and Young), so an error as small makes it the best or one of them.
      const MatrixXd best = Svd(terms.A).truncated(static_cast<Index>(rank));
      const double rounding = terms.tolerance + 1e-12 * terms.A.norm();
      RC_ASSERT((f.product() - terms.A).norm() <= (best - terms.A).norm() + rounding);
      terms.A = f.product();
      terms.truncated = true;
    }
  }));
}

TEST(IncrementalSvdProperties, SolvesWithThePseudoInverseOfItsMatrix) {
  EXPECT_TRUE(rc::check([] {
    const Index dim = random_dim();
    const auto rank = *rc::gen::inRange<std::size_t>(1, static_cast<std::size_t>(dim) + 1);
    Terms terms(dim, *rc::gen::inRange(-40, 41), *rc::gen::inRange(-40, 41));
    auto svd = random_svd(dim, rank, IncrementalSvd::Solves::every_term);
    const double cutoff = *rc::gen::element(1e-6, 1e-3, 0.01, 0.3);
    for (int t = 0; t < 40; ++t) {
      terms.add(svd);
      if (svd.full()) svd.truncate();
      const Factors f(svd);
      const Svd own(f.product());
      // Singular values next to the cut-off may count or not.
      const auto share = own.sigma.array() / own.sigma[0];
      if (own.sigma[0] == 0 || (share > cutoff / 2 && share < 2 * cutoff).any()) continue;
      const VectorXd p = f.V * Eigen::Map<const VectorXd>(svd.solve(cutoff), f.V.cols());
      const VectorXd expected = own.pseudo_inverse(terms.z, cutoff);
      // A kept singular value has an error of rounding / cutoff^2, unless Jacobi rotations find it.
      const double error = cutoff < IncrementalSvd::trusted_cutoff ? 1e-12 / cutoff : 1e-13 / (cutoff * cutoff);
      RC_ASSERT((p - expected).norm() <= (error + 4 * left_out) * terms.lost_z / (cutoff * own.sigma[0]));
    }
  }));
}

}  // namespace
}  // namespace bellwether
