// What every registered domain promises.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bellwether/core/finite_domain.h>
#include <bellwether/domains/all.h>

#include "support/dense_algebra.h"
#include "support/outside.h"
#include "support/rejection.h"
#include "support/sample.h"

namespace bellwether {
namespace {

using testing::outside;
using testing::rejection;
using testing::Sample;

class EveryDomain : public ::testing::TestWithParam<std::string> {
 protected:
  const DomainEntry& entry_ = find_entry(domains(), "domain", GetParam());
  std::unique_ptr<Domain> domain_ = entry_.make({});

  std::vector<double> start(Rng& rng) const {
    std::vector<double> state(domain_->variables().size());
    domain_->start(rng, state);
    return state;
  }
};

std::vector<std::string> domain_names() {
  std::vector<std::string> all;
  for (const auto& entry : domains()) all.push_back(entry.name);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Domains, EveryDomain, ::testing::ValuesIn(domain_names()),
                         [](const auto& suite) { return suite.param; });

TEST_P(EveryDomain, IsDocumented) {
  EXPECT_GT(std::string(entry_.doc.summary).size(), 20U);
  EXPECT_GT(std::string(entry_.doc.detail).size(), 100U);
  EXPECT_GT(std::string(entry_.doc.reference).size(), 10U);
  EXPECT_GT(std::string(entry_.doc.note).size(), 10U);
  for (const auto& param : entry_.params) EXPECT_FALSE(param.text.empty()) << param.name;
}

TEST_P(EveryDomain, IsMadeFromItsDefaultsWrittenOut) {
  Settings settings;
  for (const auto& param : entry_.params) settings.emplace_back(param.name, param.default_value);
  EXPECT_EQ(entry_.make(settings)->type(), entry_.name);
  EXPECT_EQ(domain_->type(), entry_.name);
}

TEST_P(EveryDomain, DescribesItsStates) {
  EXPECT_FALSE(domain_->variables().empty());
  for (const auto& variable : domain_->variables()) {
    EXPECT_FALSE(variable.name.empty());
    EXPECT_LE(variable.low, variable.high);
    if (variable.whole) {
      EXPECT_EQ(variable.low, std::floor(variable.low));
      EXPECT_EQ(variable.high, std::floor(variable.high));
    }
  }
}

TEST_P(EveryDomain, RepeatsATrajectoryFromItsSeed) {
  const auto trajectory = [&](std::uint64_t seed) {
    Rng rng(seed);
    auto state = start(rng);
    std::vector<double> all = state;
    for (int t = 0; t < 200; ++t) {
      const Outcome o = domain_->step(rng, state);
      if (o.discount == 0) domain_->start(rng, state);
      all.insert(all.end(), state.begin(), state.end());
      all.insert(all.end(), {o.reward, o.discount, o.rho, o.pi, static_cast<double>(o.action)});
    }
    return all;
  };
  EXPECT_EQ(trajectory(1), trajectory(1));
  EXPECT_NE(trajectory(1), trajectory(2));
}

TEST_P(EveryDomain, StaysWithinItsVariablesAndItsActions) {
  const auto& variables = domain_->variables();
  Rng rng(1);
  auto state = start(rng);
  for (int t = 0; t < 5000; ++t) {
    for (std::size_t i = 0; i < variables.size(); ++i) {
      ASSERT_GE(state[i], variables[i].low) << variables[i].name;
      ASSERT_LE(state[i], variables[i].high) << variables[i].name;
      if (variables[i].whole) {
        ASSERT_EQ(state[i], std::floor(state[i])) << variables[i].name;
      }
    }
    const Outcome o = domain_->step(rng, state);
    ASSERT_TRUE(std::isfinite(o.reward));
    ASSERT_TRUE(unit.contains(o.discount));
    ASSERT_TRUE(non_negative.contains(o.rho));
    ASSERT_TRUE(unit.contains(o.pi));
    ASSERT_EQ(o.rho == 0, o.pi == 0);
    ASSERT_GE(o.action, 0);
    ASSERT_LT(o.action, std::max<int>(1, static_cast<int>(domain_->actions().size())));
    if (o.discount == 0) domain_->start(rng, state);
  }
}

TEST_P(EveryDomain, HasFeaturesThatAreFiniteAndNoMoreActiveThanTheySay) {
  for (std::uint64_t run = 0; run < 3; ++run) {
    const auto map = domain_->features(1, run);
    Rng rng(1);
    auto state = start(rng);
    RowBuffer rows(map->layout(), map->dim());
    for (int t = 0; t < 500; ++t) {
      map->append(state, rows);
      if (domain_->step(rng, state).discount == 0) domain_->start(rng, state);
    }
    ASSERT_EQ(rows.rows(), 500U);
    EXPECT_EQ(rejection([&] { check_rows(rows.view(), "features"); }), "accepted");
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      std::size_t active = 0;
      visit(rows.view().row(i), [&](auto x) { x.for_each([&](std::size_t, double v) { active += v != 0 ? 1 : 0; }); });
      ASSERT_LE(active, map->max_active());
    }
    const auto w = domain_->initial_weights();
    EXPECT_TRUE(w.empty() || w.size() == map->dim());
  }
}

TEST_P(EveryDomain, RatiosOfTargetToBehaviourAverageOne) {
  if (const FiniteModel* model = domain_->model()) {
    std::vector<double> mean(model->states, 0.0);
    for (const auto& arc : model->arcs) mean[arc.from] += arc.probability * arc.rho;
    for (const double m : mean) EXPECT_NEAR(m, 1, 1e-15);
    return;
  }
  Rng rng(1);
  auto state = start(rng);
  Sample rho;
  for (int t = 0; t < 20000; ++t) {
    const Outcome o = domain_->step(rng, state);
    rho.add(o.rho);
    if (o.discount == 0) domain_->start(rng, state);
  }
  EXPECT_NEAR(rho.mean(), 1, 4 * rho.standard_error() + 1e-12);
}

TEST_P(EveryDomain, TrueValuesSolveTheBellmanEquation) {
  const FiniteModel* model = domain_->model();
  if (model == nullptr) GTEST_SKIP() << GetParam() << " has no table";
  const double first = domain_->variables()[0].low;
  const auto value = [&](std::size_t s) {
    const double state = first + static_cast<double>(s);
    return domain_->true_value({&state, 1}).value();
  };
  double largest = 0;
  for (std::size_t s = 0; s < model->states; ++s) largest = std::max(largest, std::abs(value(s)));
  std::vector<double> backup(model->states, 0.0);
  for (const auto& arc : model->arcs) {
    const double next = arc.discount > 0 ? arc.discount * value(arc.to) : 0.0;
    backup[arc.from] += arc.probability * arc.rho * (arc.reward + next);
  }
  for (std::size_t s = 0; s < model->states; ++s) EXPECT_NEAR(value(s), backup[s], 1e-13 * largest) << "row " << s;
}

/// How fast the second moment of rho_0 gamma_1 ... rho_t gamma_{t+1} grows: the spectral radius of the matrix of
/// probability * (rho discount)^2. From 1 on, importance-weighted returns have no finite variance.
double growth_of_variance(const FiniteModel& model) {
  const auto n = static_cast<Eigen::Index>(model.states);
  Eigen::MatrixXd moments = Eigen::MatrixXd::Zero(n, n);
  for (const auto& arc : model.arcs) {
    if (arc.discount == 0) continue;
    moments(static_cast<Eigen::Index>(arc.from), static_cast<Eigen::Index>(arc.to)) +=
        arc.probability * std::pow(arc.rho * arc.discount, 2);
  }
  return testing::eigenvalues(moments).cwiseAbs().maxCoeff();
}

TEST_P(EveryDomain, ReturnsFromStartStatesAverageTheirTrueValues) {
  if (domain_->model() != nullptr && growth_of_variance(*domain_->model()) >= 1) {
    GTEST_SKIP() << GetParam() << ": importance-weighted returns have no finite variance, so their average proves "
                 << "nothing; its values are tested by the Bellman equation alone";
  }
  const std::size_t episodes = domain_->model() != nullptr ? 5000 : 1000;  // simulators may never end, and take longer
  const std::size_t n = domain_->variables().size();
  Rng rng(1);
  std::vector<double> states;  // all at once: a domain may need as long for one value as for all
  for (std::size_t episode = 0; episode < episodes; ++episode) {
    const auto state = start(rng);
    states.insert(states.end(), state.begin(), state.end());
  }
  std::vector<double> values(episodes);
  if (!domain_->true_values(states, values)) GTEST_SKIP() << GetParam() << " does not know its true values";
  Sample difference;
  Sample value;
  for (std::size_t episode = 0; episode < episodes; ++episode) {
    const std::span<double> state(&states[episode * n], n);
    double weight = 1;
    double total = 0;
    for (int t = 0; weight > 1e-15; ++t) {
      ASSERT_LT(t, 1000000) << "an episode does not end";
      const Outcome o = domain_->step(rng, state);
      total += weight * o.rho * o.reward;
      weight *= o.rho * o.discount;
    }
    difference.add(total - values[episode]);
    value.add(values[episode]);
  }
  EXPECT_NEAR(difference.mean(), 0, 4 * difference.standard_error()) << "around a mean value of " << value.mean();
}

TEST_P(EveryDomain, WithTheTargetActingHasTheSameValuesAndNoRatios) {
  const std::unique_ptr<Domain> target = domain_->on_policy();
  const Domain& acting = target ? *target : *domain_;
  EXPECT_EQ(acting.on_policy(), nullptr);
  Rng rng(1);
  auto state = start(rng);
  std::vector<double> states;  // asked for at once: one value may cost as much as all
  constexpr std::size_t steps = 1000;
  for (std::size_t t = 0; t < steps; ++t) {
    states.insert(states.end(), state.begin(), state.end());
    const Outcome o = acting.step(rng, state);
    ASSERT_EQ(o.rho, 1);
    if (o.discount == 0) acting.start(rng, state);
  }
  std::vector<double> of_target(steps);
  std::vector<double> of_domain(steps);
  ASSERT_EQ(acting.true_values(states, of_target), domain_->true_values(states, of_domain));
  for (std::size_t t = 0; t < steps; ++t) {
    ASSERT_NEAR(of_target[t], of_domain[t], 1e-12 * (1 + std::abs(of_domain[t])));
  }
}

TEST(Domains, RejectEveryParameterOutOfItsRangeNamingTheRule) {
  for_each_type(Domains{}, []<class D>() {
    using Params = typename D::Params;
    for_each_field<Params>([](const auto& field) {
      using Member = std::remove_cvref_t<decltype(Params{}.*field.member)>;
      using T = typename detail::OptionalValue<Member>::type;
      if constexpr (std::is_same_v<T, bool> || std::is_enum_v<T>) {
        const std::string message = rejection([&] { make_domain(D::name, {{field.name, "nonsense"}}); });
        EXPECT_EQ(message.find(std::string(D::name) + ": " + field.name + " = 'nonsense' is not one of "), 0U)
            << message;
      } else {
        for (const T value : outside<T>(field.range)) {
          Params params{};
          params.*field.member = value;
          EXPECT_EQ(rejection([&] { D domain(params); }), std::string(D::name) + ": " + field.name + " = " +
                                                              detail::format(value) + " is outside " +
                                                              field.range.text());
        }
      }
    });
  });
}

TEST(Domains, AreFoundByNameAndTheNearestIsSuggested) {
  EXPECT_EQ(rejection([] { make_domain("bard"); }).find("there is no domain 'bard'; did you mean 'baird'? (known: "),
            0U);
}

}  // namespace
}  // namespace bellwether
