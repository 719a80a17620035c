#include <bellwether/linalg/simd/eight.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace bellwether {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<double, 8> ramp{1, 2, 3, 4, 5, 6, 7, 8};

TEST(Eight, SetsOneLaneAndLeavesTheOthers) {
  for (std::size_t lane = 0; lane < Eight::width; ++lane) {
    Eight x = Eight::load(ramp.data());
    x.set(lane, -1);
    for (std::size_t l = 0; l < Eight::width; ++l) EXPECT_EQ(x[l], l == lane ? -1 : ramp[l]);
  }
}

TEST(Eight, LoadsAndStoresTheFirstFew) {
  for (std::size_t count = 0; count <= Eight::width; ++count) {
    const Eight x = Eight::load(ramp.data(), count);
    std::array<double, 8> to;
    to.fill(9);
    x.store(to.data(), count);
    for (std::size_t l = 0; l < Eight::width; ++l) {
      EXPECT_EQ(x[l], l < count ? ramp[l] : 0);
      EXPECT_EQ(to[l], l < count ? ramp[l] : 9);
    }
  }
}

TEST(Eight, SumsInAFixedOrder) {
  // Every other order loses the one or keeps a large number.
  const std::array<double, 8> numbers{1e17, 0, 1, 0, -1e17, 0, 0, 0};
  EXPECT_EQ(Eight::load(numbers.data()).sum(), 1);
  const std::array<double, 8> lost{1e17, 0, -1e17, 0, 1, 0, 0, 0};
  EXPECT_EQ(Eight::load(lost.data()).sum(), 0);
}

TEST(Eight, ComparesAndChoosesLaneByLane) {
  const Eight x = Eight::load(ramp.data());
  const EightBools small = x < 4;
  const Eight chosen = choose(small, x, same<Eight>(0));
  for (std::size_t l = 0; l < Eight::width; ++l) {
    EXPECT_EQ(small[l], ramp[l] < 4);
    EXPECT_EQ(chosen[l], ramp[l] < 4 ? ramp[l] : 0);
  }
  EXPECT_TRUE(any(small));
  EXPECT_FALSE(all(small));
  EXPECT_TRUE(all(small | ~small));
  EXPECT_FALSE(any(small & ~small));
}

TEST(Eight, FindsALaneThatIsLessOrNotANumber) {
  const Eight x = Eight::load(ramp.data());
  for (std::size_t lane = 0; lane < Eight::width; ++lane) {
    for (const double above : {ramp[lane] + 1, infinity, nan}) {
      Eight y = x;
      y.set(lane, above);
      EXPECT_TRUE(any_less(x, y));
      EXPECT_FALSE(any_less(x, y, ~(x == ramp[lane])));
      EXPECT_FALSE(any_less(x, x));
    }
  }
}

TEST(Eight, TakesMagnitudesAndRootsAsOneNumberDoes) {
  const std::array<double, 8> numbers{-0.0, 2, -3, infinity, -infinity, 1e-320, -1e300, 0.1};
  const Eight sizes = magnitude(Eight::load(numbers.data()));
  const Eight roots = square_root(sizes);
  for (std::size_t l = 0; l < Eight::width; ++l) {
    EXPECT_EQ(sizes[l], std::abs(numbers[l]));
    EXPECT_FALSE(std::signbit(sizes[l]));
    EXPECT_EQ(roots[l], std::sqrt(std::abs(numbers[l])));
  }
}

}  // namespace
}  // namespace bellwether
