#include <bellwether/learners/accelerated/atd_full.h>
#include <bellwether/learners/least_squares/lstd.h>

#include <Eigen/Core>

#include <gtest/gtest.h>

#include "support/experience.h"
#include "support/rules.h"

namespace bellwether {
namespace {

using namespace testing;

const Experience varied{.steps = 300, .non_negative = true, .off_policy = true, .restart_probability = 0.05};

TEST(ATDFull, EqualsTheTextbookLoopWithTheNormalisedInverse) {
  const auto experience = varied.as(Layout::dense);
  for (const double eta : {0.0, 0.05}) {
    Vector e = Vector::Zero(8);
    Eigen::MatrixXd P = 2 * Eigen::MatrixXd::Identity(8, 8);
    double t = 0;
    ATDFull learner(8, {.lambda = 0.8, .alpha0 = 0.7, .eta = eta, .inverse_init = 2});
    EXPECT_LE(departure(learner, experience.view(), rule_steps(experience.view(), {.lambda = 0.8}),
                        [&](const RuleStep& s, Vector& w) {
                          const double delta = s.delta(w);
                          e = s.rho * (s.g * s.l * e + s.x);
                          const Vector d = s.x - s.gn * s.xn;
                          const Vector u = P * e;
                          const Vector q = P.transpose() * d;
                          if (t == 0) P -= u * q.transpose() / (1 + d.dot(u));
                          else P = (t + 1) / t * (P - u * q.transpose() / (t + d.dot(u)));
                          t += 1;
                          w += 0.7 / t * delta * (P * e) + eta * delta * e;
                        }),
              1e-10);
  }
}

TEST(ATDFull, IsLSTDAfterEveryStepWithoutThePlainStep) {
  for (const Layout layout : {Layout::dense, Layout::sparse}) {
    const auto experience = varied.as(layout);
    for (const TraceRule rule : {TraceRule::accumulating, TraceRule::replacing, TraceRule::emphatic}) {
      ATDFull atd(8, {.lambda = 0.6, .eta = 0, .inverse_init = 5, .trace = rule});
      LSTD lstd(8, {.lambda = 0.6, .inverse_init = 5, .trace = rule, .method = InverseMethod::direct});
      for (std::size_t t = 0; t < experience.size(); ++t) {
        atd.learn(experience.view().slice(t, 1));
        lstd.learn(experience.view().slice(t, 1));
        const auto w = lstd.weights();
        ASSERT_LE(max_difference(atd.weights(), w), 1e-9 * std::max(1.0, max_size(w))) << "step " << t;
      }
      EXPECT_GT(max_size(atd.weights()), 0.1);
    }
  }
}

TEST(ATDFull, FirstStepIsAlongTheTrace) {
  // P e = p0 e / (1 + p0 d.e) and 1/(t+1) = 1.
  BatchBuffer buffer(Layout::sparse, 3);
  buffer.x().add(0, 2);
  buffer.x().add(1, -1);
  buffer.x().end_row();
  buffer.x().add(1, 4);
  buffer.x().end_row();
  buffer.add({.reward = 3, .discount = 0.5});
  ATDFull learner(3, {.alpha0 = 0.5, .eta = 0.25, .inverse_init = 10});
  learner.learn(buffer.view());
  const double de = 2 * 2 + (-1 - 0.5 * 4) * -1;
  const double step = 3 * (0.5 * 10 / (1 + 10 * de) + 0.25);
  EXPECT_LE(max_difference(learner.weights(), {2 * step, -step, 0}), 1e-14);
}

}  // namespace
}  // namespace bellwether
