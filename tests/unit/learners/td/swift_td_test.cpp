#include <bellwether/learners/td/swift_td.h>

#include <utility>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>
#include <bellwether/learners/td/true_online_td.h>

#include "support/experience.h"

namespace bellwether {
namespace {

using testing::Experience;
using testing::max_difference;
using testing::max_size;

/// SwiftTD as it is published for dense features, line by line: it takes the discounted reward together with the state
/// that is observed next. The one line that is ours is marked.
class PublishedSwiftTD {
 public:
  PublishedSwiftTD(std::size_t dim, const SwiftTD::Params& params)
      : w(dim, 0.0),
        beta(dim, std::log(params.alpha)),
        params_(params),
        z_(w),
        z_delta_(w),
        delta_w_(w),
        h_(w),
        h_old_(w),
        h_tmp_(w),
        z_bar_(w),
        p_(w) {}

  void learn(const Batch& batch) {
    observe(batch.x.as<DenseView>(0));
    for (std::size_t t = 0; t < batch.size; ++t) {
      receive(batch.reward[t], batch.x_next.as<DenseView>(t), batch.discount[t]);
    }
  }

  std::vector<double> w, beta;
  std::size_t over = 0;  // features that were active when the bound was hit

 private:
  void receive(double r, DenseView xn, double gn) {
    double v = 0;
    for (std::size_t j = 0; j < xn.size; ++j) v += w[j] * xn.values[j];
    const double D = r + gn * v - v_old_;
    for (std::size_t j = 0; j < xn.size; ++j) {
      delta_w_[j] = D * z_[j] - z_delta_[j] * v_delta_;
      w[j] += delta_w_[j];
      beta[j] += params_.theta / std::exp(beta[j]) * (D - v_delta_) * p_[j];
      beta[j] = std::min(std::max(beta[j], std::log(params_.eta_min)), std::log(params_.eta));
      h_old_[j] = h_[j];
      h_[j] = h_tmp_[j] + D * z_bar_[j] - z_delta_[j] * v_delta_;
      h_tmp_[j] = h_[j];
      z_delta_[j] = 0;
      z_[j] *= gn * params_.lambda;
      p_[j] *= gn * params_.lambda;
      z_bar_[j] *= gn * params_.lambda;
    }
    v_delta_ = 0;
    for (std::size_t j = 0; j < xn.size; ++j) v_delta_ += delta_w_[j] * xn.values[j];
    v_old_ = v;
    if (gn == 0) v_old_ += std::exchange(v_delta_, 0.0);  // ours: nothing is carried over from the episode before
    observe(xn);
  }

  void observe(DenseView x) {
    double tau = 0;
    double b = 0;
    for (std::size_t j = 0; j < x.size; ++j) {
      tau += std::exp(beta[j]) * x.values[j] * x.values[j];
      b += z_[j] * x.values[j];
    }
    for (std::size_t j = 0; j < x.size; ++j) {
      const double xj = x.values[j];
      if (xj == 0) continue;
      z_delta_[j] = std::min(1.0, params_.eta / tau) * std::exp(beta[j]) * xj;
      z_[j] += z_delta_[j] * (1 - b);
      p_[j] += h_old_[j] * xj;
      z_bar_[j] += z_delta_[j] * (1 - b - z_bar_[j] * xj);
      h_tmp_[j] = h_[j] - h_old_[j] * xj * (z_[j] - z_delta_[j]) - h_[j] * z_delta_[j] * xj;
      if (tau > params_.eta) {
        ++over;
        h_[j] = h_tmp_[j] = h_old_[j] = z_bar_[j] = 0;
        beta[j] += std::log(params_.epsilon) * xj * xj;
      }
    }
  }

  SwiftTD::Params params_;
  std::vector<double> z_, z_delta_, delta_w_, h_, h_old_, h_tmp_, z_bar_, p_;
  double v_old_ = 0;
  double v_delta_ = 0;
};

TEST(SwiftTD, EqualsThePublishedDenseAlgorithm) {
  for (const double lambda : {0.0, 0.5, 0.95}) {
    for (const double eta : {0.05, 0.5, infinity}) {
      const SwiftTD::Params params{.alpha = 0.05, .lambda = lambda, .eta = eta, .theta = 0.005};
      const auto experience = Experience{.dim = 12, .steps = 3000, .random_discount = true}.as(Layout::dense);
      SwiftTD learner(12, params);
      PublishedSwiftTD published(12, params);
      learner.learn(experience.view());
      published.learn(experience.view());
      ASSERT_FALSE(learner.diverged_at());
      EXPECT_LT(max_difference(learner.weights(), published.w), 1e-10 * (1 + max_size(published.w)));
      EXPECT_GT(max_size(published.w), 1e-3);
      if (eta == 0.05) {
        EXPECT_GT(published.over, 500U);
      }
    }
  }
}

TEST(SwiftTD, SparseAndBinaryFeaturesGiveTheWeightsOfThePublishedDenseAlgorithmOverManySteps) {
  const Experience experience{.dim = 60, .steps = 20000, .active = 4, .binary = true, .end_probability = 0.01};
  for (const double lambda : {0.1, 0.95}) {
    const SwiftTD::Params params{.alpha = 0.02, .lambda = lambda, .eta = 0.075, .theta = 0.002};
    PublishedSwiftTD published(60, params);
    published.learn(experience.as(Layout::dense).view());
    EXPECT_GT(published.over, 100U);
    for (const auto layout : {Layout::dense, Layout::sparse, Layout::binary}) {
      SwiftTD learner(60, params);
      learner.learn(experience.as(layout).view());
      ASSERT_FALSE(learner.diverged_at());
      EXPECT_LT(max_difference(learner.weights(), published.w), 1e-9);
    }
  }
}

TEST(SwiftTD, EqualsThePublishedAlgorithmWhereStepSizesRestForLongOrStayAtABound) {
  const Experience experience{.dim = 300, .steps = 5000, .active = 3, .end_probability = 0};
  for (const double lambda : {0.9, 1.0}) {
    for (const double alpha : {0.001, 0.05}) {
      for (const double theta : {1e-6, 0.003}) {
        const SwiftTD::Params params{
            .alpha = alpha, .lambda = lambda, .eta = 0.05, .epsilon = 0.9999, .theta = theta, .eta_min = 9e-4};
        PublishedSwiftTD published(300, params);
        published.learn(experience.as(Layout::dense).view());
        SwiftTD learner(300, params);
        learner.learn(experience.as(Layout::sparse).view());
        ASSERT_FALSE(learner.diverged_at());
        EXPECT_LT(max_difference(learner.weights(), published.w), 1e-11 * (1 + max_size(published.w)));
        for (std::size_t j = 0; j < 300; ++j) {
          EXPECT_NEAR(std::log(learner.state().step_size(j)), published.beta[j], 1e-11);
        }
      }
    }
  }
}

TEST(SwiftTD, WithACutoffHasFewerTracesAndWeightsThatDifferInProportion) {
  const auto experience = Experience{.dim = 200, .steps = 5000, .active = 3, .end_probability = 0}.as(Layout::sparse);
  SwiftTD::Params params{.alpha = 0.02, .lambda = 0.9, .eta = 0.5};
  SwiftTD all(200, params);
  all.learn(experience.view());
  EXPECT_EQ(all.state().traced(), 200U);
  std::size_t traced = 200;
  for (const double cutoff : {1e-12, 1e-8, 1e-5, 1e-2}) {
    params.cutoff = cutoff;
    SwiftTD cut(200, params);
    cut.learn(experience.view());
    EXPECT_LT(max_difference(cut.weights(), all.weights()), 10 * cutoff * max_size(all.weights()));
    EXPECT_GT(max_difference(cut.weights(), all.weights()), 0);
    EXPECT_LT(cut.state().traced(), traced);
    traced = cut.state().traced();
  }
}

TEST(SwiftTD, WithoutMetaStepsAndBoundIsTrueOnlineTD) {
  for (const double lambda : {0.0, 0.9, 1.0}) {
    for (const auto layout : {Layout::dense, Layout::sparse}) {
      const auto experience =
          Experience{.dim = 20, .steps = 3000, .state_dependent = true, .restart_probability = 0.02}.as(layout);
      SwiftTD swift(20, {.alpha = 0.05, .lambda = lambda, .eta = infinity, .epsilon = 1, .theta = 0});
      TrueOnlineTD td(20, {.alpha = 0.05, .lambda = lambda});
      swift.learn(experience.view());
      td.learn(experience.view());
      EXPECT_LT(max_difference(swift.weights(), td.weights()), 1e-12 * (1 + max_size(td.weights())));
    }
  }
}

TEST(SwiftTD, DoesNotLookAtTheStateAfterADiscountOfZero) {
  auto buffer = Experience{.dim = 6, .steps = 400, .end_probability = 0.2}.as(Layout::dense);
  const Batch batch = buffer.view();
  std::vector<double> next(batch.x_next.values, batch.x_next.values + batch.size * 6);
  for (std::size_t t = 0; t < batch.size; ++t) {
    if (batch.discount[t] == 0) std::fill_n(next.begin() + static_cast<std::ptrdiff_t>(t * 6), 6, 0.0);
  }
  Batch other = batch;
  other.x_next.values = next.data();
  SwiftTD a(6, {});
  SwiftTD b(6, {});
  a.learn(batch);
  b.learn(other);
  EXPECT_EQ(a.weights(), b.weights());
}

TEST(SwiftTD, LearnsNothingAboutStatesBeforeADiscountOfZero) {
  // Two states, one after the other; the first transition ends the episode, so the second reward is not its concern.
  BatchBuffer buffer(Layout::binary, 2);
  for (const std::uint32_t j : {0U, 1U, 0U}) {
    buffer.x().add(j);
    buffer.x().end_row();
  }
  buffer.add({.reward = 0, .discount = 0});
  buffer.add({.reward = 1, .discount = 0});
  SwiftTD learner(2, {});
  learner.learn(buffer.view());
  EXPECT_EQ(learner.weights()[0], 0.0);
  EXPECT_GT(learner.weights()[1], 0.0);
}

TEST(SwiftTD, GivesARelevantFeatureALargerStepThanNoise) {
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
  for (int t = 0; t < 20000; ++t) {
    if (rng.uniform() < 0.01) target = -target;
    buffer.add({.reward = target * x0 + 0.5 * (rng.uniform() - 0.5), .discount = 0});
    x0 = add_state();
  }
  SwiftTD learner(2, {.alpha = 1e-3, .eta = 0.5});
  learner.learn(buffer.view());
  EXPECT_GT(learner.state().step_size(0), 3 * learner.state().step_size(1));
}

TEST(SwiftTD, KeepsStepSizesBetweenTheirBounds) {
  const auto experience = Experience{.dim = 10, .steps = 5000}.as(Layout::sparse);
  SwiftTD learner(10, {.alpha = 0.01, .lambda = 0.9, .eta = 0.05, .theta = 0.1, .eta_min = 1e-3});
  learner.learn(experience.view());
  ASSERT_FALSE(learner.diverged_at());
  for (std::size_t j = 0; j < 10; ++j) {
    EXPECT_LE(learner.state().step_size(j), 0.05 * (1 + 1e-14));
    EXPECT_GE(learner.state().step_size(j), 1e-3 * (1 - 1e-14));
  }
}

TEST(SwiftTD, TakesFeaturesOfAnySize) {
  for (const double size : {1e-6, 900.0, 1e6}) {
    BatchBuffer buffer(Layout::dense, 1);
    buffer.x().add_dense()[0] = size;
    for (int t = 0; t < 100; ++t) {
      buffer.add({.reward = 1, .discount = 0.5});
      buffer.x().add_dense()[0] = size;
    }
    SwiftTD learner(1, {});
    learner.learn(buffer.view());
    EXPECT_FALSE(learner.diverged_at()) << size;
    EXPECT_GE(learner.state().step_size(0), 1e-10 * (1 - 1e-14));
  }
}

TEST(SwiftTD, GivesTheSameWeightsHoweverStepsAreCutIntoBatches) {
  const auto experience = Experience{.dim = 30, .steps = 3000, .active = 4}.as(Layout::sparse);
  const Batch batch = experience.view();
  SwiftTD whole(30, {});
  SwiftTD pieces(30, {});
  whole.learn(batch);
  for (std::size_t t = 0; t < batch.size; t += 7)
    pieces.learn(batch.slice(t, std::min<std::size_t>(7, batch.size - t)));
  EXPECT_EQ(whole.weights(), pieces.weights());
}

TEST(SwiftTD, StopsWithTheWeightsItHadWhenItDiverges) {
  const auto buffer = Experience{.dim = 8, .steps = 5000, .discount = 1, .end_probability = 0}.as(Layout::sparse);
  SwiftTD learner(8, {.alpha = 5, .lambda = 1, .eta = infinity});
  learner.learn(buffer.view());
  ASSERT_TRUE(learner.diverged_at());
  SwiftTD shorter(8, learner.params());
  shorter.learn(buffer.view().slice(0, *learner.diverged_at()));
  EXPECT_FALSE(shorter.diverged_at());
  EXPECT_EQ(learner.weights(), shorter.weights());
  for (const double w : learner.weights()) EXPECT_TRUE(std::isfinite(w));
}

}  // namespace
}  // namespace bellwether
