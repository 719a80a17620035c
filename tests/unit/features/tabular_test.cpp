#include <bellwether/features/tabular.h>

#include <array>
#include <set>

#include <gtest/gtest.h>

#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::rejection;

/// A domain of which only the variables matter.
class Shape final : public Domain {
 public:
  explicit Shape(std::vector<Variable> variables) : variables_(std::move(variables)) {}
  std::string_view type() const override { return "shape"; }
  const std::vector<Variable>& variables() const override { return variables_; }
  const std::vector<std::string>& actions() const override { return actions_; }
  void start(Rng&, std::span<double>) const override {}
  Outcome step(Rng&, std::span<double>) const override { return {}; }
  std::optional<double> true_value(std::span<const double>) const override { return {}; }
  std::unique_ptr<FeatureMap> features(std::uint64_t, std::uint64_t) const override { return nullptr; }

 private:
  std::vector<Variable> variables_;
  std::vector<std::string> actions_;
};

std::uint32_t index(const Tabular& map, std::span<const double> state) {
  RowBuffer rows(map.layout(), map.dim());
  map.append(state, rows);
  const auto x = rows.view().as<BinaryView>(0);
  EXPECT_EQ(x.size, 1U);
  return x.indices[0];
}

TEST(Tabular, CountsOneVariableFromItsLowestValue) {
  const Tabular map(Shape({{"state", 3, 7, true}}), {});
  EXPECT_EQ(map.dim(), 5U);
  EXPECT_EQ(map.layout(), Layout::binary);
  EXPECT_EQ(map.max_active(), 1U);
  for (double s = 3; s <= 7; ++s) EXPECT_EQ(index(map, {&s, 1}), static_cast<std::uint32_t>(s - 3));
}

TEST(Tabular, GivesEveryCombinationItsOwnFeatureWithTheLastVariableFastest) {
  const Tabular map(Shape({{"x", 0, 1, true}, {"y", -1, 1, true}, {"z", 5, 8, true}}), {});
  ASSERT_EQ(map.dim(), 24U);
  std::uint32_t expected = 0;
  for (double x = 0; x <= 1; ++x) {
    for (double y = -1; y <= 1; ++y) {
      for (double z = 5; z <= 8; ++z) EXPECT_EQ(index(map, std::array{x, y, z}), expected++);
    }
  }
}

TEST(Tabular, RejectsAVariableThatDoesNotTakeWholeValues) {
  const Shape shape({{"cell", 0, 4, true}, {"speed", 0, 1, false}});
  EXPECT_EQ(rejection([&] { Tabular map(shape, {}); }),
            "tabular: variable 'speed' of shape does not take whole values");
}

}  // namespace
}  // namespace bellwether
