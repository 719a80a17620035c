// ShermanMorrison beside the inverse of the dense sum, on random samples, some of which make the sum singular.
#include <bellwether/linalg/inverse/sherman_morrison.h>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <Eigen/Core>

#include "support/dense_inverse.h"
#include "support/factorisations.h"
#include "support/vector_stream.h"

namespace bellwether {
namespace {

using namespace testing;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(ShermanMorrisonProperties, IsTheInverseOfTheSumOfTheSamplesThatDoNotMakeItSingular) {
  std::size_t samples = 0;
  std::size_t skipped = 0;
  EXPECT_TRUE(rc::check([&] {
    const Index dim = random_dim();
    const int exponent = *rc::gen::inRange(-12, 13);
    VectorStream stream(dim, exponent);
    const double p0 = *rc::gen::element(0.1, 1.0, 30.0) / (stream.scale * stream.scale);
    const double sparse = *rc::gen::element(0.0, 0.5, 1.0);
    const double singular = *rc::gen::element(0.0, 0.1);
    ShermanMorrison P(static_cast<std::size_t>(dim), p0, *rc::gen::inRange<std::size_t>(1, 12));
    DenseInverse is(dim, p0);
    VectorXd x = stream.next();
    for (int t = 0; t < 80; ++t) {
      const VectorXd next = stream.next();
      const double f = stream.uniform() < 0.2 ? 0.0 : 0.9 * stream.uniform();
      VectorXd d = x - (stream.uniform() < 0.2 ? 0.0 : 0.9) * next;
      is.e = f * is.e + x;
      double product = d.dot(is.P * is.e);
      if (stream.uniform() < singular && product != 0) {
        d *= -1 / product;
        product = -1;
      }
      const double c = 1 + product;
      // Next to the limit rounding decides, and where half of the digits are lost nothing is left to compare.
      const bool close = std::abs(std::abs(c) - 1e-8) <= 0.9e-8 + is.error_of_products(is.e, d);
      if (close || is.tolerance() > 1e-4 * is.P.norm()) return;
      const double y = stream.number();
      const double b = stream.uniform() < 0.5 ? 0.0 : stream.number();
      const bool listed = stream.uniform() < sparse;
      RC_ASSERT((listed ? P.sample(f, Sparse(x).view(), Sparse(d).view()) : P.sample(f, dense(x), dense(d))));
      RC_ASSERT(std::abs(P.prediction() - d.dot(is.w)) <= d.norm() * (is.w_lost + 1e-13 * is.w.norm()));
      RC_ASSERT(P.take(y, b));
      is.add(d, c, y, b);
      RC_ASSERT(P.skipped() == is.skipped);
      RC_ASSERT((inverse_of(P) - is.P).norm() <= is.tolerance() + 1e-13 * is.P.norm());
      VectorXd w(dim);
      P.read({w.data(), static_cast<std::size_t>(dim)});
      const double w_tolerance = is.w_lost + 1e-13 * is.w.norm();
      RC_ASSERT((w - is.w).norm() <= w_tolerance);
      RC_ASSERT(std::abs(P.dot(Sparse(next).view()) - next.dot(is.w)) <= w_tolerance * next.norm());
      x = next;
      ++samples;
      skipped = std::max<std::size_t>(skipped, is.skipped);
    }
  }));
  EXPECT_GT(samples, 2000U);
  EXPECT_GT(skipped, 2U);
}

}  // namespace
}  // namespace bellwether
