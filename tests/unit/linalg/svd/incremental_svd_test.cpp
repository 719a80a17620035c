#include <bellwether/linalg/svd/incremental_svd.h>

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <functional>

#include "support/dense_algebra.h"
#include "support/factorisations.h"
#include "support/random_vectors.h"

namespace bellwether {
namespace {

using namespace testing;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Solves = IncrementalSvd::Solves;

/// A+ v by a fresh decomposition.
VectorXd pseudo_inverse(const MatrixXd& A, const VectorXd& v, double cutoff) {
  return Svd(A).pseudo_inverse(v, std::max(cutoff, 1e-13));
}

/// The best approximation of rank k.
MatrixXd truncated(const MatrixXd& A, Index k) { return Svd(A).truncated(k); }

double error_of_truncation(const MatrixXd& A, Index k) { return (A - truncated(A, k)).norm(); }

/// Terms z d^T from spaces of dimension `rank`.
struct Stream {
  Stream(Index dim, Index rank, std::uint64_t seed = 1)
      : random(seed), left(random.matrix(dim, rank)), right(random.matrix(dim, rank)) {}

  void next() {
    z = left * random.vector(left.cols());
    d = right * random.vector(right.cols());
  }

  RandomVectors random;
  MatrixXd left, right;
  VectorXd z, d;
};

TEST(IncrementalSvd, EqualsTheMatrixWhileTheRankSuffices) {
  constexpr Index dim = 30;
  for (const double c : {1.0, 0.9}) {
    Stream stream(dim, 6);
    IncrementalSvd svd(dim, 6, 6, Solves::every_term);
    MatrixXd A = MatrixXd::Zero(dim, dim);
    for (int t = 0; t < 300; ++t) {
      stream.next();
      svd.update(c, 0.3, dense(stream.z), dense(stream.d));
      A = c * A + 0.3 * stream.z * stream.d.transpose();
      const Factors f(svd);
      ASSERT_LE((f.product() - A).norm(), 1e-11 * A.norm()) << t;
      ASSERT_LE(std::max(defect(f.U), defect(f.V)), 1e-12) << t;
      const VectorXd sigma = written_out(svd.singular_values());
      const VectorXd fresh = Svd(A).sigma.head(sigma.size());
      ASSERT_LE((sigma - fresh).cwiseAbs().maxCoeff(), 1e-11 * fresh[0]) << t;
      const VectorXd p = f.V * Eigen::Map<const VectorXd>(svd.solve(0.01), f.V.cols());
      const VectorXd expected = pseudo_inverse(A, stream.z, 0.01);
      ASSERT_LE((p - expected).norm(), 1e-9 * expected.norm()) << t;
    }
  }
}

TEST(IncrementalSvd, IsTheSameLazyStrictAndInBlocksWhereNothingIsTruncated) {
  constexpr Index dim = 25;
  Stream stream(dim, 5);
  IncrementalSvd lazy(dim, 5);
  IncrementalSvd strict(dim, 5, 1, Solves::never);
  IncrementalSvd block(dim, 5, 7, Solves::never);
  MatrixXd A = MatrixXd::Zero(dim, dim);
  for (int t = 0; t < 140; ++t) {
    stream.next();
    lazy.update(0.95, 1, dense(stream.z), dense(stream.d));
    for (auto* svd : {&strict, &block}) {
      svd->resolve(0, 1, dense(stream.z), dense(stream.d));
      svd->commit(0.95, 1);
    }
    strict.truncate();
    if (t % 7 == 6) block.truncate();
    A = 0.95 * A + stream.z * stream.d.transpose();
    for (const auto* svd : {&lazy, &strict, &block}) ASSERT_LE((Factors(*svd).product() - A).norm(), 1e-12 * A.norm());
  }
}

TEST(IncrementalSvd, TruncatedInBlocksIsTheBestApproximationOfTheLastOnePlusTheBlock) {
  // The definition of the block form, with dense matrices; blocks of one are the strict form.
  constexpr Index dim = 20;
  for (const int m : {1, 4}) {
    RandomVectors random;
    IncrementalSvd svd(dim, 5, static_cast<std::size_t>(m), Solves::never);
    MatrixXd A = MatrixXd::Zero(dim, dim);
    for (int block = 0; block < 30; ++block) {
      for (int i = 0; i < m; ++i) {
        const VectorXd z = random.vector(dim);
        const VectorXd d = random.vector(dim);
        svd.resolve(0, 1, dense(z), dense(d));
        svd.commit(0.97, 1);
        A = 0.97 * A + z * d.transpose();
      }
      svd.truncate();
      A = truncated(A, 5);
      ASSERT_LE((Factors(svd).product() - A).norm(), 1e-11 * A.norm()) << m << " " << block;
      ASSERT_EQ(svd.left_size(),
                std::min<std::size_t>(5, static_cast<std::size_t>(m) * (static_cast<std::size_t>(block) + 1)));
    }
  }
}

TEST(IncrementalSvd, LosesLittleMoreThanTheBestApproximation) {
  constexpr Index dim = 40;
  RandomVectors random;
  const VectorXd weights = VectorXd::LinSpaced(dim, 0, 8).array().exp().inverse();  // a decaying spectrum
  for (const std::size_t rank : {4U, 8U, 12U}) {
    IncrementalSvd svd(dim, rank);
    MatrixXd A = MatrixXd::Zero(dim, dim);
    for (int t = 0; t < 500; ++t) {
      const VectorXd z = weights.asDiagonal() * random.vector(dim);
      const VectorXd d = z + 0.3 * weights.asDiagonal() * random.vector(dim);
      svd.update(1, 1, dense(z), dense(d));
      A += z * d.transpose();
    }
    svd.truncate();
    const double best = error_of_truncation(A, static_cast<Index>(rank));
    const double error = (Factors(svd).product() - A).norm();
    EXPECT_GE(error, best * (1 - 1e-12));
    EXPECT_LE(error, 2 * best) << rank;
  }
}

TEST(IncrementalSvd, FollowsAMovingLeftVector) {
  constexpr Index dim = 50;
  for (const bool sparse : {false, true}) {
    RandomVectors random;
    IncrementalSvd moved(dim, 6, 6, Solves::every_term);
    IncrementalSvd given(dim, 6, 6, Solves::every_term);
    VectorXd z = VectorXd::Zero(dim);
    for (int t = 0; t < 400; ++t) {
      const VectorXd x = random.sparse(dim, 4);
      const VectorXd d = random.sparse(dim, 6);
      const double f = t % 40 == 0 ? 0 : 0.9;
      z = f * z + 0.5 * x;
      if (sparse) moved.resolve(f, 0.5, Sparse(x).view(), Sparse(d).view());
      else moved.resolve(f, 0.5, dense(x), dense(d));
      given.resolve(0, 1, dense(z), dense(d));
      moved.commit(1, 1);
      given.commit(1, 1);
      ASSERT_EQ(moved.left_size(), given.left_size());
      ASSERT_EQ(moved.right_size(), given.right_size());
      const Factors a(moved);
      const Factors b(given);
      ASSERT_LE((a.product() - b.product()).norm(), 1e-11 * b.product().norm()) << t;
      ASSERT_LE(std::max(defect(a.U), defect(a.V)), 1e-12) << t;
      const VectorXd p = a.V * Eigen::Map<const VectorXd>(moved.solve(0.01), a.V.cols());
      const VectorXd q = b.V * Eigen::Map<const VectorXd>(given.solve(0.01), b.V.cols());
      ASSERT_LE((p - q).norm(), 1e-8 * q.norm()) << t;
      for (auto* svd : {&moved, &given}) {
        if (svd->full()) svd->truncate();
      }
    }
  }
}

TEST(IncrementalSvd, InvertsItsOwnMatrixWhateverTheRank) {
  // A scheme that keeps columns of zeros in U and V reproduces A here and yet has a wrong pseudo-inverse.
  struct Case {
    Index dim, rank_of_data;
    std::size_t rank;
  };
  for (const Case& c : {Case{19, 19, 15}, {19, 19, 19}, {200, 19, 18}, {200, 19, 19}, {200, 19, 25}, {30, 5, 3}}) {
    for (const double cutoff : {0.0, 0.01}) {
      Stream stream(c.dim, c.rank_of_data);
      IncrementalSvd svd(static_cast<std::size_t>(c.dim), c.rank, c.rank, Solves::every_term);
      for (int t = 0; t < 120; ++t) {
        stream.next();
        svd.resolve(0, 1, dense(stream.z), dense(stream.d));
        svd.commit(1, 1);
        if (svd.full()) svd.truncate();
        if (t != 20 && t != 37 && t != 119) continue;
        const Factors f(svd);
        ASSERT_LE(std::max(defect(f.U), defect(f.V)), 1e-12);
        const VectorXd expected = pseudo_inverse(f.product(), stream.z, cutoff);
        const VectorXd p = f.V * Eigen::Map<const VectorXd>(svd.solve(cutoff), f.V.cols());
        ASSERT_LE((p - expected).norm(), 1e-8 * expected.norm()) << c.dim << " " << c.rank << " " << cutoff << " " << t;
        const VectorXd v = stream.random.vector(c.dim);
        const VectorXd direct = written_out(svd.pseudo_inverse({v.data(), static_cast<std::size_t>(v.size())}, cutoff));
        const VectorXd wanted = pseudo_inverse(f.product(), v, cutoff);
        ASSERT_LE((direct - wanted).norm(), 1e-8 * wanted.norm()) << c.dim << " " << c.rank << " " << cutoff;
      }
    }
  }
}

TEST(IncrementalSvd, UsesTheTruncatedMatrixOnceItIsFull) {
  // `solve` gives the same before and after a truncation that is due.
  RandomVectors random;
  IncrementalSvd svd(30, 4, 4, Solves::every_term);
  int truncations = 0;
  for (int t = 0; t < 60; ++t) {
    const VectorXd z = random.vector(30);
    svd.resolve(0, 1, dense(z), dense(random.vector(30)));
    svd.commit(1, 1);
    if (!svd.full()) continue;
    const MatrixXd V = Factors(svd).V;
    const VectorXd before = V * Eigen::Map<const VectorXd>(svd.solve(0.01), V.cols());
    svd.truncate();
    const MatrixXd W = Factors(svd).V;
    const VectorXd after = W * Eigen::Map<const VectorXd>(svd.solve(0.01), W.cols());
    const VectorXd also = W * Eigen::Map<const VectorXd>(svd.solve_truncated(0.01), W.cols());
    EXPECT_LE((before - after).norm(), 1e-12 * after.norm());
    EXPECT_LE((also - after).norm(), 1e-12 * after.norm());
    ++truncations;
  }
  EXPECT_GT(truncations, 10);
}

TEST(IncrementalSvd, DoesNotCareHowATermIsScaled) {
  Stream stream(20, 20);
  IncrementalSvd split(20, 4);
  IncrementalSvd one_sided(20, 4);
  for (int t = 0; t < 200; ++t) {
    stream.next();
    const double beta = 1.0 / (t + 1);
    const VectorXd z = std::sqrt(beta) * stream.z;
    const VectorXd d = std::sqrt(beta) * stream.d;
    split.update(1 - beta, 1, dense(z), dense(d));
    one_sided.update(1 - beta, beta, dense(stream.z), dense(stream.d));
  }
  const MatrixXd A = Factors(split).product();
  EXPECT_LE((A - Factors(one_sided).product()).norm(), 1e-11 * A.norm());
}

TEST(IncrementalSvd, MergesIntoTheTruncatedSum) {
  for (const Index rank_of_data : {3, 20}) {
    Stream stream(20, rank_of_data);
    IncrementalSvd one(20, 5);
    IncrementalSvd other(20, 5);
    for (int t = 0; t < 50; ++t) {
      stream.next();
      (t % 3 == 0 ? one : other).update(1, 1, dense(stream.z), dense(stream.d));
    }
    one.truncate();
    other.truncate();
    const MatrixXd sum = truncated(Factors(one).product() + Factors(other).product(), 5);
    one.merge(other);
    EXPECT_LE(one.left_size(), 5U);
    const Factors f(one);
    EXPECT_LE((f.product() - sum).norm(), 1e-12 * sum.norm());
    EXPECT_LE(std::max(defect(f.U), defect(f.V)), 1e-13);
  }
}

TEST(IncrementalSvd, MergesPartsThatWereFilledSeparatelyIntoTheWhole) {
  Stream stream(40, 6);
  IncrementalSvd whole(40, 8);
  IncrementalSvd first(40, 8);
  IncrementalSvd second(40, 8);
  for (int t = 0; t < 100; ++t) {
    stream.next();
    whole.update(1, 1, dense(stream.z), dense(stream.d));
    (t < 50 ? first : second).update(1, 1, dense(stream.z), dense(stream.d));
  }
  first.merge(second);
  const MatrixXd A = Factors(whole).product();
  EXPECT_LE((Factors(first).product() - A).norm(), 1e-12 * A.norm());
}

TEST(IncrementalSvd, MultipliesByItsMatrix) {
  Stream stream(20, 20);
  IncrementalSvd svd(20, 5);
  for (int t = 0; t < 8; ++t) {
    stream.next();
    svd.update(1, 1, Sparse(stream.random.sparse(20, 3)).view(), dense(stream.d));
  }
  const VectorXd v = stream.random.vector(20);
  const VectorXd product = Factors(svd).product() * v;
  EXPECT_LE((written_out(svd.times({v.data(), 20})) - product).norm(), 1e-13 * product.norm());
}

TEST(IncrementalSvd, GoesOnFromTheVectorItIsGiven) {
  Stream stream(20, 20);
  IncrementalSvd svd(20, 8);
  for (int t = 0; t < 4; ++t) {
    stream.next();
    svd.update(1, 1, dense(stream.z), dense(stream.d));
  }
  const MatrixXd before = Factors(svd).product();
  const VectorXd z = stream.random.vector(20);
  stream.next();
  svd.continue_from({z.data(), 20});
  svd.resolve(0.5, 2, dense(stream.z), dense(stream.d));
  svd.commit(1, 1);
  const MatrixXd expected = before + (0.5 * z + 2 * stream.z) * stream.d.transpose();
  EXPECT_LE((Factors(svd).product() - expected).norm(), 1e-13 * expected.norm());
}

/// Vectors that nearly lie in a space of lower dimension, in ever new pairs.
struct NearlyLowRank {
  NearlyLowRank(Index dim, Index rank) {
    const MatrixXd B = random.matrix(dim, rank);
    for (int i = 0; i < 1999; ++i) vectors.emplace_back(B * random.vector(rank) + 1e-7 * random.vector(dim));
  }
  const VectorXd& left(int t) const { return vectors[static_cast<std::size_t>(t % 1999)]; }
  const VectorXd& right(int t) const { return vectors[static_cast<std::size_t>(t % 997)]; }

  RandomVectors random;
  std::vector<VectorXd> vectors;
};

double drift(Index dim, Index rank_of_data, std::size_t rank, int updates) {
  const NearlyLowRank data(dim, rank_of_data);
  IncrementalSvd svd(static_cast<std::size_t>(dim), rank);
  for (int t = 0; t < updates; ++t) svd.update(0.999, 1, dense(data.left(t)), dense(data.right(t)));
  const Factors f(svd);
  return std::max(defect(f.U), defect(f.V));
}

TEST(IncrementalSvd, DoesNotDriftInALongStreamThatIsNearlyOfLowRank) {
  EXPECT_LE(drift(40, 12, 8, 20000), 1e-12);
  EXPECT_LE(drift(10, 3, 2, 1000000), 1e-12);
}

TEST(IncrementalSvd, WouldDriftInThatStreamIfResidualsWereOrthogonalisedOnce) {
  const NearlyLowRank data(40, 12);
  MatrixXd U(40, 0);
  MatrixXd V(40, 0);
  MatrixXd M(0, 0);
  const auto append = [](MatrixXd& Q, const VectorXd& v) {
    VectorXd y = Q.transpose() * v;
    const VectorXd p = v - Q * y;
    Q.conservativeResize(Eigen::NoChange, Q.cols() + 1);
    Q.rightCols(1) = p.normalized();
    y.conservativeResize(Q.cols());
    y[Q.cols() - 1] = p.norm();
    return y;
  };
  for (int t = 0; t < 4000; ++t) {
    const VectorXd y = append(U, data.left(t));
    const VectorXd n = append(V, data.right(t));
    M.conservativeResizeLike(MatrixXd::Zero(U.cols(), V.cols()));
    M = 0.999 * M + y * n.transpose();
    if (U.cols() < 16) continue;
    const Svd svd(M);
    U = (U * svd.U.leftCols(8)).eval();
    V = (V * svd.V.leftCols(8)).eval();
    M = svd.sigma.head(8).asDiagonal();
  }
  EXPECT_GT(defect(U), 1e-9);
}

TEST(IncrementalSvd, StaysFiniteOnDegenerateTerms) {
  for (const std::size_t rank : {1U, 2U, 7U}) {
    IncrementalSvd svd(4, rank, rank, Solves::every_term);
    const VectorXd zero = VectorXd::Zero(4);
    const VectorXd one = VectorXd::Ones(4);
    svd.update(1, 1, dense(zero), dense(zero));
    svd.update(1, 1, dense(zero), dense(one));
    svd.update(1, 1, dense(one), dense(zero));
    EXPECT_EQ(svd.singular_values().empty() ? 0 : svd.singular_values()[0], 0);
    for (const double size : {1e-12, 1.0, 1e12}) {
      const VectorXd z = size * one;
      for (int t = 0; t < 20; ++t) {
        svd.update(1, 1, dense(z), dense(z));
        for (std::size_t i = 0; i < svd.right_size(); ++i) ASSERT_TRUE(std::isfinite(svd.solve(0.01)[i]));
      }
    }
    EXPECT_NEAR(svd.singular_values()[0] / (20 * 4 * 1e24), 1, 1e-10);
    svd.update(0, 1, dense(one), dense(one));
    EXPECT_NEAR(svd.singular_values()[0], 4, 1e-10);
    svd.truncate();
    svd.truncate();
    EXPECT_EQ(svd.left_size(), 1U);
  }
}

}  // namespace
}  // namespace bellwether
