#include <bellwether/learners/least_squares/fast_lstd.h>

#include <Eigen/Core>

#include <gtest/gtest.h>

#include "support/dense_algebra.h"
#include "support/experience.h"
#include "support/rules.h"

namespace bellwether {
namespace {

using namespace testing;

TEST(FastLSTD, EqualsTheTextbookLoopWithAWindow) {
  const auto experience = Experience{.steps = 500, .off_policy = true, .restart_probability = 0.05}.as(Layout::dense);
  constexpr std::size_t k = 7;
  for (const Schedule schedule : schedules) {
    const auto steps = rule_steps(experience.view(), {.schedule = schedule});
    FastLSTD learner(
        8, {.alpha = 0.1, .schedule = schedule, .n0 = 3, .source = ReplaySource::window, .window = k, .seed = 5});
    Rng rng(5, 0, Purpose::learner);
    std::vector<const RuleStep*> last;
    EXPECT_LE(departure(learner, experience.view(), steps,
                        [&](const RuleStep& s, Vector& w) {
                          last.push_back(&s);
                          if (last.size() < k) return;
                          for (std::size_t i = 0; i + 1 < k; ++i) {
                            std::swap(last[i], last[i + rng.below(k - i)]);
                            w += 0.1 * s.factor * last[i]->rho * last[i]->delta(w) * last[i]->x;
                          }
                          last.clear();
                        }),
              1e-12);
  }
}

TEST(FastLSTD, EqualsTheTextbookLoopWithAReservoirAndAveraging) {
  const auto experience = Experience{.steps = 400, .off_policy = true}.as(Layout::dense);
  const auto steps = rule_steps(experience.view(), {});
  for (const bool averaging : {false, true}) {
    FastLSTD learner(8, {.alpha = 0.3, .c = 50, .averaging = averaging, .capacity = 20, .updates = 3, .seed = 5});
    Rng rng(5, 0, Purpose::learner);
    std::vector<const RuleStep*> kept;
    Vector iterate = Vector::Zero(8);
    Vector sum = Vector::Zero(8);
    double n = 0;
    std::size_t seen = 0;
    EXPECT_LE(departure(learner, experience.view(), steps,
                        [&](const RuleStep& s, Vector& w) {
                          if (kept.size() < 20) kept.push_back(&s);
                          else if (const std::size_t slot = rng.below(seen + 1); slot < 20) kept[slot] = &s;
                          ++seen;
                          const RuleStep* picked[3];
                          for (auto& pick : picked) pick = kept[rng.below(kept.size())];
                          for (const RuleStep* pick : picked) {
                            const double alpha = 0.3 * std::pow(50 / (50 + n), averaging ? 0.75 : 1.0);
                            iterate += alpha * pick->rho * pick->delta(iterate) * pick->x;
                            sum += iterate;
                            n += 1;
                          }
                          w = averaging ? Vector(sum / n) : iterate;
                        }),
              1e-12);
  }
}

TEST(FastLSTD, ConvergesToTheSolutionOfTheBatchItKeeps) {
  // Without noise (r = d.w for some w) a constant step size converges to LSTD's solution; with noise, the mean of the
  // iterates does.
  const auto experience = Experience{.dim = 4, .steps = 60, .active = 1, .binary = true}.as(Layout::dense);
  Batch batch = experience.view();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(4, 4);
  Vector b = Vector::Zero(4);
  const Vector truth = Vector::LinSpaced(4, -1, 2);
  std::vector<double> exact(batch.size);
  std::size_t t = 0;
  for (const RuleStep& s : rule_steps(batch, {})) {
    A += s.x * (s.x - s.gn * s.xn).transpose();
    b += s.x * s.r;
    exact[t++] = truth.dot(s.x - s.gn * s.xn);
  }
  const Vector noisy = solve(A, b);
  const auto distance = [](const Learner& learner, const Vector& w) {
    const auto weights = learner.weights();
    return (Eigen::Map<const Vector>(weights.data(), w.size()) - w).norm() / w.norm();
  };
  FastLSTD averaged(4, {.alpha = 0.5, .c = 1000, .averaging = true, .capacity = 3000, .updates = 100});
  for (int pass = 0; pass < 50; ++pass) averaged.learn(batch);
  // The mean of the iterates includes the first of 50 passes, when the batch was not complete, and the noise of 300,000
  // updates.
  EXPECT_LE(distance(averaged, noisy), 0.05);
  batch.reward = exact.data();
  FastLSTD constant(4, {.alpha = 0.5, .capacity = 3000, .updates = 20});
  for (int pass = 0; pass < 50; ++pass) constant.learn(batch);
  EXPECT_LE(distance(constant, truth), 1e-6);
}

TEST(FastLSTD, KeepsEveryTransitionWithTheSameProbability) {
  // Transition t has only feature t. The weights that 200 updates at the last step change are those of the transitions
  // kept, 8 of 40. A chi-square test compares how often each is kept, over many seeds, with the mean.
  constexpr std::uint32_t steps = 40;
  constexpr int runs = 1000;
  BatchBuffer buffer(Layout::binary, steps + 1);
  for (std::uint32_t t = 0; t <= steps; ++t) {
    buffer.x().add(t);
    buffer.x().end_row();
    if (t < steps) buffer.add({.reward = 1, .discount = 0});
  }
  const Batch batch = buffer.view();
  std::vector<int> times(steps, 0);
  for (int run = 0; run < runs; ++run) {
    FastLSTD learner(steps + 1, {.alpha = 1e-3, .capacity = 8, .updates = 200, .seed = run});
    learner.learn(batch.slice(0, steps - 1));
    const auto before = learner.weights();
    learner.learn(batch.slice(steps - 1, 1));
    const auto after = learner.weights();
    int kept = 0;
    for (std::uint32_t t = 0; t < steps; ++t) {
      if (after[t] == before[t]) continue;
      ++times[t];
      ++kept;
    }
    ASSERT_EQ(kept, 8) << "200 draws miss one of 8 with probability 2e-11";
  }
  const double expected = runs * 8.0 / steps;
  double chi_square = 0;
  for (const int n : times) chi_square += (n - expected) * (n - expected) / (expected * (1 - 8.0 / steps));
  // The counts of a run add up to 8, which leaves 39 degrees of freedom: mean 39, deviation 8.8.
  EXPECT_LT(chi_square * (steps - 1) / steps, 39 + 5 * 8.8);
  EXPECT_GT(chi_square * (steps - 1) / steps, 39 - 4 * 8.8);
}

TEST(FastLSTD, ShowsNothingOfAReplayThatDivergesHalfway) {
  const auto experience = Experience{.steps = 400, .active = 8}.as(Layout::dense);
  for (const bool averaging : {false, true}) {
    for (const ReplaySource source : {ReplaySource::reservoir, ReplaySource::window}) {
      const FastLSTD::Params params{.alpha = 10, .averaging = averaging, .source = source, .updates = 20, .window = 10};
      FastLSTD learner(8, params);
      learner.learn(experience.view());
      ASSERT_TRUE(learner.diverged_at());
      FastLSTD shorter(8, params);
      shorter.learn(experience.view().slice(0, *learner.diverged_at()));
      EXPECT_GT(max_size(shorter.weights()), 0);
      EXPECT_EQ(learner.weights(), shorter.weights());
    }
  }
}

TEST(FastLSTD, NeedsLittleMemoryForAMillionFeatures) {
  BatchBuffer buffer(Layout::binary, 1000000);
  for (std::uint32_t t = 0; t <= 2000; ++t) {
    for (std::uint32_t j = 0; j < 10 + t % 13; ++j) buffer.x().add((t * 7919 + j * 99991) % 1000000);
    buffer.x().end_row();
    if (t < 2000) buffer.add({.reward = 1, .discount = 0.9});
  }
  FastLSTD learner(1000000, {.alpha = 0.01});
  learner.learn(buffer.view());
  EXPECT_GT(max_size(learner.weights()), 0);
  EXPECT_TRUE(learner.findings().empty());
}

}  // namespace
}  // namespace bellwether
