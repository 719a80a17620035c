// Products of matrices and vectors beside Eigen's, for random sizes, strides and scales.
#include <bellwether/linalg/simd/gemm.h>
#include <bellwether/linalg/simd/matvec.h>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <Eigen/Core>

#include <bellwether/linalg/simd/eight.h>

#include "support/random_vectors.h"

namespace bellwether {
namespace {

using namespace testing;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::size_t size(Index i) { return static_cast<std::size_t>(i); }

double random_power() { return std::pow(10.0, *rc::gen::inRange(-150, 151)); }

/// Entries that are numbers in [-1, 1) times a scale, or zero.
struct RandomMatrices {
  RandomVectors random{*rc::gen::inRange<std::uint64_t>(1, 1'000'000)};
  double zeros = *rc::gen::element(0.0, 0.5, 0.95);

  RowMatrix matrix(Index rows, Index columns, double scale) {
    RowMatrix A(rows, columns);
    for (Index i = 0; i < A.size(); ++i)
      A.data()[i] = 0.5 * (random.number() + 1) < zeros ? 0 : scale * random.number();
    return A;
  }
  VectorXd vector(Index n, double scale) { return matrix(n, 1, scale); }
};

/// A sum of n products is right to n times rounding of the sum of their magnitudes.
bool is_sum(double value, double expected, double magnitude, Index n) {
  return std::abs(value - expected) <= 3e-16 * static_cast<double>(n + 4) * magnitude + 1e-307;
}

TEST(ProductsProperties, OfMatricesAreThoseOfTheirEntries) {
  EXPECT_TRUE(rc::check([] {
    const Index m = *rc::gen::inRange<Index>(1, 41);
    const Index n = *rc::gen::inRange<Index>(1, 41);
    const Index k = *rc::gen::inRange<Index>(0, *rc::gen::element<Index>(41, 600));
    const double scale = random_power();
    RandomMatrices random;
    const bool a_transposed = *rc::gen::arbitrary<bool>();
    const bool b_transposed = *rc::gen::arbitrary<bool>();
    const Index pad = *rc::gen::inRange<Index>(0, 9);
    // Stored matrices are wider than what is multiplied.
    const RowMatrix A = a_transposed ? random.matrix(k, m + pad, scale) : random.matrix(m, k + pad, scale);
    const RowMatrix B = b_transposed ? random.matrix(n, k + pad, 1 / scale) : random.matrix(k, n + pad, 1 / scale);
    const MatrixXd left = a_transposed ? MatrixXd(A.leftCols(m).transpose()) : MatrixXd(A.leftCols(k));
    const MatrixXd right = b_transposed ? MatrixXd(B.leftCols(k).transpose()) : MatrixXd(B.leftCols(n));
    const auto as_left =
        a_transposed ? kernels::Strided{A.data(), 1, size(m + pad)} : kernels::Strided{A.data(), size(k + pad)};
    const auto as_right =
        b_transposed ? kernels::Strided{B.data(), 1, size(k + pad)} : kernels::Strided{B.data(), size(n + pad)};
    const RowMatrix C = random.matrix(m, n + pad, 1);
    const double a = random.random.number();

    RowMatrix added = C;
    RowMatrix set = C;
    kernels::add_product(size(m), size(n), size(k), a, as_left, as_right, added.data(), size(n + pad));
    kernels::set_product(size(m), size(n), size(k), a, as_left, as_right, set.data(), size(n + pad));
    const MatrixXd product = a * left.lazyProduct(right);
    const MatrixXd magnitude = std::abs(a) * left.cwiseAbs().lazyProduct(right.cwiseAbs());
    for (Index i = 0; i < m; ++i) {
      for (Index j = 0; j < n; ++j) {
        RC_ASSERT(is_sum(set(i, j), product(i, j), magnitude(i, j), k));
        RC_ASSERT(is_sum(added(i, j), C(i, j) + product(i, j), std::abs(C(i, j)) + magnitude(i, j), k));
      }
    }
    RC_ASSERT(set.rightCols(pad) == C.rightCols(pad));
    RC_ASSERT(added.rightCols(pad) == C.rightCols(pad));
  }));
}

TEST(ProductsProperties, OfAMatrixAndItsTransposeAreSymmetric) {
  EXPECT_TRUE(rc::check([] {
    const Index m = *rc::gen::inRange<Index>(1, 41);
    const Index k = *rc::gen::inRange<Index>(0, 80);
    RandomMatrices random;
    const RowMatrix A = random.matrix(m, k, std::pow(10.0, *rc::gen::inRange(-70, 71)));
    const double a = random.random.number();
    RowMatrix G = RowMatrix::Constant(m, m, 7);
    kernels::set_gram(size(m), size(k), a, {A.data(), size(k)}, G.data(), size(m));
    const MatrixXd expected = a * A.lazyProduct(A.transpose());
    const MatrixXd magnitude = std::abs(a) * A.cwiseAbs().lazyProduct(A.cwiseAbs().transpose());
    for (Index i = 0; i < m; ++i) {
      for (Index j = 0; j < m; ++j) {
        RC_ASSERT(is_sum(G(i, j), expected(i, j), magnitude(i, j), k));
        RC_ASSERT(G(i, j) == G(j, i));
      }
    }
  }));
}

TEST(ProductsProperties, OfAMatrixAndAVectorAreThoseOfTheirEntries) {
  EXPECT_TRUE(rc::check([] {
    const Index rows = *rc::gen::inRange<Index>(0, 41);
    const Index n = *rc::gen::inRange<Index>(1, 41);
    const Index width = static_cast<Index>(padded(size(n)));
    const double scale = random_power();
    RandomMatrices random;
    RowMatrix A = random.matrix(rows, width + 8, scale);
    A.middleCols(n, width - n).setZero();  // as `add_transposed_matvec` and those with sizes require
    const MatrixXd left = A.leftCols(n);
    VectorXd x = random.vector(width, 1 / scale);
    const VectorXd z = random.vector(rows, 1 / scale);
    const double s = random.random.number();

    VectorXd y = VectorXd::Ones(rows);
    VectorXd y2(rows), y_sizes(rows);
    kernels::add_matvec(size(rows), size(n), A.data(), size(width + 8), s, x.data(), y.data());
    kernels::matvec_with_sizes(size(rows), size(width), A.data(), size(width + 8), x.data(), y2.data(), y_sizes.data());
    const VectorXd Ax = left.lazyProduct(x.head(n));
    const VectorXd sizes = left.cwiseAbs().lazyProduct(x.head(n).cwiseAbs());
    for (Index i = 0; i < rows; ++i) {
      RC_ASSERT(is_sum(y[i], 1 + s * Ax[i], 1 + sizes[i], n));
      RC_ASSERT(is_sum(y2[i], Ax[i], sizes[i], n));
      RC_ASSERT(is_sum(y_sizes[i], sizes[i], sizes[i], n));
    }

    VectorXd u = VectorXd::Ones(width);
    VectorXd u2(width), u_sizes(width);
    kernels::add_transposed_matvec(size(rows), size(width), A.data(), size(width + 8), z.data(), u.data());
    kernels::transposed_matvec_with_sizes(size(rows), size(width), A.data(), size(width + 8), z.data(), u2.data(),
                                          u_sizes.data());
    const VectorXd Az = left.transpose().lazyProduct(z);
    const VectorXd z_sizes = left.cwiseAbs().transpose().lazyProduct(z.cwiseAbs());
    for (Index j = 0; j < n; ++j) {
      RC_ASSERT(is_sum(u[j], 1 + Az[j], 1 + z_sizes[j], rows));
      RC_ASSERT(is_sum(u2[j], Az[j], z_sizes[j], rows));
      RC_ASSERT(is_sum(u_sizes[j], z_sizes[j], z_sizes[j], rows));
    }
  }));
}

TEST(ProductsProperties, OfASquareMatrixAndVectorsOnBothSidesAreThoseOfItsEntries) {
  EXPECT_TRUE(rc::check([] {
    const Index n = *rc::gen::inRange<Index>(1, 41);
    const Index pad = *rc::gen::inRange<Index>(0, 9);
    const Index stride = *rc::gen::inRange<Index>(1, 9);
    const double scale = random_power();
    RandomMatrices random;
    const RowMatrix A = random.matrix(n, n + pad, scale);
    const MatrixXd left = A.leftCols(n);
    const VectorXd d = random.vector(n, 1 / scale);
    const VectorXd e = random.vector(n, 1 / scale);
    VectorXd q(n);
    VectorXd u = VectorXd::Constant(n * stride, 7);
    kernels::multiply_both_sides(size(n), A.data(), size(n + pad), d.data(), e.data(), q.data(), u.data(),
                                 size(stride));
    const VectorXd Ad = left.transpose().lazyProduct(d);
    const VectorXd Ae = left.lazyProduct(e);
    const VectorXd d_sizes = left.cwiseAbs().transpose().lazyProduct(d.cwiseAbs());
    const VectorXd e_sizes = left.cwiseAbs().lazyProduct(e.cwiseAbs());
    for (Index j = 0; j < n; ++j) {
      RC_ASSERT(is_sum(q[j], Ad[j], d_sizes[j], n));
      RC_ASSERT(is_sum(u[j * stride], Ae[j], e_sizes[j], n));
      for (Index i = 1; i < stride; ++i) RC_ASSERT(u[j * stride + i] == 7);
    }
  }));
}

}  // namespace
}  // namespace bellwether
