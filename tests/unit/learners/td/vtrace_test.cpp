#include <bellwether/learners/td/td.h>
#include <bellwether/learners/td/vtrace.h>

#include <gtest/gtest.h>

#include "support/cut_trace.h"

namespace bellwether {
namespace {

using namespace testing;

TEST(VTrace, EqualsTheTextbookLoop) {
  expect_textbook_cut_trace<VTrace>({.alpha = 0.1, .lambda = 0.8}, 0.8,
                                    [](const RuleStep& s) { return s.l * std::min(s.rhop, 1.0); });
  expect_textbook_cut_trace<VTrace>({.alpha = 0.1, .lambda = 0.8, .clip = 1.2}, 0.8,
                                    [](const RuleStep& s) { return s.l * std::min(s.rhop, 1.2); });
}

TEST(VTrace, IsTDOnPolicy) {
  const auto experience = Experience{.state_dependent = true, .random_discount = true}.as(Layout::dense);
  VTrace vtrace(8, {.alpha = 0.1, .lambda = 0.8});
  TD td(8, {.alpha = 0.1, .lambda = 0.8});
  vtrace.learn(experience.view());
  td.learn(experience.view());
  EXPECT_EQ(vtrace.weights(), td.weights());
  EXPECT_GT(max_size(td.weights()), 0.1);
}

TEST(VTrace, IsOffPolicyTDWithoutClippingAndOnlyThen) {
  const auto experience = Experience{.steps = 500, .off_policy = true, .state_dependent = true}.as(Layout::dense);
  TD td(8, {.alpha = 0.1, .lambda = 0.8});
  td.learn(experience.view());
  for (const double clip : {infinity, 1.0}) {
    VTrace vtrace(8, {.alpha = 0.1, .lambda = 0.8, .clip = clip});
    vtrace.learn(experience.view());
    const double difference = max_difference(vtrace.weights(), td.weights());
    if (clip == infinity) EXPECT_LE(difference, 1e-12);
    else EXPECT_GT(difference, 1e-3);
  }
}

}  // namespace
}  // namespace bellwether
