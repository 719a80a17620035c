// That members equal the learners alone is tests/contract/ensembles_test.cpp; here is what must happen on the way.
#include <bellwether/learners/sharing/lanes.h>

#include <gtest/gtest.h>

#include <bellwether/learners/learners.h>
#include <bellwether/learners/sharing/ensembles.h>

#include "support/experience.h"

namespace bellwether {
namespace {

constexpr std::size_t dim = 12;

std::vector<Settings> with_alphas(const std::vector<double>& alphas) {
  std::vector<Settings> all;
  for (const double alpha : alphas) all.push_back({{"alpha", format_number(alpha)}, {"lambda", "0.8"}});
  return all;
}

TEST(Lanes, GoOnWhenOthersOfTheEightDiverge) {
  const auto members = with_alphas({0.01, 1e60, 0.02, 3, 0.03, 30, 0.04, 300});
  for (const char* learner : {"td", "true_online_td", "gtd"}) {
    for (const Layout layout : {Layout::dense, Layout::binary}) {
      const auto steps =
          testing::Experience{.dim = dim, .steps = 400, .active = 4, .binary = true, .off_policy = true}.as(layout);
      const auto together = make_ensemble(learner, dim, members);
      together->learn(steps.view());
      std::vector<double> w(dim);
      for (std::size_t m = 0; m < 8; ++m) {
        const auto alone = make_learner(learner, dim, members[m]);
        alone->learn(steps.view());
        EXPECT_EQ(together->diverged_at(m).has_value(), m % 2 == 1) << learner << " " << m;
        EXPECT_EQ(together->diverged_at(m), alone->diverged_at()) << learner << " " << m;
        together->weights(m, w);
        EXPECT_EQ(w, alone->weights()) << learner << " " << m;
      }
      EXPECT_NE(together->diverged_at(1), together->diverged_at(3));
    }
  }
}

TEST(Lanes, KeepTheWeightsOfThoseThatDivergedHoweverLongTheOthersLearn) {
  const auto steps = testing::Experience{.dim = dim, .steps = 500, .active = 4, .off_policy = true}.as(Layout::sparse);
  const auto together = make_ensemble("td", dim, with_alphas({0.001, 100}));
  together->learn(steps.view());
  ASSERT_TRUE(together->diverged_at(1));
  std::vector<double> before(dim);
  std::vector<double> after(dim);
  together->weights(1, before);
  together->learn(steps.view());
  together->weights(1, after);
  EXPECT_EQ(after, before);
  EXPECT_FALSE(together->diverged_at(0));
}

TEST(Lanes, TakeTheSecondStepSizeFromTheFirstWhereItIsLeftToUs) {
  const auto steps = testing::Experience{.dim = dim, .steps = 100, .off_policy = true}.as(Layout::dense);
  for (const char* beta : {"auto", "0.07"}) {
    auto members = with_alphas({0.01, 0.02});
    for (Settings& settings : members) settings.emplace_back("beta", beta);
    const auto together = make_ensemble("gtd2", dim, members);
    together->learn(steps.view());
    std::vector<double> w(dim);
    for (std::size_t m = 0; m < 2; ++m) {
      const auto alone = make_learner("gtd2", dim, members[m]);
      alone->learn(steps.view());
      together->weights(m, w);
      EXPECT_EQ(w, alone->weights());
    }
  }
}

TEST(Lanes, MayDifferInAlphaOnly) {
  const Settings one{{"alpha", "0.1"}, {"lambda", "0.5"}};
  EXPECT_EQ(sharing_key("td", one), sharing_key("td", {{"alpha", "0.2"}, {"lambda", "0.5"}}));
  EXPECT_NE(sharing_key("td", one), sharing_key("td", {{"alpha", "0.1"}, {"lambda", "0.6"}}));
  EXPECT_NE(sharing_key("td", one), sharing_key("etd", one));
}

}  // namespace
}  // namespace bellwether
