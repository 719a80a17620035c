// What every registered feature map promises.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>
#include <bellwether/features/all.h>
#include <bellwether/features/support/concatenation.h>

#include "support/allocations.h"
#include "support/outside.h"
#include "support/rejection.h"
#include "support/rows.h"

namespace bellwether {
namespace {

using testing::allocations;
using testing::features_of;
using testing::outside;
using testing::rejection;

/// Whole, so that every map can be made of them; one wraps.
const FeatureContext& context() {
  static const FeatureContext all({{.name = "x", .low = 0, .high = 6, .whole = true},
                                   {.name = "angle", .low = -4, .high = 4, .whole = true, .wraps = true},
                                   {.name = "phase", .low = 0, .high = 0, .hidden = true}},
                                  /*the_seed=*/7, /*the_run=*/3);
  return all;
}

/// States inside, at the edges of, and far beyond the ranges, and one that is none; with a hidden variable.
std::vector<std::vector<double>> states() {
  constexpr double huge = std::numeric_limits<double>::max();
  const double nan = std::nan("");
  std::vector<std::vector<double>> all{
      {0, -4, 0},       {6, 4, 0},        {3, 0, 0},           {-1, 5, 0},
      {1e10, -1e10, 0}, {huge, -huge, 0}, {-huge, huge, huge}, {infinity, -infinity, 0},
      {nan, 1, nan},    {2, nan, 0},      {-0.0, 4 - 1e-15, 0}};
  Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    all.push_back({static_cast<double>(rng.below(7)), static_cast<double>(rng.below(9)) - 4, 1.0 * i});
    all.push_back({7 * rng.uniform() - 0.5, 9 * rng.uniform() - 4.5, 0});
  }
  return all;
}

class EveryFeatureMap : public ::testing::TestWithParam<std::string> {
 protected:
  const FeatureMapEntry& entry_ = find_entry(feature_maps(), "feature map", GetParam());
  std::unique_ptr<FeatureMap> map_ = entry_.make({}, context());
};

std::vector<std::string> feature_map_names() {
  std::vector<std::string> all;
  for (const auto& entry : feature_maps()) all.push_back(entry.name);
  return all;
}
INSTANTIATE_TEST_SUITE_P(FeatureMaps, EveryFeatureMap, ::testing::ValuesIn(feature_map_names()),
                         [](const auto& suite) { return suite.param; });

TEST_P(EveryFeatureMap, IsDocumented) {
  EXPECT_GT(std::string(entry_.doc.summary).size(), 20U);
  EXPECT_GT(std::string(entry_.doc.detail).size(), 100U);
  EXPECT_GT(std::string(entry_.doc.reference).size(), 10U);
  EXPECT_GT(std::string(entry_.doc.note).size(), 10U);
  for (const auto& param : entry_.params) EXPECT_FALSE(param.text.empty()) << param.name;
}

TEST_P(EveryFeatureMap, IsMadeFromItsDefaultsWrittenOut) {
  Settings settings;
  for (const auto& param : entry_.params) settings.emplace_back(param.name, param.default_value);
  const auto written = entry_.make(settings, context());
  EXPECT_EQ(written->type(), entry_.name);
  EXPECT_EQ(map_->type(), entry_.name);
  for (const auto& state : states()) EXPECT_EQ(features_of(*written, state), features_of(*map_, state));
}

TEST_P(EveryFeatureMap, GivesValidRowsWhateverTheState) {
  RowBuffer rows(map_->layout(), map_->dim());
  for (const auto& state : states()) map_->append(state, rows);
  ASSERT_EQ(rows.rows(), states().size());
  EXPECT_EQ(rejection([&] { check_rows(rows.view(), "features"); }), "accepted");
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    std::size_t active = 0;
    visit(rows.view().row(i), [&](auto x) { x.for_each([&](std::size_t, double v) { active += v != 0 ? 1 : 0; }); });
    ASSERT_LE(active, map_->max_active());
  }
  EXPECT_LE(map_->max_active(), map_->dim());
}

TEST_P(EveryFeatureMap, IsAFunctionOfStateAndMomentAndTakesValuesBeyondARangeAsItsEndOrAsAnyOther) {
  for (const auto& state : states()) {
    const Moment moment{3, 1};
    EXPECT_EQ(features_of(*map_, state, moment), features_of(*map_, state, moment));
  }
  const std::vector<double> end{6, 0, 0};
  const std::vector<double> beyond{1e9, 0, 0};
  const bool separate = GetParam() == "categorical" || GetParam() == "cross";  // these know no order of values
  EXPECT_EQ(features_of(*map_, end) == features_of(*map_, beyond), !separate);
  const std::vector<double> other = separate ? std::vector<double>{-1e9, 0, 0} : end;
  EXPECT_EQ(features_of(*map_, other), features_of(*map_, beyond));
}

TEST_P(EveryFeatureMap, WritesTheSameFeaturesAsPartOfARowOfAnyLayout) {
  for (const Layout layout : {Layout::dense, Layout::sparse, Layout::binary}) {
    if (layout == Layout::binary && map_->layout() != Layout::binary) continue;
    RowBuffer rows(layout, map_->dim() + 5);
    for (const auto& state : states()) {
      rows.clear();
      rows.add(1);
      rows.begin_part(3);
      map_->write(state, {}, rows);
      rows.begin_part(3 + map_->dim());
      rows.add(1);
      rows.end_row();
      std::vector<double> expected{0, 1, 0};
      const auto alone = features_of(*map_, state);
      expected.insert(expected.end(), alone.begin(), alone.end());
      expected.insert(expected.end(), {0, 1});
      std::vector<double> x(rows.dim(), 0.0);
      visit(rows.view().row(0), [&](auto view) { view.for_each([&](std::size_t j, double v) { x.at(j) += v; }); });
      ASSERT_EQ(x, expected);
    }
  }
}

TEST_P(EveryFeatureMap, StandsBesideItselfAndOthers) {
  const auto both = make_features(GetParam() + " + bias + fourier(order=1) + " + GetParam(), context());
  const auto bias_and_waves = make_features("bias + fourier(order=1)", context());
  for (const auto& state : states()) {
    const auto alone = features_of(*map_, state);
    const auto between = features_of(*bias_and_waves, state);
    std::vector<double> expected = alone;
    expected.insert(expected.end(), between.begin(), between.end());
    expected.insert(expected.end(), alone.begin(), alone.end());
    ASSERT_EQ(features_of(*both, state), expected);
  }
}

TEST_P(EveryFeatureMap, DoesNotAllocateOnceTheBufferHasItsSize) {
  const auto all = states();
  for (const Layout layout : {map_->layout(), Layout::sparse, Layout::dense}) {
    RowBuffer rows(layout, map_->dim());
    const auto fill = [&] {
      rows.clear();
      for (const auto& state : all) map_->append(state, rows);
    };
    fill();
    const std::uint64_t before = allocations();
    fill();
    EXPECT_EQ(allocations(), before);
  }
}

TEST_P(EveryFeatureMap, WorksOrSaysWhatItLacksWithoutVariablesAndWithOneThatNeverChanges) {
  for (const FeatureContext& poor :
       {FeatureContext({}), FeatureContext({{.name = "x", .low = 2, .high = 2, .whole = true}})}) {
    const std::string message = rejection([&] {
      const auto map = entry_.make({}, poor);
      const double state = 2;
      features_of(*map, {&state, 1});
    });
    EXPECT_TRUE(message == "accepted" || message.find(GetParam() + ": ") == 0) << message;
  }
}

TEST(FeatureMaps, RejectEveryParameterOutOfItsRangeNamingTheRule) {
  for_each_type(FeatureMaps{}, []<class M>() {
    using Params = typename M::Params;
    for_each_field<Params>([](const auto& field) {
      using Member = std::remove_cvref_t<decltype(Params{}.*field.member)>;
      using T = typename detail::OptionalValue<Member>::type;
      if constexpr (std::is_same_v<T, bool> || std::is_enum_v<T> || std::is_same_v<T, std::string>) {
        const std::string message = rejection([&] { make_features(M::name, context(), {{field.name, "non sense"}}); });
        EXPECT_EQ(message.find(std::string(M::name) + ": " + field.name), 0U) << message;
        EXPECT_NE(message.find("'non sense'"), std::string::npos) << message;
      } else {
        for (const T value : outside<T>(field.range)) {
          Params params{};
          params.*field.member = value;
          EXPECT_EQ(rejection([&] { M map(context(), params); }), std::string(M::name) + ": " + field.name + " = " +
                                                                      detail::format(value) + " is outside " +
                                                                      field.range.text());
        }
      }
    });
  });
}

TEST(FeatureMaps, AreFoundByNameAndTheNearestIsSuggested) {
  EXPECT_EQ(rejection([] {
              make_features("tile_codin", context());
            }).find("there is no feature map 'tile_codin'; did you mean 'tile_coding'? (known: "),
            0U);
}

}  // namespace
}  // namespace bellwether
