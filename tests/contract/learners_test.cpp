// What every registered learner promises (core/learner.h), checked on every one of them.
#include <bellwether/learners/all.h>
#include <bellwether/learners/learners.h>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "support/allocations.h"
#include "support/experience.h"

namespace bellwether {
namespace {

using testing::Experience;
using testing::max_difference;
using testing::max_size;

class EveryLearner : public ::testing::TestWithParam<std::string> {
 protected:
  const LearnerEntry& entry() const { return find_entry(learners(), "learner", GetParam()); }

  /// The learner with those of the wanted settings that it has parameters for.
  std::unique_ptr<Learner> make(std::size_t dim, const Settings& wanted) const {
    Settings settings;
    for (const auto& setting : wanted) {
      for (const ParamInfo& p : entry().params) {
        if (p.name == setting.first) settings.push_back(setting);
      }
    }
    return make_learner(GetParam(), dim, settings);
  }
  std::unique_ptr<Learner> make(std::size_t dim) const {
    return make(dim, {{"alpha", "0.01"}, {"lambda", "0.9"}, {"zeta", "0.4"}, {"rank", "5"}});
  }

  bool has(const char* parameter) const {
    return std::any_of(entry().params.begin(), entry().params.end(),
                       [&](const ParamInfo& p) { return p.name == parameter; });
  }

  std::vector<double> learned(std::size_t dim, const Batch& batch) const {
    const auto learner = make(dim);
    learner->learn(batch);
    EXPECT_FALSE(learner->diverged_at()) << "at step " << *learner->diverged_at();
    return learner->weights();
  }
};

constexpr Experience binary_steps{.dim = 40, .steps = 3000, .active = 4, .binary = true, .off_policy = true};
constexpr Experience real_steps{.dim = 12, .steps = 500, .active = 5, .off_policy = true};

TEST_P(EveryLearner, LearnsTheSameFromDenseSparseAndBinaryFeatures) {
  const auto dense = learned(40, binary_steps.as(Layout::dense).view());
  const auto sparse = learned(40, binary_steps.as(Layout::sparse).view());
  const auto binary = learned(40, binary_steps.as(Layout::binary).view());
  EXPECT_GT(max_size(dense), 1e-3);
  EXPECT_LE(max_difference(dense, sparse), 1e-10 * max_size(dense));
  EXPECT_EQ(sparse, binary);
}

TEST_P(EveryLearner, LearnsTheSameBitsHoweverTheStepsAreCut) {
  for (const Layout layout : {Layout::dense, Layout::sparse}) {
    const auto steps = real_steps.as(layout);
    const auto pieces = make(12);
    for (std::size_t first = 0, size = 1; first < steps.size(); first += size, size = size % 7 + 1) {
      pieces->learn(steps.view().slice(first, std::min(size, steps.size() - first)));
    }
    EXPECT_EQ(pieces->weights(), learned(12, steps.view()));
    EXPECT_EQ(pieces->steps(), steps.size());
  }
}

TEST_P(EveryLearner, AllocatesNothingWhileLearning) {
  for (const Layout layout : {Layout::dense, Layout::sparse, Layout::binary}) {
    const auto steps = binary_steps.as(layout);
    const auto learner = make(40);
    const auto copy = learner->clone();
    const auto before = testing::allocations();
    learner->learn(steps.view());
    copy->learn(steps.view());
    EXPECT_EQ(testing::allocations(), before);
  }
}

TEST_P(EveryLearner, IsNotChangedByPredictingOrReadingWeights) {
  const auto steps = real_steps.as(Layout::sparse);
  const auto watched = make(12);
  std::vector<double> values(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    watched->learn(steps.view().slice(i, 1));
    watched->predict(steps.view().x, values);
    (void)watched->weights();
  }
  EXPECT_EQ(watched->weights(), learned(12, steps.view()));
}

TEST_P(EveryLearner, PredictsTheProductOfWeightsAndFeatures) {
  const auto steps = real_steps.as(Layout::sparse);
  const auto learner = make(12);
  learner->learn(steps.view());
  const auto w = learner->weights();
  for (std::size_t i = 0; i < 20; ++i) {
    double expected = 0;
    steps.view().x.as<SparseView>(i).for_each([&](std::size_t j, double v) { expected += v * w[j]; });
    EXPECT_NEAR(learner->predict(steps.view().x.row(i)), expected, 1e-12 * (1 + std::abs(expected)));
  }
}

TEST_P(EveryLearner, HasIndependentCopiesThatContinueAlike) {
  const auto steps = real_steps.as(Layout::sparse);
  const Batch first = steps.view().slice(0, 250);
  const Batch second = steps.view().slice(250, 250);
  const auto original = make(12);
  original->learn(first);
  const auto before = original->weights();
  const auto copy = original->clone();
  copy->learn(second);
  EXPECT_EQ(original->weights(), before);
  EXPECT_NE(copy->weights(), before);
  original->learn(second);
  EXPECT_EQ(original->weights(), copy->weights());
}

TEST_P(EveryLearner, ScalesItsWeightsWithTheRewards) {
  // Step-size adaptation reacts to the size of errors, so it is switched off by theta = 0.
  const Settings fixed{{"alpha", "0.01"}, {"lambda", "0.9"}, {"theta", "0"}};
  for (const Layout layout : {Layout::dense, Layout::sparse}) {
    const auto steps = real_steps.as(layout);
    Batch batch = steps.view();
    std::vector<double> larger(batch.reward, batch.reward + batch.size);
    for (double& r : larger) r *= 4;
    const auto plain = make(12, fixed);
    const auto scaled = make(12, fixed);
    plain->learn(batch);
    batch.reward = larger.data();
    scaled->learn(batch);
    auto expected = plain->weights();
    for (double& v : expected) v *= 4;
    EXPECT_LE(max_difference(scaled->weights(), expected), 1e-12 * max_size(expected));
  }
}

TEST_P(EveryLearner, PermutesItsWeightsWithTheFeatures) {
  // Random sketches are drawn feature by feature, and a tridiagonal matrix couples neighbours.
  for (const char* ordered : {"projected_lstd", "atd_sketch", "atd_tridiagonal"}) {
    if (GetParam() == ordered) return;
  }
  const auto steps = real_steps.as(Layout::sparse);
  const Batch batch = steps.view();
  const auto moved = [](std::size_t j) { return (5 * j + 3) % 12; };
  RowBuffer permuted(Layout::sparse, 12);
  for (std::size_t i = 0; i <= batch.size; ++i) {
    const auto x = i < batch.size ? batch.x.as<SparseView>(i) : batch.x_next.as<SparseView>(i - 1);
    x.for_each([&](std::size_t j, double v) { permuted.add(static_cast<std::uint32_t>(moved(j)), v); });
    permuted.end_row();
  }
  Batch other = batch;
  other.x = permuted.view().slice(0, batch.size);
  other.x_next = permuted.view().slice(1, batch.size);
  const auto w = learned(12, batch);
  const auto v = learned(12, other);
  for (std::size_t j = 0; j < 12; ++j) EXPECT_NEAR(v[moved(j)], w[j], 1e-11 * max_size(w));
}

TEST_P(EveryLearner, StartsFromGivenWeights) {
  const auto learner = make(3);
  const std::vector<double> w{1, -2, 3};
  learner->start_from(w);
  EXPECT_EQ(learner->weights(), w);
  const double x[] = {1, 1, 1};
  EXPECT_EQ(learner->predict(DenseView{x, 3}), 2);
}

TEST_P(EveryLearner, SaysWhenItDivergesAndStaysFinite) {
  // A step size of a million on features of size one makes weights grow without bound, unless the learner bounds its
  // steps.
  const bool least_squares = !has("alpha") && !has("eta");
  // The eta of atd_tridiagonal is a regulariser.
  const bool bounds_its_steps =
      GetParam() == "implicit_td" || GetParam() == "auto_tidbd" || GetParam() == "atd_tridiagonal" || least_squares;
  for (const Layout layout : {Layout::dense, Layout::sparse}) {
    const auto steps = Experience{.dim = 6, .steps = 5000, .active = 6, .off_policy = true}.as(layout);
    const auto learner = make(6, {{"alpha", "1e6"}, {"lambda", "0.5"}, {"eta", "1e300"}, {"epsilon", "1"}});
    learner->learn(steps.view());
    EXPECT_EQ(learner->steps(), 5000U);
    EXPECT_EQ(learner->diverged_at().has_value(), !bounds_its_steps);
    for (const double w : learner->weights()) EXPECT_TRUE(std::isfinite(w));
    EXPECT_TRUE(std::isfinite(learner->predict(steps.view().x.row(0))));
    if (!learner->diverged_at()) continue;
    const auto frozen = learner->weights();
    learner->learn(steps.view());
    EXPECT_EQ(learner->weights(), frozen);
    const auto shorter = make(6, {{"alpha", "1e6"}, {"lambda", "0.5"}, {"eta", "1e300"}, {"epsilon", "1"}});
    shorter->learn(steps.view().slice(0, *learner->diverged_at()));
    EXPECT_FALSE(shorter->diverged_at());
    EXPECT_EQ(shorter->weights(), frozen);
  }
}

TEST_P(EveryLearner, KeepsFiniteWeightsWhateverOneStepHolds) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto buffer = Experience{.dim = 12, .steps = 60, .active = 5, .off_policy = true}.as(Layout::sparse);
  const auto dense = Experience{.dim = 12, .steps = 60, .active = 5, .off_policy = true}.as(Layout::dense);
  const double* Batch::*const columns[] = {&Batch::reward, &Batch::discount, &Batch::rho,
                                           &Batch::pi,     &Batch::interest, &Batch::lambda};
  for (const Batch& batch : {buffer.view(), dense.view()}) {
    for (const auto column : columns) {
      for (const double strange : {nan, infinity, -infinity, 1e308, -1e308, 5e-324}) {
        for (const char* alpha : {"1e-300", "0.1", "1e20", "1e300"}) {
          std::vector<double> values(batch.*column, batch.*column + batch.size);
          values[20] = strange;
          Batch changed = batch;
          changed.*column = values.data();
          const auto learner = make(12, {{"alpha", alpha}, {"lambda", "0.9"}});
          learner->learn(changed);
          for (const double w : learner->weights()) ASSERT_TRUE(std::isfinite(w)) << strange << " alpha " << alpha;
        }
      }
    }
  }
}

TEST_P(EveryLearner, LearnsTheSameWhenRowsHaveNoFeatures) {
  // Rows 0, 3, 6, ... are empty. Large step sizes make a learner that mistreats them lose its digits.
  const auto rows_of = [](Layout layout) {
    BatchBuffer buffer(layout, 3);
    for (std::uint32_t t = 0; t <= 200; ++t) {
      std::span<double> row;
      if (layout == Layout::dense) row = buffer.x().add_dense();
      if (t % 3 != 0 && layout == Layout::dense) row[t % 7 % 3] = 1;
      if (t % 3 != 0 && layout != Layout::dense) buffer.x().add(t % 7 % 3);
      if (layout != Layout::dense) buffer.x().end_row();
      if (t < 200) buffer.add({.reward = 1.0 + t % 5, .discount = t % 40 == 39 ? 0.0 : 0.9});
    }
    return buffer;
  };
  for (const char* alpha : {"0.1", "1e8"}) {
    const auto dense = make(3, {{"alpha", alpha}, {"lambda", "0.9"}});
    const auto sparse = make(3, {{"alpha", alpha}, {"lambda", "0.9"}});
    dense->learn(rows_of(Layout::dense).view());
    sparse->learn(rows_of(Layout::sparse).view());
    EXPECT_EQ(dense->diverged_at(), sparse->diverged_at());
    if (max_size(dense->weights()) > 1e6) continue;  // on its way to divergence, and rounding with it
    EXPECT_LE(max_difference(dense->weights(), sparse->weights()), 1e-9 * max_size(dense->weights())) << alpha;
  }
}

TEST_P(EveryLearner, DoesNotLookAtWhatFollowsTheEnd) {
  const auto steps = Experience{.dim = 12, .steps = 300, .active = 5, .end_probability = 0.2}.as(Layout::dense);
  const Batch batch = steps.view();
  std::vector<double> next(batch.x_next.values, batch.x_next.values + batch.size * 12);
  for (std::size_t t = 0; t < batch.size; ++t) {
    if (batch.discount[t] == 0) std::fill_n(next.begin() + static_cast<std::ptrdiff_t>(12 * t), 12, std::nan(""));
  }
  Batch other = batch;
  other.x_next.values = next.data();
  EXPECT_EQ(learned(12, other), learned(12, batch));
}

TEST_P(EveryLearner, RejectsStartingWeightsThatAreNotFinite) {
  const std::vector<double> w{1, std::nan(""), 3};
  EXPECT_THROW(make(3)->start_from(w), InvalidArgument);
}

TEST_P(EveryLearner, TakesARewardThatIsNotANumberAsDivergence) {
  const auto steps = real_steps.as(Layout::sparse);
  Batch batch = steps.view();
  std::vector<double> reward(batch.reward, batch.reward + batch.size);
  reward[100] = std::numeric_limits<double>::quiet_NaN();
  batch.reward = reward.data();
  const auto learner = make(12);
  learner->learn(batch);
  EXPECT_EQ(learner->diverged_at(), 100U);
  for (const double w : learner->weights()) EXPECT_TRUE(std::isfinite(w));
}

TEST_P(EveryLearner, SurvivesALongStretchOfZeroAndOfLargeRatios) {
  auto steps = Experience{.dim = 6, .steps = 4000, .active = 2, .end_probability = 0};
  const auto buffer = steps.as(Layout::sparse);
  Batch batch = buffer.view();
  std::vector<double> rho(batch.size, 0.0);
  for (std::size_t i = 1000; i < 3000; ++i) rho[i] = 7;
  batch.rho = rho.data();
  const auto learner = make(6);
  learner->learn(batch);
  for (const double w : learner->weights()) EXPECT_TRUE(std::isfinite(w));
}

TEST_P(EveryLearner, RejectsABatchOfAnotherDimension) {
  const auto steps = real_steps.as(Layout::sparse);
  EXPECT_THROW(make(11)->learn(steps.view()), InvalidArgument);
}

TEST_P(EveryLearner, IsDocumented) {
  EXPECT_GT(std::string(entry().doc.summary).size(), 20U);
  EXPECT_NE(std::string(entry().doc.detail).find('='), std::string::npos);
  EXPECT_GT(std::string(entry().doc.reference).size(), 20U);
  for (const ParamInfo& p : entry().params) EXPECT_FALSE(p.text.empty()) << p.name;
}

std::vector<std::string> all_names() {
  std::vector<std::string> all;
  for (const LearnerEntry& entry : learners()) all.push_back(entry.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryLearner, ::testing::ValuesIn(all_names()),
                         [](const auto& tested) { return tested.param; });

/// Checks that `owner` rejects `text` for the parameter and names the rule.
void expect_rejected(const std::string& owner, const char* name, const std::string& text, const std::string& rule) {
  try {
    make_learner(owner, 3, {{name, text}});
    ADD_FAILURE() << owner << " accepts " << name << " = " << text;
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find(owner + ": " + name), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(rule), std::string::npos) << error.what();
  }
}

TEST(LearnerParameters, AreRejectedOutsideTheirRangesWithTheRule) {
  std::size_t checked = 0;
  for_each_type(Learners{}, [&]<class L>() {
    for_each_field<typename L::Params>([&](const auto& field) {
      using T = std::remove_cvref_t<decltype(std::declval<typename L::Params>().*field.member)>;
      using Value = typename detail::OptionalValue<T>::type;
      if constexpr (std::is_floating_point_v<Value>) {
        const Range range = field.range;
        ++checked;
        expect_rejected(L::name, field.name, format_number(range.low - 1), range.text());
        if (range.low_open) expect_rejected(L::name, field.name, format_number(range.low), range.text());
        if (std::isfinite(range.high))
          expect_rejected(L::name, field.name, format_number(range.high + 1), range.text());
        if (range.high_open) expect_rejected(L::name, field.name, format_number(range.high), range.text());
        expect_rejected(L::name, field.name, "fast", "not a number");
      } else if constexpr (std::is_enum_v<Value>) {
        ++checked;
        expect_rejected(L::name, field.name, "nonsense", "is not one of");
      }
    });
  });
  EXPECT_GE(checked, 2 * Learners::size);
}

TEST(LearnerNames, SuggestTheNearestWhenUnknown) {
  try {
    make_learner("true_onlin_td", 3);
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'true_online_td'"), std::string::npos) << error.what();
  }
}

TEST(LearnerNames, AreUnique) {
  auto names = all_names();
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

}  // namespace
}  // namespace bellwether
