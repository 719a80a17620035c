#include <bellwether/learners/td/tree_backup.h>

#include <gtest/gtest.h>

#include "support/cut_trace.h"

namespace bellwether {
namespace {

using namespace testing;

TEST(TreeBackup, EqualsTheTextbookLoop) {
  expect_textbook_cut_trace<TreeBackup>({.alpha = 0.1, .lambda = 0.9}, 0.9,
                                        [](const RuleStep& s) { return s.l * s.pip; });
}

TEST(TreeBackup, DecaysItsTraceWithTheProbabilityOfThePreviousAction) {
  // Two steps, tabular; the second reward reaches the first state through the trace gamma lambda pi_0 = 0.5 * 1 * 0.25.
  BatchBuffer buffer(Layout::binary, 3);
  for (std::uint32_t j = 0; j < 3; ++j) {
    buffer.x().add(j);
    buffer.x().end_row();
  }
  buffer.add({.reward = 0, .discount = 0.5, .rho = 0.5, .pi = 0.25});
  buffer.add({.reward = 1, .discount = 0, .rho = 2, .pi = 0.75});
  TreeBackup learner(3, {.alpha = 0.5, .lambda = 1});
  learner.learn(buffer.view());
  EXPECT_EQ(learner.weights(), (std::vector<double>{0.125, 1, 0}));
}

}  // namespace
}  // namespace bellwether
