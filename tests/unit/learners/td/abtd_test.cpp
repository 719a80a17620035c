#include <bellwether/learners/td/abtd.h>
#include <bellwether/learners/td/td.h>

#include <gtest/gtest.h>

#include "support/cut_trace.h"

namespace bellwether {
namespace {

using namespace testing;

TEST(ABTD, EqualsTheTextbookLoop) {
  // psi rises from 0 through psi0 at zeta = 1/2 to psi_max at zeta = 1.
  const auto expect = [](double zeta, double psi0, double psi_max, double psi) {
    expect_textbook_cut_trace<ABTD>({.alpha = 0.1, .zeta = zeta, .psi0 = psi0, .psi_max = psi_max}, 1,
                                    [psi](const RuleStep& s) {
                                      if (s.rhop == 0) return 0.0;
                                      const double nu = std::min(psi, 1 / std::max(s.pip, s.pip / s.rhop));
                                      return s.l * nu * s.pip;
                                    });
  };
  expect(0.25, 1, 2, 0.5);
  expect(0.5, 1, 2, 1);
  expect(1, 1, 2, 2);
  expect(0.75, 1.2, 4, 2.6);
}

TEST(ABTD, IsOffPolicyTDWithoutTraceWhenZetaIsZeroAndOnlyThen) {
  const auto experience = Experience{.off_policy = true}.as(Layout::dense);
  TD td(8, {.alpha = 0.1, .lambda = 0});
  td.learn(experience.view());
  for (const double zeta : {0.0, 0.5}) {
    ABTD abtd(8, {.alpha = 0.1, .zeta = zeta});
    abtd.learn(experience.view());
    const double difference = max_difference(abtd.weights(), td.weights());
    if (zeta == 0) EXPECT_LE(difference, 1e-14);
    else EXPECT_GT(difference, 1e-3);
  }
}

TEST(ABTD, KeepsTheTraceOfACertainActionAndCutsThatOfAnImpossibleOne) {
  // Two steps, tabular: the second reward reaches the first state through the trace.
  const auto first_weight = [](double rho, double pi) {
    BatchBuffer buffer(Layout::binary, 3);
    for (std::uint32_t j = 0; j < 3; ++j) {
      buffer.x().add(j);
      buffer.x().end_row();
    }
    buffer.add({.reward = 0, .discount = 1, .rho = rho, .pi = pi});
    buffer.add({.reward = 1, .discount = 0});
    ABTD learner(3, {.alpha = 1, .zeta = 1});
    learner.learn(buffer.view());
    return learner.weights()[0];
  };
  EXPECT_EQ(first_weight(1, 1), 1);
  EXPECT_EQ(first_weight(0, 0), 0);
  EXPECT_EQ(first_weight(2, 0.5), 1);         // mu = 1/4: nu = min(2, 1 / (1/2)) = 2
  EXPECT_EQ(first_weight(0.5, 0.25), 0.5);    // mu = 1/2: nu = 2
  EXPECT_EQ(first_weight(0.5, 0.125), 0.25);  // mu = 1/4: nu = min(2, 4) = 2
}

}  // namespace
}  // namespace bellwether
