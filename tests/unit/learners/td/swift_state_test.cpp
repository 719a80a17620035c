#include <bellwether/learners/td/swift_state.h>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>

namespace bellwether {
namespace {

TEST(SmallChange, IsTheChangeOfSeveralStepsToRounding) {
  Rng rng(3);
  const auto centred = [&] { return 2 * rng.uniform() - 1; };
  for (int trial = 0; trial < 1000; ++trial) {
    const double s = 1 + 1000 * rng.uniform();
    const double bias = trial % 2;  // all of one sign: the largest change
    std::vector<double> steps(1 + rng.below(100));
    double size = 0;
    for (double& q : steps) size += std::abs(q = centred() + bias);
    const double p = (trial % 4 < 2 ? 1 : -1) * SmallChange::limit / (s * size);  // |p s| (sum of |q|) is the limit
    SmallChange change;
    long double exact = s;
    for (const double q : steps) {
      change.add(q);
      exact *= std::exp(-static_cast<long double>(q) * p * exact);
    }
    EXPECT_LT(std::abs(change.apply(p, s) - exact), 4e-16L * exact);
    EXPECT_DOUBLE_EQ(change.size(), size);
  }
}

TEST(SmallChange, WithoutStepsIsNone) { EXPECT_EQ(SmallChange().apply(3, 0.7), 0.7); }

}  // namespace
}  // namespace bellwether
