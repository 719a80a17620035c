#include <bellwether/core/finite_domain.h>

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::rejection;

class Toy final : public FiniteDomain {
 public:
  explicit Toy(FiniteModel model, std::vector<std::string> actions = {})
      : FiniteDomain(std::move(model), 0, std::move(actions)) {}
  std::string_view type() const override { return "toy"; }
  Settings settings() const override { return {}; }
  std::unique_ptr<FeatureMap> features(std::uint64_t, std::uint64_t) const override { return nullptr; }
};

/// From 0 to 1 with reward 1, or out with reward 2; from 1 out with reward 3.
FiniteModel two_states() {
  return {.states = 2,
          .start = {1, 0},
          .arcs = {{.from = 0, .to = 1, .probability = 0.75, .reward = 1, .discount = 0.5},
                   {.from = 0, .to = 0, .probability = 0.25, .reward = 2, .discount = 0},
                   {.from = 1, .to = 0, .probability = 1, .reward = 3, .discount = 0}}};
}

template <class Change>
std::string rejection_of(Change change) {
  FiniteModel model = two_states();
  change(model);
  return rejection([&] { Toy toy(model); });
}

TEST(FiniteModel, SolvesTheBellmanEquation) {
  const auto v = two_states().true_values();
  EXPECT_DOUBLE_EQ(v[1], 3);
  EXPECT_DOUBLE_EQ(v[0], 0.75 * (1 + 0.5 * 3) + 0.25 * 2);
}

TEST(FiniteModel, VisitsAreThoseOfTheChainThatStartsAnew) {
  // An episode visits 0 once and 1 with probability 3/4.
  const auto d = two_states().visit_distribution();
  EXPECT_NEAR(d[0], 4.0 / 7, 1e-15);
  EXPECT_NEAR(d[1], 3.0 / 7, 1e-15);
}

TEST(FiniteModel, VisitsDoNotDependOnDiscounts) {
  FiniteModel model = two_states();
  const auto d = model.visit_distribution();
  model.arcs[0].discount = 0.01;
  EXPECT_EQ(model.visit_distribution(), d);
}

TEST(FiniteModel, VisitsOfAPeriodicChainAreItsLongRunShares) {
  const FiniteModel ring{.states = 3,
                         .start = {1, 0, 0},
                         .arcs = {{.from = 0, .to = 1, .probability = 1, .reward = 0, .discount = 0.9},
                                  {.from = 1, .to = 2, .probability = 1, .reward = 0, .discount = 0.9},
                                  {.from = 2, .to = 0, .probability = 1, .reward = 0, .discount = 0.9}}};
  for (const double d : ring.visit_distribution()) EXPECT_NEAR(d, 1.0 / 3, 1e-15);
}

TEST(FiniteModel, VisitsOfStatesThatAreLeftForGoodAreZero) {
  const FiniteModel model{.states = 2,
                          .start = {1, 0},
                          .arcs = {{.from = 0, .to = 1, .probability = 1, .reward = 0, .discount = 0.9},
                                   {.from = 1, .to = 1, .probability = 1, .reward = 0, .discount = 0.9}}};
  const auto d = model.visit_distribution();
  EXPECT_NEAR(d[0], 0, 1e-15);
  EXPECT_GE(d[0], 0);
  EXPECT_NEAR(d[1], 1, 1e-15);
}

TEST(FiniteModel, VisitsOfPartsThatAreNeverLeftAreTheChancesToEnterThem) {
  // From 0 to 1 with probability 1/4, else to the ring of 2 and 3. What the parts have is known to 1e-16 / 1e-8.
  const FiniteModel model{.states = 4,
                          .start = {1, 0, 0, 0},
                          .arcs = {{.from = 0, .to = 1, .probability = 0.25, .reward = 0, .discount = 0.9},
                                   {.from = 0, .to = 2, .probability = 0.75, .reward = 0, .discount = 0.9},
                                   {.from = 1, .to = 1, .probability = 1, .reward = 0, .discount = 0.9},
                                   {.from = 2, .to = 3, .probability = 1, .reward = 0, .discount = 0.9},
                                   {.from = 3, .to = 2, .probability = 1, .reward = 0, .discount = 0.9}}};
  const auto d = model.visit_distribution();
  const double expected[] = {0, 0.25, 0.375, 0.375};
  for (std::size_t s = 0; s < 4; ++s) EXPECT_NEAR(d[s], expected[s], 1e-7);
}

TEST(FiniteModel, VisitsOfALongWalkAreATriangle) {
  // A walk from the middle of n states until it leaves them spends a time in i that falls linearly to both ends.
  constexpr std::size_t n = 2001;
  constexpr std::size_t middle = n / 2;
  FiniteModel walk{.states = n, .start = std::vector<double>(n, 0.0), .arcs = {}};
  walk.start[middle] = 1;
  for (std::size_t s = 0; s < n; ++s) {
    walk.arcs.push_back({.from = s, .to = s - 1, .probability = 0.5, .reward = 0, .discount = s == 0 ? 0.0 : 1.0});
    walk.arcs.push_back({.from = s, .to = s + 1, .probability = 0.5, .reward = 0, .discount = s + 1 == n ? 0.0 : 1.0});
  }
  const auto d = walk.visit_distribution();
  constexpr double total = static_cast<double>((middle + 1) * (middle + 1));
  for (std::size_t s = 0; s < n; ++s) {
    const auto from_end = static_cast<double>(std::min(s, n - 1 - s) + 1);
    EXPECT_NEAR(d[s], from_end / total, 1e-10 * from_end / total);
  }
}

TEST(FiniteDomain, WithTheTargetActingTakesItsActionsOnly) {
  // Behaviour takes either action with equal chance; the target prefers the second, 3 to 1, and never the third.
  const FiniteModel model{
      .states = 1,
      .start = {1},
      .arcs = {{.from = 0, .to = 0, .probability = 0.25, .reward = 1, .discount = 0.5, .rho = 1, .pi = 0.25},
               {.from = 0, .to = 0, .probability = 0.25, .reward = 2, .discount = 0, .rho = 3, .pi = 0.75, .action = 1},
               {.from = 0, .to = 0, .probability = 0.5, .reward = 3, .discount = 0, .rho = 0, .pi = 0, .action = 2}}};
  const Toy toy(model, {"a", "b", "c"});
  const auto target = toy.on_policy();
  ASSERT_NE(target, nullptr);
  ASSERT_EQ(target->model()->arcs.size(), 2U);
  EXPECT_EQ(target->model()->arcs[0].probability, 0.25);
  EXPECT_EQ(target->model()->arcs[1].probability, 0.75);
  for (const auto& arc : target->model()->arcs) EXPECT_EQ(arc.rho, 1);
  EXPECT_EQ(target->model()->true_values(), toy.model()->true_values());
  EXPECT_EQ(target->on_policy(), nullptr);
  EXPECT_EQ(Toy(two_states()).on_policy(), nullptr);
}

TEST(FiniteDomain, AcceptsArcsInAnyOrder) {
  FiniteModel model = two_states();
  std::swap(model.arcs[0], model.arcs[2]);
  const Toy toy(model);
  const Toy sorted(two_states());
  for (const double s : {0.0, 1.0}) EXPECT_EQ(toy.true_value({&s, 1}), sorted.true_value({&s, 1}));
  Rng rng(1);
  double state = 1;
  EXPECT_EQ(toy.step(rng, {&state, 1}).reward, 3);
}

TEST(FiniteDomain, RejectsStartProbabilitiesThatAreNone) {
  EXPECT_EQ(rejection_of([](auto& m) { m.start = {1}; }), "finite model: 1 start probabilities for 2 states");
  EXPECT_EQ(rejection_of([](auto& m) {
              m.start = {0.5, 0.4};
            }),
            "finite model: the start probabilities do not sum to 1");
  EXPECT_EQ(rejection_of([](auto& m) {
              m.start = {1.5, -0.5};
            }),
            "finite model: a start probability = 1.5 is outside [0, 1]");
  EXPECT_EQ(rejection_of([](auto& m) { m.start[0] = std::nan(""); }),
            "finite model: a start probability = nan is outside [0, 1]");
  EXPECT_EQ(rejection([] { Toy toy(FiniteModel{}); }), "finite model: 0 start probabilities for 0 states");
}

TEST(FiniteDomain, RejectsArcsWhoseProbabilitiesAreNone) {
  EXPECT_EQ(rejection_of([](auto& m) { m.arcs[0].probability = 0.5; }),
            "finite model: the probabilities of state 0 sum to 0.75");
  EXPECT_EQ(rejection_of([](auto& m) { m.arcs.pop_back(); }), "finite model: the probabilities of state 1 sum to 0");
  EXPECT_EQ(rejection_of([](auto& m) {
              m.arcs[0].probability = 1.25;
              m.arcs[1].probability = -0.25;
            }),
            "finite model: an arc of state 0 has probability = 1.25, outside [0, 1]");
  EXPECT_EQ(rejection_of([](auto& m) { m.arcs[2].probability = std::nan(""); }),
            "finite model: an arc of state 1 has probability = nan, outside [0, 1]");
}

TEST(FiniteDomain, RejectsArcsThatLeadNowhere) {
  EXPECT_EQ(rejection_of([](auto& m) { m.arcs[0].to = 2; }), "finite model: an arc from 0 to 2 among 2 states");
  EXPECT_EQ(rejection_of([](auto& m) { m.arcs[2].from = 5; }), "finite model: an arc from 5 to 0 among 2 states");
  EXPECT_EQ(rejection_of([](auto& m) { m.arcs[1].to = 9; }), "accepted") << "where an episode ends, `to` is ignored";
}

TEST(FiniteDomain, RejectsDiscountsRewardsAndRatiosThatAreNone) {
  EXPECT_EQ(rejection_of([](auto& m) { m.arcs[0].discount = 1.1; }),
            "finite model: an arc of state 0 has discount = 1.1, outside [0, 1]");
  EXPECT_EQ(rejection_of([](auto& m) { m.arcs[0].discount = -0.5; }),
            "finite model: an arc of state 0 has discount = -0.5, outside [0, 1]");
  EXPECT_EQ(rejection_of([](auto& m) { m.arcs[0].reward = INFINITY; }),
            "finite model: an arc of state 0 has reward = inf, outside (-inf, inf)");
  EXPECT_EQ(rejection_of([](auto& m) { m.arcs[0].rho = -1; }),
            "finite model: an arc of state 0 has rho = -1, outside [0, inf)");
  EXPECT_EQ(rejection_of([](auto& m) { m.arcs[0].pi = 2; }),
            "finite model: an arc of state 0 has pi = 2, outside [0, 1]");
}

TEST(FiniteDomain, RejectsATargetPolicyThatDoesNotSumToOne) {
  EXPECT_EQ(rejection_of([](auto& m) { m.arcs[0].rho = 0; }),
            "finite model: under the target policy the probabilities of state 0 sum to 0.25");
}

TEST(FiniteDomain, RejectsActionsThatDoNotExist) {
  EXPECT_EQ(rejection_of([](auto& m) { m.arcs[0].action = 1; }), "finite model: an arc of state 0 has action 1 of 0");
  FiniteModel model = two_states();
  model.arcs[2].action = 2;
  EXPECT_EQ(rejection([&] { Toy toy(model, {"left", "right"}); }), "finite model: an arc of state 1 has action 2 of 2");
  model.arcs[2].action = 1;
  EXPECT_EQ(rejection([&] { Toy toy(model, {"left", "right"}); }), "accepted");
}

TEST(FiniteDomain, RejectsUndiscountedEpisodesThatNeverEnd) {
  EXPECT_EQ(
      rejection([] {
        Toy toy(
            {.states = 1, .start = {1}, .arcs = {{.from = 0, .to = 0, .probability = 1, .reward = 1, .discount = 1}}});
      }),
      "finite model: a value is not finite; undiscounted episodes must end");
}

TEST(TableFeatures, GiveTheRowOfTheStateAndCountItsNonZeros) {
  RowBuffer rows(Layout::dense, 3);
  rows.add_dense()[0] = 2;
  const auto second = rows.add_dense();
  second[1] = 3;
  second[2] = 4;
  const TableFeatures map("toy", 5, std::move(rows));
  EXPECT_EQ(map.type(), "toy");
  EXPECT_EQ(map.dim(), 3U);
  EXPECT_EQ(map.max_active(), 2U);
  RowBuffer out(map.layout(), map.dim());
  const double state = 6;
  map.append({&state, 1}, out);
  const auto x = out.view().as<DenseView>(0);
  EXPECT_EQ(std::vector<double>(x.values, x.values + x.size), (std::vector<double>{0, 3, 4}));
}

}  // namespace
}  // namespace bellwether
