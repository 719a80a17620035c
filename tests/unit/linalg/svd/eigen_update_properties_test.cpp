// EigenUpdate beside the dense matrix that it decomposes, on random terms.
#include <bellwether/linalg/svd/eigen_update.h>

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

TEST(EigenUpdateProperties, DecomposesTheSumOfItsTerms) {
  EXPECT_TRUE(rc::check([] {
    const Index most = random_dim();
    const Index first = *rc::gen::inRange<Index>(1, most + 1);
    const int exponent = *rc::gen::inRange(-70, 71);  // of vectors: G is up to 10^140
    VectorStream vectors_of(most, exponent);
    const double size = vectors_of.scale * vectors_of.scale;

    EigenUpdate eigen(static_cast<std::size_t>(most));
    VectorXd d = VectorXd::Zero(first);
    if (*rc::gen::arbitrary<bool>()) {
      for (double& value : d) value = size * std::round(4 * vectors_of.number()) / 4;  // some of them equal
    }
    std::sort(d.begin(), d.end(), std::greater<>());
    eigen.reset({d.data(), static_cast<std::size_t>(first)});
    MatrixXd G = d.asDiagonal();
    double rounding = G.norm();  // of all that was added up

    const int terms = *rc::gen::inRange(1, 40);
    for (int t = 0; t < terms; ++t) {
      const Index n = G.rows();
      const double kind = vectors_of.uniform();
      if (kind < 0.1 && n < most) {
        eigen.grow();
        G.conservativeResizeLike(MatrixXd::Zero(n + 1, n + 1));
      } else if (kind < 0.2) {
        const double c = vectors_of.uniform();
        eigen.scale(c);
        G *= c;
        rounding *= c;
      } else if (kind < 0.5) {
        const VectorXd v = vectors_of.next().head(n);
        const double rho = vectors_of.number();
        eigen.add(rho, v.data());
        G += rho * v * v.transpose();
        rounding += v.squaredNorm();
      } else {
        const VectorXd h = vectors_of.next().head(n);
        const VectorXd y = vectors_of.next().head(n);
        const double g = kind < 0.6 ? 0.0 : vectors_of.number();
        eigen.add_pair(h.data(), y.data(), g);
        G += h * y.transpose() + y * h.transpose() + g * y * y.transpose();
        rounding += 2 * h.norm() * y.norm() + y.squaredNorm();
      }
      const MatrixXd L = vectors(eigen);
      const VectorXd lambda = values(eigen);
      RC_ASSERT(defect(L) <= 1e-11);
      RC_ASSERT((L * lambda.asDiagonal() * L.transpose() - G).norm() <= 1e-12 * rounding);
      RC_ASSERT(std::is_sorted(lambda.begin(), lambda.end(), std::greater<>()));
      RC_ASSERT((lambda.reverse() - symmetric_eigenvalues(G)).cwiseAbs().maxCoeff() <= 1e-12 * rounding);
    }
  }));
}

}  // namespace
}  // namespace bellwether
