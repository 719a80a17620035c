#include <bellwether/linalg/dense/tall_matrix.h>

#include <Eigen/Core>

#include <gtest/gtest.h>

namespace bellwether {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(TallMatrix, MultipliesAndGrowsAsAMatrixDoes) {
  for (const Index d : {1, 6, 8, 21}) {
    constexpr Index k = 5;
    TallMatrix M(static_cast<std::size_t>(d), k);
    MatrixXd expected = MatrixXd::Zero(d, k);
    const std::uint32_t index = static_cast<std::uint32_t>(d - 1);
    const double three = 3;
    const SparseView sparse{&index, &three, 1};
    const VectorXd sparse_x = 3 * VectorXd::Unit(d, d - 1);
    const VectorXd s = VectorXd::Random(k);
    const VectorXd x = VectorXd::Random(d);
    const DenseView dense{x.data(), static_cast<std::size_t>(d)};
    M.add_outer(2, dense, s.data());
    M.add_outer(-1, sparse, s.data());
    expected += 2 * x * s.transpose() - sparse_x * s.transpose();
    VectorXd y(k);
    M.transposed_times(dense, y.data());
    EXPECT_LE((y - expected.transpose() * x).cwiseAbs().maxCoeff(), 1e-14);
    M.transposed_times(sparse, y.data());
    EXPECT_LE((y - expected.transpose() * sparse_x).cwiseAbs().maxCoeff(), 1e-14);
    VectorXd product(d);
    M.times(s.data(), product.data());
    EXPECT_LE((product - expected * s).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_NEAR(M.form(dense, s.data()), x.dot(expected * s), 1e-13);
  }
}

}  // namespace
}  // namespace bellwether
