#include <bellwether/learners/accelerated/atd_compensated.h>

#include <Eigen/Core>

#include <gtest/gtest.h>

#include <bellwether/domains/random_walk.h>
#include <bellwether/experiment/stream.h>

#include "support/allocations.h"
#include "support/dense_algebra.h"
#include "support/experience.h"
#include "support/references/compensated.h"
#include "support/rules.h"
#include "support/textbook_trace.h"

namespace bellwether {
namespace {

using namespace testing;
using Eigen::Index;
using Matrix = Eigen::MatrixXd;

/// The largest difference between the learner and its definition, over layouts.
double departure_from_definition(const Experience& experience, ATDCompensated::Params params) {
  params.zeta = 0.7;
  params.compression = Compression::exact;
  double most = 0;
  for (const Layout layout : {Layout::dense, Layout::sparse}) {
    const auto dense = experience.as(Layout::dense);
    const auto steps = rule_steps(dense.view(), {.lambda = params.lambda});
    const auto buffer = experience.as(layout);
    ATDCompensated learner(experience.dim, params);
    CompensatedReference definition{
        .rank = static_cast<Index>(std::min<std::size_t>(static_cast<std::size_t>(*params.rank), experience.dim)),
        .block = static_cast<std::size_t>(*params.block),
        .zeta = 0.7,
        .compensate = params.compensate,
        .replay = static_cast<std::size_t>(params.replay)};
    most = std::max(most, departure(learner, buffer.view(), steps,
                                    [&](const RuleStep& s, Vector& w) { definition.step(s, w, params.trace); }));
  }
  return most;
}

TEST(ATDCompensated, EqualsItsDefinitionForEveryRankBlockAndTrace) {
  const Experience experience{.dim = 12, .steps = 300, .active = 4, .off_policy = true, .restart_probability = 0.05};
  for (const std::int64_t rank : {0, 1, 3, 6, 11, 12, 40}) {
    for (const std::int64_t block : {1, 5, 17}) {
      for (const double lambda : {0.0, 0.9, 1.0}) {
        EXPECT_LE(departure_from_definition(experience, {.rank = rank, .lambda = lambda, .replay = 0, .block = block}),
                  1e-9)
            << "rank " << rank << " block " << block << " lambda " << lambda;
      }
    }
  }
}

TEST(ATDCompensated, EqualsItsDefinitionWithOtherTracesAndWithoutCompensation) {
  const Experience experience{
      .dim = 12, .steps = 300, .active = 4, .non_negative = true, .off_policy = true, .state_dependent = true};
  for (const TraceRule trace : {TraceRule::replacing, TraceRule::emphatic}) {
    EXPECT_LE(
        departure_from_definition(experience, {.rank = 4, .lambda = 0.8, .trace = trace, .replay = 0, .block = 7}),
        1e-9);
  }
  EXPECT_LE(
      departure_from_definition(experience, {.rank = 4, .lambda = 0.8, .compensate = false, .replay = 0, .block = 7}),
      1e-9);
}

TEST(ATDCompensated, ReplaysAsDefinedAndTakesBackStepsThatDidHarm) {
  // Some replays do harm off-policy with long traces; none does on-policy with short ones.
  for (const bool off_policy : {true, false}) {
    const Experience experience{.dim = 12, .steps = 900, .active = 4, .off_policy = off_policy, .seed = 3};
    EXPECT_LE(departure_from_definition(experience,
                                        {.rank = 4, .lambda = off_policy ? 1.0 : 0.5, .replay = 1000, .block = 30}),
              1e-8);
  }
}

TEST(ATDCompensated, StaysStableWhenTracesAreLongerThanTheReplayWindow) {
  // A long walk with lambda = 1 and ratios of 0 and 3: replays without probation made weights a thousand times too
  // large.
  const RandomWalk walk({.size = 101});
  Stream stream(walk, walk.features(), 1, 0);
  ATDCompensated learner(101, {.lambda = 1, .replay = 100});
  for (int i = 0; i < 20; ++i) {
    learner.learn(stream.next(1000));
    ASSERT_LT(max_size(learner.weights()), 10);
  }
  const Experience experience{
      .dim = 40, .steps = 20000, .active = 3, .non_negative = true, .off_policy = true, .discount = 0.95};
  const auto buffer = experience.as(Layout::sparse);
  ATDCompensated off(40, {});
  ATDCompensated plain(40, {.replay = 0});
  for (std::size_t t = 0; t < 20000; t += 1000) {
    off.learn(buffer.view().slice(t, 1000));
    plain.learn(buffer.view().slice(t, 1000));
  }
  EXPECT_LT(max_size(off.weights()), 3 * max_size(plain.weights()));
}

TEST(ATDCompensated, LearnsTheSameFromRowsThatAreNearlyFull) {
  const Experience experience{.dim = 8, .steps = 2000, .active = 6};
  const ATDCompensated::Params params{.rank = 1, .lambda = 0.9, .zeta = 1};
  ATDCompensated sparse(8, params);
  ATDCompensated dense(8, params);
  sparse.learn(experience.as(Layout::sparse).view());
  dense.learn(experience.as(Layout::dense).view());
  EXPECT_LE(max_difference(sparse.weights(), dense.weights()), 1e-8 * max_size(dense.weights()));
}

TEST(ATDCompensated, StaysFiniteWithTinyAndHugeFeatures) {
  for (const double unit : {1e-160, 1e-30, 1e20}) {
    BatchBuffer buffer(Layout::sparse, 3);
    for (std::uint32_t t = 0; t <= 200; ++t) {
      buffer.x().add(t % 3, unit);
      buffer.x().end_row();
      if (t < 200) buffer.add({.reward = 1, .discount = 0.5});
    }
    ATDCompensated learner(3, {.rank = 2});
    learner.learn(buffer.view());
    for (const double w : learner.weights()) EXPECT_TRUE(std::isfinite(w)) << unit;
    EXPECT_FALSE(learner.findings().empty());
  }
}

TEST(ATDCompensated, IsLSTDAtEveryStepWhenTheRankIsTheDimension) {
  const Experience experience{.dim = 12, .steps = 400, .active = 4, .off_policy = true, .restart_probability = 0.05};
  const auto buffer = experience.as(Layout::sparse);
  const auto dense = experience.as(Layout::dense);
  ATDCompensated learner(12, {.rank = 12, .lambda = 0.8, .zeta = 0.5});
  Matrix S = 0.5 * Matrix::Identity(12, 12);
  Vector s = Vector::Zero(12);
  Vector e = Vector::Zero(12);
  EXPECT_LE(departure(learner, buffer.view(), rule_steps(dense.view(), {.lambda = 0.8}),
                      [&](const RuleStep& t, Vector& w) {
                        e = t.rho * (t.g * t.l * e + t.x);
                        S += e * (t.x - t.gn * t.xn).transpose();
                        s += t.r * e;
                        w = solve(S, s);
                      }),
            1e-9);
}

TEST(ATDCompensated, IsImplicitTDWithoutRankAndCompensation) {
  // One feature at a time: d.e >= 0, so no step is shortened.
  const Experience experience{.dim = 9, .steps = 300, .active = 1, .binary = true, .discount = 0.6};
  const auto buffer = experience.as(Layout::binary);
  const auto dense = experience.as(Layout::dense);
  ATDCompensated learner(9, {.rank = 0, .lambda = 0, .zeta = 2, .compensate = false, .replay = 0});
  EXPECT_LE(departure(learner, buffer.view(), rule_steps(dense.view(), {.lambda = 0}),
                      [&](const RuleStep& t, Vector& w) {
                        const double step = 0.5;
                        const double de = (t.x - t.gn * t.xn).dot(t.x);
                        w += step / (1 + step * de) * t.delta(w) * t.x;
                      }),
            1e-12);
}

TEST(ATDCompensated, LearnsTheSameFromSparseAndDenseFeaturesOverAHundredThousandSteps) {
  const Experience experience{.dim = 60, .steps = 100000, .active = 5, .binary = true, .end_probability = 0.01};
  const auto sparse = experience.as(Layout::binary);
  const auto dense = experience.as(Layout::dense);
  for (const Compression compression : {Compression::fast, Compression::exact}) {
    const ATDCompensated::Params params{.rank = 6, .replay = 200, .compression = compression};
    ATDCompensated a(60, params);
    ATDCompensated b(60, params);
    a.learn(sparse.view());
    b.learn(dense.view());
    EXPECT_LE(max_difference(a.weights(), b.weights()), 1e-9 * max_size(b.weights()));
  }
}

TEST(ATDCompensated, MovesFromOneLayoutToAnother) {
  const Experience experience{.dim = 20, .steps = 600, .active = 3};
  const auto sparse = experience.as(Layout::sparse);
  const auto dense = experience.as(Layout::dense);
  const ATDCompensated::Params params{.rank = 4, .zeta = 1, .block = 10, .compression = Compression::exact};
  ATDCompensated mixed(20, params);
  ATDCompensated plain(20, params);
  for (std::size_t t = 0; t < 600; t += 100) {
    mixed.learn((t % 200 == 0 ? sparse : dense).view().slice(t, 100));
    plain.learn(dense.view().slice(t, 100));
  }
  EXPECT_LE(max_difference(mixed.weights(), plain.weights()), 1e-9 * max_size(plain.weights()));
}

/// Steps with more features than those from which on renewals are postponed.
constexpr Experience many_features{.dim = 9000, .steps = 6000, .active = 4, .binary = true, .end_probability = 0.05};

TEST(ATDCompensated, ReadsWeightsThatWaitForARenewal) {
  ATDCompensated learner(many_features.dim, {.rank = 4, .lambda = 0.9});
  const auto steps = many_features.as(Layout::binary);
  learner.learn(steps.view().slice(0, 5990));
  ATDCompensated renewed = learner;
  renewed.absorb(ATDCompensated(many_features.dim, {.rank = 4, .lambda = 0.9}));  // which renews all rows
  const auto w = learner.weights();
  EXPECT_LE(max_difference(renewed.weights(), w), 1e-12 * max_size(w));
  std::vector<double> values(5990);
  learner.predict(steps.view().slice(0, 5990).x, values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    double expected = 0;
    steps.view().x.as<BinaryView>(i).for_each([&](std::size_t j, double v) { expected += v * w[j]; });
    ASSERT_NEAR(values[i], expected, 1e-12 * max_size(w));
  }
}

TEST(ATDCompensated, GoesOnFromASavedStateWithPostponedRenewalsAndAllocatesNothing) {
  const auto steps = many_features.as(Layout::binary);
  ATDCompensated whole(many_features.dim, {.rank = 4, .replay = 300});
  whole.learn(steps.view().slice(0, 5000));
  ATDCompensated loaded(many_features.dim, {.rank = 4, .replay = 300});
  loaded.load(whole.save());
  const auto before = allocations();
  whole.learn(steps.view().slice(5000, 1000));
  EXPECT_EQ(allocations(), before);
  loaded.learn(steps.view().slice(5000, 1000));
  EXPECT_EQ(loaded.weights(), whole.weights());
}

TEST(ATDCompensated, LearnsNearlyTheSameWithPostponedRenewals) {
  // Exact compression never postpones.
  const auto steps = many_features.as(Layout::binary);
  ATDCompensated fast(many_features.dim, {.rank = 4, .replay = 300});
  ATDCompensated exact(many_features.dim, {.rank = 4, .replay = 300, .compression = Compression::exact});
  fast.learn(steps.view());
  exact.learn(steps.view());
  std::vector<double> a(steps.size());
  std::vector<double> b(steps.size());
  fast.predict(steps.view().x, a);
  exact.predict(steps.view().x, b);
  double difference = 0;
  double size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  EXPECT_LE(difference, 0.01 * size);
}

TEST(ATDCompensated, MovesToDenseFeaturesWithPostponedRenewals) {
  constexpr Experience experience{.dim = 5000, .steps = 3050, .active = 4, .binary = true};
  const auto sparse = experience.as(Layout::binary);
  ATDCompensated learner(5000, {.rank = 2, .replay = 100, .block = 20});
  learner.learn(sparse.view().slice(0, 3000));
  ATDCompensated mixed = learner;
  BatchBuffer dense(Layout::dense, 5000);
  const Batch last = sparse.view().slice(3000, 10);
  const auto add_state = [&](const BinaryView& x) {
    const auto row = dense.x().add_dense();
    x.for_each([&](std::size_t j, double v) { row[j] = v; });
  };
  add_state(last.x.as<BinaryView>(0));
  for (std::size_t t = 0; t < 10; ++t) {
    dense.add({.reward = last.reward[t], .discount = last.discount[t]});
    add_state(last.x_next.as<BinaryView>(t));
  }
  mixed.learn(dense.view());
  learner.learn(last);
  // They differ by when they renewed.
  EXPECT_LE(max_difference(mixed.weights(), learner.weights()), 0.1 * max_size(learner.weights()));
}

double finding(const Learner& learner, const std::string& name) {
  for (const auto& [key, value] : learner.findings()) {
    if (key == name) return std::stod(value);
  }
  ADD_FAILURE() << "no finding " << name;
  return 0;
}

TEST(ATDCompensated, FindsZetaFromTheLengthOfTheFeatures) {
  const Experience experience{.dim = 20, .steps = 5000, .active = 4};
  const auto buffer = experience.as(Layout::sparse);
  double squares = 0;
  for (std::size_t t = 0; t < 5000; ++t) squares += kernels::squared_norm(buffer.view().x.as<SparseView>(t));
  ATDCompensated learner(20, {});
  learner.learn(buffer.view());
  EXPECT_NEAR(finding(learner, "zeta"), 0.1 * squares / 5000, 0.01 * squares / 5000);
}

TEST(ATDCompensated, DoesNotDependOnTheUnitsOfFeaturesAndRewards) {
  const Experience experience{.dim = 20, .steps = 1000, .active = 4};
  const auto buffer = experience.as(Layout::sparse);
  const Batch batch = buffer.view();
  ATDCompensated plain(20, {.rank = 5});
  plain.learn(batch);
  for (const double unit : {1e-12, 1e12}) {
    std::vector<double> values(batch.x.values, batch.x.values + batch.x_next.offsets[batch.size]);
    std::vector<double> rewards(batch.reward, batch.reward + batch.size);
    for (double& v : values) v *= unit;
    for (double& r : rewards) r *= 1e12;
    Batch other = batch;
    other.x.values = other.x_next.values = values.data();
    other.reward = rewards.data();
    ATDCompensated learner(20, {.rank = 5});
    learner.learn(other);
    auto expected = plain.weights();
    for (double& w : expected) w *= 1e12 / unit;
    EXPECT_LE(max_difference(learner.weights(), expected), 1e-6 * max_size(expected)) << unit;
  }
}

TEST(ATDCompensated, GrowsAnAutomaticRankToTheRankOfTheFeatures) {
  // Four hundred features in groups of copies: a matrix of rank 60, 25 or 3.
  const auto chosen = [](std::uint32_t groups) {
    BatchBuffer buffer(Layout::binary, 400);
    for (std::uint32_t t = 0; t <= 3000; ++t) {
      const std::uint32_t group = (t * 7919U) % 104729U % groups;
      for (std::uint32_t j = group; j < 400; j += groups) buffer.x().add(j);
      buffer.x().end_row();
      if (t < 3000) buffer.add({.reward = 1, .discount = t % 10 == 9 ? 0.0 : 0.9});
    }
    ATDCompensated learner(400, {.rank = std::nullopt, .lambda = 0.5});
    learner.learn(buffer.view());
    EXPECT_FALSE(learner.diverged_at());
    return finding(learner, "rank");
  };
  EXPECT_EQ(chosen(3), 3);
  EXPECT_EQ(chosen(25), 25);
  EXPECT_EQ(chosen(60), 30);  // the largest automatic rank
}

TEST(ATDCompensated, IsExactWithAnAutomaticRankAndFewFeatures) {
  for (const std::size_t states : {101, 128, 129}) {
    const RandomWalk walk({.size = static_cast<std::int64_t>(states)});
    Stream stream(walk, walk.features(), 5, 0);
    const Batch steps = stream.next(1500);
    ATDCompensated automatic(states, {.rank = std::nullopt});
    ATDCompensated exact(states, {.rank = static_cast<std::int64_t>(states)});
    automatic.learn(steps);
    exact.learn(steps);
    EXPECT_EQ(automatic.weights() == exact.weights(), states <= 128) << states;
  }
}

TEST(ATDCompensated, StaysFiniteAndHonestOnDegenerateFeatures) {
  const auto learn = [](std::size_t dim, auto&& features, double discount) {
    BatchBuffer buffer(Layout::dense, dim);
    for (int t = 0; t <= 300; ++t) {
      features(buffer.x().add_dense(), t);
      if (t < 300) buffer.add({.reward = 1, .discount = discount});
    }
    ATDCompensated learner(dim, {.rank = 2, .lambda = 0.5, .block = 7});
    learner.learn(buffer.view());
    EXPECT_FALSE(learner.diverged_at());
    return learner.weights();
  };
  const auto nothing = [](std::span<double>, int) {};
  EXPECT_EQ(learn(5, nothing, 0.9), std::vector<double>(5, 0.0));
  const auto one = [](std::span<double> x, int) { x[0] = 1; };
  EXPECT_NEAR(learn(1, one, 0.9)[0], 10, 0.1);
  const auto constant = [](std::span<double> x, int) { std::fill(x.begin(), x.end(), 1.0); };
  const auto equal = learn(6, constant, 0.5);
  for (const double w : equal) EXPECT_NEAR(w, 2.0 / 6, 0.01);
  const auto late = [](std::span<double> x, int t) { x[1] = t == 0 ? 0 : 1; };
  EXPECT_NEAR(learn(3, late, 0.5)[1], 2, 0.05);
}

}  // namespace
}  // namespace bellwether
