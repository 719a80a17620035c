#include <gtest/gtest.h>

#include <bellwether/learners/least_squares/equations/logged_equations.h>
#include <bellwether/learners/least_squares/equations/summed_equations.h>
#include <bellwether/learners/least_squares/lstd_stream.h>

#include "support/experience.h"

namespace bellwether {
namespace {

using testing::Experience;

/// Adds the steps of a batch.
template <class Equations>
void add(Equations& equations, const Batch& batch, StepWalk& walk) {
  FiniteGuard guard;
  walk.through(batch, LSTDStreamRule::Params{.lambda = 0.8}, guard, [&](const auto& s) {
    EXPECT_TRUE(equations.add(s, s.r));
    return true;
  });
}

void expect_equal(const SummedEquations& a, const SummedEquations& b) {
  const std::size_t n = a.size();
  const std::vector<double> zero(n, 0.0);
  std::vector<double> b_of_a(n);
  std::vector<double> b_of_b(n);
  a.residual(zero.data(), b_of_a.data());
  b.residual(zero.data(), b_of_b.data());
  for (std::size_t j = 0; j < n; ++j) {
    EXPECT_NEAR(b_of_a[j], b_of_b[j], 1e-11);
    EXPECT_NEAR(a.noise()[j], b.noise()[j], 1e-10);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(a.column(j)[i], b.column(j)[i], 1e-11) << i << ", " << j;
  }
}

class RecordedStepsAreSummed : public ::testing::TestWithParam<std::tuple<TraceRule, Layout>> {};

TEST_P(RecordedStepsAreSummed, LikeStepsThatWereNeverRecorded) {
  const auto [rule, layout] = GetParam();
  const Experience experience{.dim = 12,
                              .steps = 600,
                              .non_negative = rule == TraceRule::replacing,
                              .off_policy = true,
                              .state_dependent = true,
                              .restart_probability = 0.02};
  const BatchBuffer steps = experience.as(layout);
  LoggedEquations logged(12, 1 << 20, rule);
  SummedEquations whole(12, rule);
  StepWalk walk_of_logged;
  StepWalk walk_of_whole;
  add(logged, steps.view().slice(0, 350), walk_of_logged);
  add(whole, steps.view().slice(0, 350), walk_of_whole);
  SummedEquations summed(12, rule);
  summed.add(logged.recorded());
  expect_equal(summed, whole);
  add(summed, steps.view().slice(350, 250), walk_of_logged);  // the trace goes on
  add(whole, steps.view().slice(350, 250), walk_of_whole);
  expect_equal(summed, whole);
}

INSTANTIATE_TEST_SUITE_P(Traces, RecordedStepsAreSummed,
                         ::testing::Combine(::testing::Values(TraceRule::accumulating, TraceRule::replacing,
                                                              TraceRule::emphatic),
                                            ::testing::Values(Layout::dense, Layout::sparse)));

}  // namespace
}  // namespace bellwether
