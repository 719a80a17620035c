#include <bellwether/learners/least_squares/lstd.h>

#include <Eigen/Core>

#include <gtest/gtest.h>

#include <bellwether/domains/boyan_chain.h>
#include <bellwether/domains/collision.h>
#include <bellwether/experiment/comparison.h>
#include <bellwether/experiment/stream.h>
#include <bellwether/learners/least_squares/lstd_krylov.h>
#include <bellwether/metrics/exact.h>

#include "support/allocations.h"
#include "support/dense_algebra.h"
#include "support/experience.h"
#include "support/rules.h"
#include "support/sample.h"
#include "support/textbook_trace.h"

namespace bellwether {
namespace {

using namespace testing;
using Eigen::MatrixXd;

constexpr InverseMethod methods[] = {InverseMethod::sherman_morrison, InverseMethod::direct};

const Experience varied{
    .steps = 300, .non_negative = true, .off_policy = true, .state_dependent = true, .restart_probability = 0.05};

TEST(LSTD, SolvesItsEquationsAfterEveryStep) {
  const auto dense = varied.as(Layout::dense);
  const auto sparse = varied.as(Layout::sparse);
  const auto steps = rule_steps(dense.view(), {.lambda = 0.8});
  for (const TraceRule rule : trace_rules) {
    for (const InverseMethod method : methods) {
      for (const Batch& batch : {dense.view(), sparse.view()}) {
        TextbookTrace trace(rule, 8);
        MatrixXd S = MatrixXd::Identity(8, 8) / 10;
        Vector s = Vector::Zero(8);
        LSTD learner(8, {.lambda = 0.8, .inverse_init = 10, .trace = rule, .method = method});
        EXPECT_LE(departure(learner, batch, steps,
                            [&](const RuleStep& step, Vector& w) {
                              const Vector& e = trace.next(step);
                              S += e * (step.x - step.gn * step.xn).transpose();
                              s += step.r * e;
                              w = solve(S, s);
                            }),
                  1e-9);
        EXPECT_TRUE(learner.findings().empty());
      }
    }
  }
}

TEST(LSTD, MinimisesItsDampedErrorsAfterEveryStep) {
  const auto dense = varied.as(Layout::dense);
  const auto sparse = varied.as(Layout::sparse);
  const auto steps = rule_steps(dense.view(), {.lambda = 0.8});
  const double damping = 0.02;
  for (const TraceRule rule : trace_rules) {
    for (const Batch& batch : {dense.view(), sparse.view()}) {
      TextbookTrace trace(rule, 8);
      MatrixXd S = MatrixXd::Zero(8, 8);
      Vector s = Vector::Zero(8);
      Vector N = Vector::Zero(8);
      double squares = 0;
      double count = 0;
      LSTD learner(8, {.lambda = 0.8, .damping = damping, .trace = rule});
      EXPECT_LE(departure(learner, batch, steps,
                          [&](const RuleStep& step, Vector& w) {
                            const Vector& e = trace.next(step);
                            S += e * (step.x - step.gn * step.xn).transpose();
                            s += step.r * e;
                            N += e.cwiseAbs2();
                            squares += step.x.squaredNorm();
                            count += 1;
                            // Equations of zeros have no weight.
                            const Vector c = (N.array() > 0).select(N.cwiseMax(1e-300).cwiseInverse(), 0.0);
                            MatrixXd A = S.transpose() * c.asDiagonal() * S;
                            A.diagonal().array() += damping * squares / count;
                            w = solve(A, S.transpose() * c.cwiseProduct(s));
                          }),
                1e-9);
    }
  }
}

TEST(LSTD, IsDampedAsLSTDKrylovIs) {
  const auto steps = Experience{.dim = 40, .steps = 500, .active = 5}.as(Layout::sparse);
  std::vector<double> start(40);
  for (std::size_t j = 0; j < 40; ++j) start[j] = 0.1 * static_cast<double>(j);
  LSTD summed(40, {.lambda = 0.9, .damping = 0.01});
  LSTDKrylov stored(40, {.lambda = 0.9, .damping = 0.01});
  summed.start_from(start);
  stored.start_from(start);
  summed.learn(steps.view());
  stored.learn(steps.view());
  EXPECT_LE(max_difference(summed.weights(), stored.weights()), 1e-7);
}

TEST(LSTD, EqualsTheRecursionWithoutSums) {
  const auto experience = varied.as(Layout::dense);
  TextbookTrace trace(TraceRule::accumulating, 8);
  MatrixXd P = 10 * MatrixXd::Identity(8, 8);
  LSTD learner(8, {.lambda = 0.8, .inverse_init = 10});
  EXPECT_LE(departure(learner, experience.view(), rule_steps(experience.view(), {.lambda = 0.8}),
                      [&](const RuleStep& s, Vector& w) {
                        const Vector& e = trace.next(s);
                        const Vector d = s.x - s.gn * s.xn;
                        const Vector u = P * e;
                        const double c = 1 + d.dot(u);
                        w += s.delta(w) / c * u;
                        P -= (u * (d.transpose() * P) / c).eval();
                      }),
            1e-10);
}

TEST(LSTD, SolvesItsEquationsWhenFeaturesAppearOneAfterAnotherAndSomeNever) {
  // 60 steps see few of the features, 400 see most of them.
  const std::size_t dim = 300;
  const auto steps = Experience{.dim = dim, .steps = 400, .active = 5, .binary = true}.as(Layout::binary);
  LSTD recursion(dim, {.lambda = 0.7, .inverse_init = 0.5});
  LSTD direct(dim, {.lambda = 0.7, .inverse_init = 0.5, .method = InverseMethod::direct});
  std::vector<double> start(dim);
  for (std::size_t j = 0; j < dim; ++j) start[j] = 0.01 * static_cast<double>(j);
  recursion.start_from(start);
  direct.start_from(start);
  for (std::size_t t = 0; t < 400; t += 20) {
    recursion.learn(steps.view().slice(t, 20));
    direct.learn(steps.view().slice(t, 20));
    ASSERT_LE(max_difference(recursion.weights(), direct.weights()), 1e-11) << t;
  }
}

TEST(LSTD, LearnsTheCorrectionToTheWeightsItStartsFrom) {
  const auto experience = varied.as(Layout::sparse);
  const std::vector<double> start{1, -2, 3, -4, 5, -6, 7, -8};
  Batch batch = experience.view();
  const auto dense = varied.as(Layout::dense);
  std::vector<double> rest(batch.reward, batch.reward + batch.size);
  const auto steps = rule_steps(dense.view(), {});
  const Eigen::Map<const Vector> w0(start.data(), 8);
  for (std::size_t t = 0; t < batch.size; ++t) rest[t] -= (steps[t].x - steps[t].gn * steps[t].xn).dot(w0);
  for (const InverseMethod method : methods) {
    LSTD learner(8, {.lambda = 0.5, .inverse_init = 0.1, .method = method});
    LSTD correction(8, {.lambda = 0.5, .inverse_init = 0.1, .method = method});
    learner.start_from(start);
    learner.learn(experience.view());
    batch.reward = rest.data();
    correction.learn(batch);
    auto expected = correction.weights();
    for (std::size_t j = 0; j < 8; ++j) expected[j] += start[j];
    EXPECT_LE(max_difference(learner.weights(), expected), 1e-10);
  }
}

TEST(LSTD, IsMonteCarloLeastSquaresWhenLambdaIsOne) {
  // Whole episodes, constant discount: sum e d^T = sum x x^T and sum e r = sum x G.
  const auto experience = Experience{.steps = 300, .end_probability = 0.1}.as(Layout::dense);
  const auto steps = rule_steps(experience.view(), {.lambda = 1});
  std::size_t n = steps.size();
  while (steps[n - 1].gn != 0) --n;
  MatrixXd X = MatrixXd::Identity(8, 8) / 5;
  Vector xG = Vector::Zero(8);
  double G = 0;
  for (std::size_t t = n; t-- > 0;) {
    G = steps[t].r + steps[t].gn * G;
    X += steps[t].x * steps[t].x.transpose();
    xG += G * steps[t].x;
  }
  const Vector w = solve(X, xG);
  for (const InverseMethod method : methods) {
    LSTD learner(8, {.lambda = 1, .inverse_init = 5, .method = method});
    learner.learn(experience.view().slice(0, n));
    EXPECT_LE(max_difference(learner.weights(), {w.begin(), w.end()}), 1e-11);
  }
}

/// How far the mean of the learned weights over runs is from the truth, in standard errors; the largest over weights.
double standard_errors(const Domain& domain, const LSTD::Params& params, std::size_t steps, const Vector& truth) {
  std::vector<Sample> samples(static_cast<std::size_t>(truth.size()));
  for (std::uint64_t run = 0; run < 16; ++run) {
    Stream stream(domain, domain.features(), 7, run);
    LSTD learner(stream.dim(), params);
    learner.learn(stream.next(steps));
    EXPECT_FALSE(learner.diverged_at());
    const auto w = learner.weights();
    for (std::size_t j = 0; j < w.size(); ++j) samples[j].add(w[j]);
  }
  double most = 0;
  for (Eigen::Index j = 0; j < truth.size(); ++j) {
    const Sample& sample = samples[static_cast<std::size_t>(j)];
    most = std::max(most, std::abs(sample.mean() - truth[j]) / sample.standard_error());
  }
  return most;
}

TEST(LSTD, FindsTheValuesOfBoyansChainWhateverLambda) {
  const BoyanChain chain({});
  for (const double lambda : {0.0, 0.5, 1.0}) {
    for (const TraceRule rule : {TraceRule::accumulating, TraceRule::emphatic}) {
      EXPECT_LT(standard_errors(chain, {.lambda = lambda, .inverse_init = 1e4, .trace = rule}, 10000,
                                Eigen::Vector4d(-24, -16, -8, 0)),
                4.5)
          << "lambda " << lambda;
    }
  }
}

TEST(LSTD, FindsTheSolutionOfItsWeightingOffPolicyOnCollision) {
  const Collision collision({});
  const Exact exact(collision, *collision.features());
  const Vector behaviour = exact.system(0, Weighting::behaviour).solution();
  const Vector emphatic = exact.system(0, Weighting::emphatic).solution();
  EXPECT_GT((behaviour - emphatic).cwiseAbs().maxCoeff(), 0.02) << "the test shows nothing if both are the same";
  const LSTD::Params plain{.inverse_init = 1e4};
  const LSTD::Params weighted{.inverse_init = 1e4, .trace = TraceRule::emphatic};
  EXPECT_LT(standard_errors(collision, plain, 20000, behaviour), 4.5);
  EXPECT_LT(standard_errors(collision, weighted, 20000, emphatic), 4.5);
  EXPECT_GT(standard_errors(collision, plain, 20000, emphatic), 10);
  EXPECT_GT(standard_errors(collision, weighted, 20000, behaviour), 10);
}

TEST(LSTD, ErrorsOnBoyansChainAreThoseOfAnIndependentImplementation) {
  // Relative errors after 100 and 1000 steps and averaged over the curve, from 60 runs of a separate program.
  struct Reference {
    const char* inverse_init;
    double at_100, at_1000, average;
  };
  for (const Reference& reference : {Reference{"1", .084, .014, .050}, Reference{"100", .040, .012, .040}}) {
    Study study;
    study.cases = {{.domain = "boyan_chain"}};
    study.metrics = {Metric::relative};
    study.run = {.every = 1, .seeds = 60};
    study.add("lstd", {{"inverse_init", reference.inverse_init}});
    const Curve curve = compare(PreparedStudy(study)).front().curves[0];
    const auto expect_near = [](const Estimate& estimate, double value) {
      // Both are means over 60 runs, with a half width of two standard errors; the reference is rounded to .001.
      EXPECT_NEAR(estimate.mean, value, 2 * std::sqrt(2.0) * estimate.half_width + .0005);
    };
    expect_near(curve.at[100], reference.at_100);
    expect_near(curve.last, reference.at_1000);
    expect_near(curve.average, reference.average);
  }
}

TEST(LSTD, DirectKeepsTheContractOfLearners) {
  const auto steps = Experience{.steps = 200, .off_policy = true}.as(Layout::sparse);
  LSTD learner(8, {.lambda = 0.9, .method = InverseMethod::direct});
  const auto copy = learner.clone();
  const auto before = allocations();
  learner.learn(steps.view());
  copy->learn(steps.view());
  EXPECT_EQ(allocations(), before);
  EXPECT_EQ(learner.weights(), copy->weights());
  const auto w = learner.weights();
  std::vector<double> values(steps.size());
  learner.predict(steps.view().x, values);
  EXPECT_EQ(values[3], learner.predict(steps.view().x.row(3)));
  EXPECT_EQ(learner.weights(), w);
  for (const double strange : {std::nan(""), infinity, 1e308}) {
    Batch batch = steps.view().slice(0, 1);
    batch.reward = &strange;
    LSTD other(8, {.method = InverseMethod::direct});
    other.learn(batch);
    EXPECT_EQ(other.diverged_at(), 0U);
    EXPECT_EQ(max_size(other.weights()), 0);
  }
}

/// n steps that cycle through states with the given features.
BatchBuffer alternating(const std::vector<std::vector<double>>& states, std::size_t n, const Step& step) {
  BatchBuffer buffer(Layout::dense, states[0].size());
  for (std::size_t t = 0; t <= n; ++t) {
    const auto& x = states[t % states.size()];
    std::copy(x.begin(), x.end(), buffer.x().add_dense().begin());
    if (t < n) buffer.add(step);
  }
  return buffer;
}

TEST(LSTD, LeavesOutAStepThatMakesTheMatrixSingularAndReportsIt) {
  // x = 1, x' = 2, discount 1: d = -1, so I/p0 + e d^T = 0 with p0 = 1.
  const auto buffer = alternating({{1}, {2}}, 1, {.reward = 1, .discount = 1});
  LSTD learner(1, {});
  learner.learn(buffer.view());
  EXPECT_EQ(learner.weights()[0], 0);
  EXPECT_EQ(learner.findings(), (Settings{{"singular_steps_left_out", "1"}}));
  LSTD direct(1, {.method = InverseMethod::direct});
  direct.learn(buffer.view());
  EXPECT_EQ(direct.weights()[0], 0);
}

TEST(LSTD, StaysFiniteOnDegenerateInput) {
  struct Case {
    const char* what;
    std::vector<std::vector<double>> states;
    Step step;
  };
  const Case cases[] = {
      {"zero features", {{0, 0}, {0, 0}}, {.reward = 1, .discount = 0.9}},
      {"a zero first state", {{0, 0}, {1, 0}, {0, 1}}, {.reward = 1, .discount = 0.9}},
      {"one feature", {{1}, {1}}, {.reward = 1, .discount = 0.9}},
      {"constant features", {{1, 2}, {1, 2}}, {.reward = 1, .discount = 0.9}},
      {"the same, undiscounted", {{1, 2}, {1, 2}}, {.reward = 1, .discount = 1}},
      {"duplicate features", {{1, 1}, {2, 2}}, {.reward = 1, .discount = 0.9}},
      {"a ratio of zero", {{1, 0}, {0, 1}}, {.reward = 1, .discount = 0.9, .rho = 0}},
      {"large rewards", {{1, 0}, {0, 1}}, {.reward = 1e12, .discount = 0.9}},
      {"small features", {{1e-12, 0}, {0, 1e-12}}, {.reward = 1, .discount = 0.9}},
      {"large features", {{1e12, 0}, {0, 1e12}}, {.reward = 1, .discount = 0.9}},
  };
  for (const Case& c : cases) {
    for (const InverseMethod method : methods) {
      for (const TraceRule rule : trace_rules) {
        const auto buffer = alternating(c.states, 500, c.step);
        LSTD learner(c.states[0].size(), {.lambda = 0.9, .trace = rule, .method = method});
        learner.learn(buffer.view());
        EXPECT_FALSE(learner.diverged_at()) << c.what;
        for (const double w : learner.weights()) EXPECT_TRUE(std::isfinite(w)) << c.what;
      }
    }
  }
}

TEST(LSTD, FindsTheValueOfAConstantState) {
  // v = 1 / (1 - 0.9), spread over duplicate features; 1/p0 hardly matters after 500 steps.
  const auto buffer = alternating({{1, 1}}, 500, {.reward = 1, .discount = 0.9});
  LSTD learner(2, {.inverse_init = 1e6});
  learner.learn(buffer.view());
  const double x[] = {1, 1};
  EXPECT_NEAR(learner.predict(DenseView{x, 2}), 10, 1e-5);
}

}  // namespace
}  // namespace bellwether
