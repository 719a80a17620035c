#include <bellwether/traces/followed_trace.h>

#include <Eigen/Core>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>

namespace bellwether {
namespace {

using Vector = Eigen::VectorXd;

constexpr std::size_t dim = 12;

/// A feature vector in all layouts; its values are 1 when binary.
struct Row {
  Vector x = Vector::Zero(dim);
  std::vector<std::uint32_t> indices;
  std::vector<double> values;

  Row(Rng& rng, bool binary) {
    for (std::uint32_t j = 0; j < dim; ++j) {
      if (rng.uniform() > 0.3) continue;
      x[j] = binary ? 1 : 2 * rng.uniform() - 1;
      indices.push_back(j);
      values.push_back(x[j]);
    }
  }

  Features as(Layout layout) const {
    switch (layout) {
      case Layout::dense: return DenseView{x.data(), dim};
      case Layout::sparse: return SparseView{indices.data(), values.data(), indices.size()};
      default: return BinaryView{indices.data(), indices.size()};
    }
  }
};

/// A trace with two followers and a second trace with none, beside plain vectors that go through the same.
class Pair {
 public:
  explicit Pair(std::uint64_t seed) : rng_(seed) {}

  /// One random step, with features of the layout.
  void step(Layout layout, const std::vector<double>& factors, bool replace = false) {
    const Row row(rng_, layout == Layout::binary || replace);
    const double f = factors[rng_.below(factors.size())];
    const double y = replace ? rng_.uniform() : signed_uniform();
    const double a = signed_uniform();
    const double b = signed_uniform();
    const double s = 0.2 + rng_.uniform();
    visit(row.as(layout), [&](const auto& x) {
      if (replace) {
        trace.replace({f, y}, x);
        e = (f * e).cwiseMax(y * row.x);
      } else {
        trace.move({f, y}, x);
        e = f * e + y * row.x;
      }
      other.move({0.5, 1}, x);
      u = 0.5 * u + row.x;
      trace.follow(a);
      v0 += a * e;
      trace.scale<1>(s);
      trace.follow<1>(b);
      trace.add_to<1>(0.3, x);
      v1 = s * v1 + b * e + 0.3 * row.x;
      trace.add_to(-0.2, x);
      v0 -= 0.2 * row.x;

      expect_near(trace.dot_trace(x), e.dot(row.x), e);
      expect_near(trace.dot(x), v0.dot(row.x), v0);
      expect_near(trace.dot<1>(x), v1.dot(row.x), v1);
    });
    for (std::size_t j = 0; j < dim; ++j) {
      const auto i = static_cast<Eigen::Index>(j);
      expect_near(trace.trace_at(j), e[i], e);
      expect_near(trace.at(j), v0[i], v0);
      expect_near(trace.at<1>(j), v1[i], v1);
    }
    expect_near(trace.squared_norm(), e.squaredNorm(), e * e.norm());
    expect_near(trace.dot_follower<0>(trace), e.dot(v0), e * v0.norm());
    expect_near(other.dot_follower<1>(trace), u.dot(v1), v1 * u.norm());
    expect_near(other.dot_trace(trace), u.dot(e), e * u.norm());
  }

  FollowedTrace<2> trace{dim};
  FollowedTrace<0> other{dim};
  Vector e = Vector::Zero(dim), u = e, v0 = e, v1 = e;

 private:
  double signed_uniform() { return 2 * rng_.uniform() - 1; }

  static void expect_near(double actual, double expected, const Vector& scale) {
    ASSERT_NEAR(actual, expected, 1e-11 * std::max(1.0, scale.cwiseAbs().maxCoeff()));
  }

  Rng rng_;
};

TEST(FollowedTrace, EqualsPlainVectorsOverLongSequences) {
  const std::vector<double> usual{0.9, 0.95, 0.5};
  const std::vector<double> wild{0.9, 0, 1e-2, 1e-9, 1e-170, 1, 1.8, -0.7, 30};
  for (const Layout layout : {Layout::dense, Layout::sparse, Layout::binary}) {
    Pair steady(1);
    Pair hard(2);
    for (int t = 0; t < 5000 && !::testing::Test::HasFatalFailure(); ++t) {
      steady.step(layout, usual);
      hard.step(layout, wild);
    }
    EXPECT_GT(steady.e.norm(), 0.1);
  }
}

TEST(FollowedTrace, EqualsPlainVectorsWithoutAnyDecay) {
  Pair pair(3);
  for (int t = 0; t < 5000 && !::testing::Test::HasFatalFailure(); ++t) pair.step(Layout::sparse, {1.0});
  EXPECT_GT(pair.v0.norm(), 100);
}

TEST(FollowedTrace, EqualsPlainVectorsWhenTheLayoutChanges) {
  Pair pair(4);
  const Layout layouts[] = {Layout::dense, Layout::sparse, Layout::dense, Layout::binary};
  for (std::size_t t = 0; t < 5000 && !::testing::Test::HasFatalFailure(); ++t) {
    pair.step(layouts[t / 7 % 4], {0.9, 0, 1.5, 0.01});
  }
}

TEST(FollowedTrace, ReplacesAsPlainVectorsDo) {
  for (const Layout layout : {Layout::dense, Layout::sparse, Layout::binary}) {
    Pair pair(5);
    for (int t = 0; t < 2000 && !::testing::Test::HasFatalFailure(); ++t) pair.step(layout, {0.9, 0.3, 0}, true);
  }
}

TEST(FollowedTrace, ScalesAFollowerToNothingAndBeyondTheRangeOfItsFactor) {
  const std::uint32_t index = 1;
  const BinaryView x{&index, 1};
  FollowedTrace<2> trace(2);
  trace.move({0, 1}, x);
  trace.follow<1>(3);
  trace.scale<1>(0);
  EXPECT_EQ(trace.at<1>(1), 0);
  trace.follow<1>(2);
  for (int t = 0; t < 600; ++t) trace.scale<1>(0.5);
  EXPECT_EQ(trace.at<1>(1), std::ldexp(2, -600));
  for (int t = 0; t < 1200; ++t) trace.scale<1>(2);
  EXPECT_EQ(trace.at<1>(1), std::ldexp(2, 600));
}

TEST(FollowedTrace, IsFreshWhenItsPiecesWerePutTogether) {
  const std::uint32_t index = 1;
  const BinaryView x{&index, 1};
  const double values[] = {0, 1};
  FollowedTrace<1> trace(2);
  for (int t = 1; t <= 20; ++t) {
    trace.move({0.5, 1}, x);
    EXPECT_EQ(trace.fresh(), t % 10 == 0) << t;  // 2^-10 < 1e-3
  }
  trace.move({0.5, 1}, x);
  EXPECT_FALSE(trace.fresh());
  trace.move({0, 1}, x);
  EXPECT_TRUE(trace.fresh());
  trace.move({0.5, 1}, x);
  EXPECT_FALSE(trace.fresh());
  for (int t = 0; t < 3; ++t) {
    trace.move({0.5, 1}, DenseView{values, 2});
    EXPECT_TRUE(trace.fresh());
  }
  trace.move({0.5, 1}, x);
  EXPECT_TRUE(trace.fresh()) << "the layout has just changed";
  trace.move({0.5, 1}, x);
  EXPECT_FALSE(trace.fresh());
}

TEST(FollowedTrace, KnowsTheMassOfAMoveBeforehand) {
  const std::uint32_t index = 0;
  FollowedTrace<1> trace(1);
  for (const Motion m : {Motion{0, -2}, Motion{-0.5, 1}, Motion{3, 0.25}}) {
    const double mass = trace.mass_after(m);
    trace.move(m, BinaryView{&index, 1});
    EXPECT_EQ(trace.mass(), mass);
    EXPECT_GE(trace.mass(), std::abs(trace.trace_at(0)));
  }
  EXPECT_EQ(trace.mass(), 6.25);
}

TEST(FollowedTrace, CopiesAreIndependent) {
  Pair original(6);
  for (int t = 0; t < 100; ++t) original.step(Layout::sparse, {0.9});
  Pair copy = original;
  const double before = original.trace.at(0);
  for (int t = 0; t < 100; ++t) copy.step(Layout::sparse, {0.9});
  EXPECT_EQ(original.trace.at(0), before);
  EXPECT_NE(copy.trace.at(0), before);
  for (int t = 0; t < 100; ++t) original.step(Layout::sparse, {0.9});
  EXPECT_EQ(original.trace.at(0), copy.trace.at(0));
}

TEST(FollowedTrace, TakesNewValuesInTheMidstOfATrace) {
  Rng rng(1);
  FollowedTrace<1> trace(dim);
  for (int t = 0; t < 5; ++t) {
    const Row row(rng, false);
    trace.move({0.7, 1.5}, SparseView{row.indices.data(), row.values.data(), row.values.size()});
    trace.follow(0.3);
  }
  std::vector<double> e(dim);
  for (std::size_t j = 0; j < e.size(); ++j) e[j] = trace.trace_at(j);
  std::vector<double> v(dim);
  for (std::size_t j = 0; j < dim; ++j) v[j] = static_cast<double>(j);
  trace.assign(v);
  trace.follow(2);
  for (std::size_t j = 0; j < dim; ++j) {
    EXPECT_EQ(e[j], trace.trace_at(j));
    EXPECT_NEAR(trace.at(j), v[j] + 2 * e[j], 1e-13);
  }
}

}  // namespace
}  // namespace bellwether
