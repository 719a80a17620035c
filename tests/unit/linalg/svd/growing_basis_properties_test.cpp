// GrowingBasis beside dense orthonormal columns, on random vectors with few or many entries.
#include <bellwether/linalg/svd/growing_basis.h>

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

/// Remainders up to this share of a vector may be left out as rounding.
constexpr double left_out = 2e-10;

/// W with orthonormal columns, in the layout that `rotate` reads.
void turn(GrowingBasis& basis, const MatrixXd& W) {
  const std::size_t stride = padded(basis.capacity());
  std::vector<double> room(basis.capacity() * stride);
  for (Index i = 0; i < W.rows(); ++i) {
    for (Index j = 0; j < W.cols(); ++j)
      room[static_cast<std::size_t>(i) * stride + static_cast<std::size_t>(j)] = W(i, j);
  }
  basis.rotate(room.data(), static_cast<std::size_t>(W.cols()), stride);
}

/// Takes up a vector, and checks that it is the combination of columns that the coordinates say.
void take_up(GrowingBasis& basis, double a, const VectorXd& v, bool sparse) {
  if (sparse) basis.resolve(a, Sparse(v).view());
  else basis.resolve(a, dense(v));
  VectorXd y = Eigen::Map<const VectorXd>(basis.coordinates(), static_cast<Index>(basis.size()));
  const bool had_room = basis.size() < basis.capacity();
  if (basis.residual() > 0 && had_room) {
    y.conservativeResize(y.size() + 1);
    y[y.size() - 1] = basis.residual();
    basis.extend();
  }
  const MatrixXd U = columns(basis);
  RC_ASSERT(defect(U) <= 1e-10);
  if (had_room || basis.residual() == 0) RC_ASSERT((U * y - a * v).norm() <= left_out * std::abs(a) * v.norm());
  else RC_ASSERT((U.transpose() * (a * v) - y).norm() <= 1e-10 * std::abs(a) * v.norm());
}

void follow(Index dim, VectorStream& stream) {
  const auto capacity = *rc::gen::inRange<std::size_t>(1, static_cast<std::size_t>(std::min<Index>(dim, 24)) + 1);
  const double sparse = *rc::gen::element(0.0, 0.5, 0.9, 1.0);
  GrowingBasis basis(static_cast<std::size_t>(dim), capacity);
  for (int t = 0; t < 60; ++t) {
    if (basis.size() == capacity && stream.uniform() < 0.5) {
      const auto n = static_cast<Index>(basis.size());
      const auto kept = 1 + static_cast<Index>(stream.uniform() * static_cast<double>(n));
      const MatrixXd before = columns(basis);
      const MatrixXd W = orthonormal(RandomVectors(static_cast<std::uint64_t>(t)).matrix(n, kept));
      turn(basis, W);
      RC_ASSERT((columns(basis) - before * W).cwiseAbs().maxCoeff() <= 1e-10);
    }
    take_up(basis, stream.number(), stream.next(), stream.uniform() < sparse);
  }
  const MatrixXd U = columns(basis);
  const VectorXd v = stream.next();
  VectorXd y = VectorXd::Zero(static_cast<Index>(padded(capacity)));
  basis.project(v.data(), y.data());
  RC_ASSERT((y.head(U.cols()) - U.transpose() * v).norm() <= 1e-10 * v.norm());
  const VectorXd x = stream.next();
  RC_ASSERT(std::abs(basis.dot(y.data(), Sparse(x).view()) - x.dot(U * y.head(U.cols()))) <=
            1e-10 * x.norm() * v.norm());
}

TEST(GrowingBasisProperties, IsOrthonormalAndHoldsWhatItTookUpWhetherListedOrStored) {
  EXPECT_TRUE(rc::check([] {
    const Index dim = random_dim();
    VectorStream stream(dim, *rc::gen::inRange(-70, 71));
    follow(dim, stream);
  }));
}

TEST(GrowingBasisProperties, GoesOnWhenTheRoomForListedEntriesIsFull) {
  // From 128 rows on there is room for dim / 8 entries a column, and a column is listed with up to dim / 2.
  EXPECT_TRUE(rc::check([] {
    const Index dim = *rc::gen::inRange<Index>(128, 200);
    VectorStream stream(dim);
    follow(dim, stream);
  }));
}

}  // namespace
}  // namespace bellwether
