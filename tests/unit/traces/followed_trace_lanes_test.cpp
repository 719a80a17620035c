// Eight traces side by side: every lane has the bits of a trace alone, also where the lanes do not agree on a branch.
#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>
#include <bellwether/traces/followed_trace.h>

namespace bellwether {
namespace {

constexpr std::size_t dim = 6;

/// Eight numbers of very different size, so that some lanes reach a threshold and others do not.
Eight spread(double a, double ratio) {
  Eight all{};
  for (std::size_t l = 0; l < Eight::width; ++l, a *= ratio) all.set(l, a);
  return all;
}

TEST(FollowedTraceOfEight, DropsTinyEntriesLaneByLane) {
  FollowedTrace<1, Eight, Eight> eight(dim);
  std::vector<FollowedTrace<1>> one(8, FollowedTrace<1>(dim));
  Rng rng(1);
  for (int t = 0; t < 400; ++t) {
    const std::uint32_t places[] = {static_cast<std::uint32_t>(rng.below(3)),
                                    3 + static_cast<std::uint32_t>(rng.below(3))};
    const BinaryView x{places, t < 40 ? 2U : 1U};
    const double f = t % 50 == 49 ? 0.0 : 1e-2;
    const Eight y = spread(rng.uniform(), 1e-28);
    const Eight a = spread(rng.uniform() - 0.5, 1e20);
    eight.move({f, y}, x);
    eight.follow(a);
    for (std::size_t l = 0; l < 8; ++l) {
      one[l].move({f, y[l]}, x);
      one[l].follow(a[l]);
      EXPECT_EQ(eight.dot(x)[l], one[l].dot(x));
      EXPECT_EQ(eight.mass()[l], one[l].mass());
      for (std::size_t j = 0; j < dim; ++j) {
        ASSERT_EQ(eight.at(j)[l], one[l].at(j)) << t << " " << l;
        ASSERT_EQ(eight.trace_at(j)[l], one[l].trace_at(j)) << t << " " << l;
      }
    }
  }
}

TEST(FollowedTraceOfEight, TakesUpExtremeFactorsLaneByLane) {
  FollowedTrace<2, Eight> eight(dim);
  std::vector<FollowedTrace<2>> one(8, FollowedTrace<2>(dim));
  const std::uint32_t places[] = {1, 4};
  const BinaryView x{places, 2};
  for (int t = 0; t < 60; ++t) {
    const Eight s = spread(t == 30 ? 0.0 : 1e-9, 1e2);
    eight.move({0.9, 1.0}, x);
    eight.scale<1>(s);
    eight.follow<1>(spread(0.5, 0.5));
    for (std::size_t l = 0; l < 8; ++l) {
      one[l].move({0.9, 1.0}, x);
      one[l].scale<1>(s[l]);
      one[l].follow<1>(spread(0.5, 0.5)[l]);
      for (std::size_t j = 0; j < dim; ++j) ASSERT_EQ(eight.at<1>(j)[l], one[l].at<1>(j)) << t << " " << l;
    }
  }
}

}  // namespace
}  // namespace bellwether
