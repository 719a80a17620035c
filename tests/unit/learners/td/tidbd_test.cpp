#include <bellwether/learners/td/tidbd.h>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>
#include <bellwether/learners/td/auto_tidbd.h>
#include <bellwether/learners/td/td.h>

#include "support/experience.h"

namespace bellwether {
namespace {

using testing::Experience;
using testing::max_difference;

struct Learned {
  std::vector<double> w;
  std::vector<double> alpha;
};

double dot(DenseView x, const std::vector<double>& w) {
  double sum = 0;
  for (std::size_t j = 0; j < x.size; ++j) sum += x.values[j] * w[j];
  return sum;
}

/// TIDBD as it is published: a logarithm of the step size and a trace for every feature, one loop for every line.
Learned textbook_tidbd(const Batch& batch, const TIDBD::Params& params) {
  const std::size_t d = batch.dim();
  std::vector<double> w(d, 0.0), e(d, 0.0), h(d, 0.0), beta(d, std::log(params.alpha));
  double g = 0;
  for (std::size_t t = 0; t < batch.size; ++t) {
    const auto x = batch.x.as<DenseView>(t);
    const auto xn = batch.x_next.as<DenseView>(t);
    const double gn = batch.discount[t];
    const double delta = batch.reward[t] + gn * dot(xn, w) - dot(x, w);
    const auto u = [&](std::size_t j) {
      return params.gradient == MetaGradient::semi ? x.values[j] : x.values[j] - gn * xn.values[j];
    };
    for (std::size_t j = 0; j < d; ++j) beta[j] += params.theta * delta * u(j) * h[j];
    for (std::size_t j = 0; j < d; ++j) e[j] = batch.rho[t] * (g * params.lambda * e[j] + x.values[j]);
    for (std::size_t j = 0; j < d; ++j) w[j] += std::exp(beta[j]) * delta * e[j];
    for (std::size_t j = 0; j < d; ++j) {
      const double alpha = std::exp(beta[j]);
      h[j] = h[j] * std::max(0.0, 1 - alpha * u(j) * e[j]) + alpha * delta * e[j];
    }
    g = gn;
  }
  for (double& b : beta) b = std::exp(b);
  return {w, beta};
}

Learned textbook_auto_tidbd(const Batch& batch, const AutoTIDBD::Params& params) {
  const std::size_t d = batch.dim();
  std::vector<double> w(d, 0.0), e(d, 0.0), h(d, 0.0), eta(d, 0.0), beta(d, std::log(params.alpha)), f(d);
  double g = 0;
  for (std::size_t t = 0; t < batch.size; ++t) {
    const auto x = batch.x.as<DenseView>(t);
    const auto xn = batch.x_next.as<DenseView>(t);
    const double gn = batch.discount[t];
    const double delta = batch.reward[t] + gn * dot(xn, w) - dot(x, w);
    for (std::size_t j = 0; j < d; ++j) f[j] = gn * xn.values[j] - x.values[j];
    for (std::size_t j = 0; j < d; ++j) {
      const double decay = 1 / params.tau * std::exp(beta[j]) * f[j] * e[j];
      eta[j] =
          std::max(std::abs(delta * f[j] * h[j]), eta[j] - decay * (std::abs(delta * x.values[j] * h[j]) - eta[j]));
    }
    for (std::size_t j = 0; j < d; ++j) {
      if (eta[j] > 0) beta[j] -= params.theta * delta * f[j] * h[j] / eta[j];
    }
    double taken = 0;
    for (std::size_t j = 0; j < d; ++j) taken -= std::exp(beta[j]) * f[j] * e[j];
    for (std::size_t j = 0; j < d; ++j) beta[j] -= std::log(std::max(1.0, taken));
    for (std::size_t j = 0; j < d; ++j) e[j] = batch.rho[t] * (g * params.lambda * e[j] + x.values[j]);
    for (std::size_t j = 0; j < d; ++j) {
      const double alpha = std::exp(beta[j]);
      w[j] += alpha * delta * e[j];
      h[j] = h[j] * std::max(0.0, 1 + alpha * f[j] * e[j]) + alpha * delta * e[j];
    }
    g = gn;
  }
  for (double& b : beta) b = std::exp(b);
  return {w, beta};
}

template <class L>
void expect_learned(const L& learner, const Learned& expected, double tolerance) {
  EXPECT_LT(max_difference(learner.weights(), expected.w), tolerance);
  for (std::size_t j = 0; j < expected.alpha.size(); ++j) {
    EXPECT_NEAR(learner.state().step_size(j), expected.alpha[j], tolerance * expected.alpha[j]) << "feature " << j;
  }
}

TEST(TIDBD, WithoutMetaStepsIsTDOfTheSameStepSize) {
  for (const auto gradient : {MetaGradient::semi, MetaGradient::ordinary}) {
    for (const auto layout : {Layout::dense, Layout::sparse}) {
      const auto experience =
          Experience{.dim = 20, .steps = 2000, .off_policy = true, .state_dependent = true, .restart_probability = 0.02}
              .as(layout);
      TIDBD tidbd(20, {.alpha = 0.02, .lambda = 0.8, .theta = 0, .gradient = gradient});
      TD td(20, {.alpha = 0.02, .lambda = 0.8});
      tidbd.learn(experience.view());
      td.learn(experience.view());
      EXPECT_LT(max_difference(tidbd.weights(), td.weights()), 1e-12);
    }
  }
}

TEST(TIDBD, EqualsTheTextbookLoops) {
  for (const auto gradient : {MetaGradient::semi, MetaGradient::ordinary}) {
    for (const double lambda : {0.0, 0.9}) {
      const auto experience = Experience{.dim = 12, .steps = 3000, .off_policy = true}.as(Layout::dense);
      const TIDBD::Params params{.alpha = 0.02, .lambda = lambda, .theta = 0.01, .gradient = gradient};
      TIDBD learner(12, params);
      learner.learn(experience.view());
      ASSERT_FALSE(learner.diverged_at());
      expect_learned(learner, textbook_tidbd(experience.view(), params), 1e-10);
    }
  }
}

TEST(TIDBD, SparseAndBinaryFeaturesGiveTheWeightsOfTheTextbookLoopsOverManySteps) {
  const Experience experience{.dim = 60, .steps = 20000, .active = 4, .binary = true, .end_probability = 0.01};
  for (const auto gradient : {MetaGradient::semi, MetaGradient::ordinary}) {
    const TIDBD::Params params{.alpha = 0.01, .lambda = 0.95, .theta = 0.01, .gradient = gradient};
    const auto expected = textbook_tidbd(experience.as(Layout::dense).view(), params);
    for (const auto layout : {Layout::dense, Layout::sparse, Layout::binary}) {
      TIDBD learner(60, params);
      learner.learn(experience.as(layout).view());
      ASSERT_FALSE(learner.diverged_at());
      expect_learned(learner, expected, 1e-10);
    }
  }
}

TEST(AutoTIDBD, EqualsTheTextbookLoops) {
  for (const double lambda : {0.0, 0.9}) {
    for (const double alpha : {0.01, 0.9}) {  // at 0.9 the bound m is at work
      const auto experience = Experience{.dim = 12, .steps = 3000, .off_policy = true}.as(Layout::dense);
      const AutoTIDBD::Params params{.alpha = alpha, .lambda = lambda, .theta = 0.02, .tau = 100};
      AutoTIDBD learner(12, params);
      learner.learn(experience.view());
      ASSERT_FALSE(learner.diverged_at());
      expect_learned(learner, textbook_auto_tidbd(experience.view(), params), 1e-10);
    }
  }
}

TEST(AutoTIDBD, SparseAndBinaryFeaturesGiveTheWeightsOfTheTextbookLoopsOverManySteps) {
  const Experience experience{.dim = 60, .steps = 20000, .active = 4, .binary = true, .end_probability = 0.01};
  for (const double alpha : {0.02, 0.9}) {
    const AutoTIDBD::Params params{.alpha = alpha, .lambda = 0.95};
    const auto expected = textbook_auto_tidbd(experience.as(Layout::dense).view(), params);
    for (const auto layout : {Layout::dense, Layout::sparse, Layout::binary}) {
      AutoTIDBD learner(60, params);
      learner.learn(experience.as(layout).view());
      ASSERT_FALSE(learner.diverged_at());
      expect_learned(learner, expected, 1e-9);
    }
  }
}

TEST(AutoTIDBD, ChangesNoStepSizeByMoreThanThetaInOneStepUpwards) {
  const auto buffer = Experience{.steps = 300}.as(Layout::sparse);
  const AutoTIDBD::Params params{.alpha = 0.01, .lambda = 0.5, .theta = 0.05};
  AutoTIDBD learner(8, params);
  for (std::size_t t = 0; t < 300; ++t) {
    std::vector<double> before;
    for (std::size_t j = 0; j < 8; ++j) before.push_back(learner.state().step_size(j));
    learner.learn(buffer.view().slice(t, 1));
    for (std::size_t j = 0; j < 8; ++j)
      EXPECT_LE(learner.state().step_size(j), before[j] * std::exp(0.05) * (1 + 1e-12));
  }
}

/// One feature predicts a reward whose sign wanders slowly; the other is noise.
BatchBuffer relevance_task(std::size_t steps) {
  BatchBuffer buffer(Layout::dense, 2);
  Rng rng(7);
  double target = 1;
  const auto add_state = [&] {
    const auto x = buffer.x().add_dense();
    x[0] = rng.uniform() < 0.5 ? -1.0 : 1.0;
    x[1] = rng.uniform() < 0.5 ? -1.0 : 1.0;
    return x[0];
  };
  double x0 = add_state();
  for (std::size_t t = 0; t < steps; ++t) {
    if (rng.uniform() < 0.01) target = -target;
    buffer.add({.reward = target * x0 + 0.5 * (rng.uniform() - 0.5), .discount = 0});
    x0 = add_state();
  }
  return buffer;
}

TEST(TIDBD, GivesARelevantFeatureALargerStepThanNoise) {
  const auto task = relevance_task(20000);
  for (const auto gradient : {MetaGradient::semi, MetaGradient::ordinary}) {
    TIDBD learner(2, {.alpha = 0.05, .theta = 0.005, .gradient = gradient});
    learner.learn(task.view());
    EXPECT_GT(learner.state().step_size(0), 3 * learner.state().step_size(1));
  }
  AutoTIDBD learner(2, {.alpha = 0.05});
  learner.learn(task.view());
  EXPECT_GT(learner.state().step_size(0), 3 * learner.state().step_size(1));
}

TEST(TIDBD, StopsWithTheWeightsItHadWhenStepSizesExplode) {
  const auto buffer = Experience{.dim = 8, .steps = 5000}.as(Layout::sparse);
  TIDBD learner(8, {.alpha = 0.1, .lambda = 0.9, .theta = 1e6});
  learner.learn(buffer.view());
  ASSERT_TRUE(learner.diverged_at());
  TIDBD shorter(8, learner.params());
  shorter.learn(buffer.view().slice(0, *learner.diverged_at()));
  EXPECT_FALSE(shorter.diverged_at());
  EXPECT_EQ(learner.weights(), shorter.weights());
  for (const double w : learner.weights()) EXPECT_TRUE(std::isfinite(w));
}

}  // namespace
}  // namespace bellwether
