#include <bellwether/features/support/concatenation.h>

#include <gtest/gtest.h>

#include <bellwether/features/bias.h>
#include <bellwether/features/fourier.h>
#include <bellwether/features/tabular.h>

#include "support/rows.h"

namespace bellwether {
namespace {

using testing::features_of;
using Parts = std::vector<std::unique_ptr<FeatureMap>>;

const FeatureContext& context() {
  static const FeatureContext all({{"x", 0, 4, true}});
  return all;
}

template <class... Maps>
std::unique_ptr<FeatureMap> beside(Maps... maps) {
  Parts parts;
  (parts.push_back(std::move(maps)), ...);
  return std::make_unique<Concatenation>(std::move(parts));
}

std::unique_ptr<FeatureMap> bias() { return std::make_unique<Bias>(context(), Bias::Params{}); }
std::unique_ptr<FeatureMap> tabular(double high = 4) {
  return std::make_unique<Tabular>(FeatureContext({{"x", 0, high, true}}), Tabular::Params{});
}
std::unique_ptr<FeatureMap> fourier() { return std::make_unique<Fourier>(context(), Fourier::Params{.order = 2}); }

TEST(Concatenation, OfBinaryMapsIsBinary) {
  const auto map = beside(tabular(), bias());
  EXPECT_EQ(map->type(), "tabular+bias");
  EXPECT_EQ(map->layout(), Layout::binary);
  EXPECT_EQ(map->dim(), 6U);
  EXPECT_EQ(map->max_active(), 2U);
  const double state = 3;
  EXPECT_EQ(features_of(*map, {&state, 1}), (std::vector<double>{0, 0, 0, 1, 0, 1}));
}

TEST(Concatenation, IsDenseWhereMostFeaturesCanBeActiveElseSparse) {
  const auto dense = beside(tabular(2), fourier());  // 4 of 6
  EXPECT_EQ(dense->layout(), Layout::dense);
  const auto sparse = beside(fourier(), tabular());  // 4 of 8
  EXPECT_EQ(sparse->layout(), Layout::sparse);
  const double state = 0;
  EXPECT_EQ(features_of(*dense, {&state, 1}), (std::vector<double>{1, 0, 0, 1, 1, 1}));
  EXPECT_EQ(features_of(*sparse, {&state, 1}), (std::vector<double>{1, 1, 1, 1, 0, 0, 0, 0}));
}

TEST(Concatenation, OfConcatenationsIsOneOfTheirParts) {
  const auto nested = beside(bias(), beside(tabular(), beside(fourier(), bias())), tabular());
  const auto flat = beside(bias(), tabular(), fourier(), bias(), tabular());
  EXPECT_EQ(nested->type(), flat->type());
  EXPECT_EQ(nested->dim(), flat->dim());
  EXPECT_EQ(nested->max_active(), flat->max_active());
  EXPECT_EQ(nested->layout(), flat->layout());
  for (double state = 0; state <= 4; ++state) {
    EXPECT_EQ(features_of(*nested, {&state, 1}), features_of(*flat, {&state, 1}));
  }
}

TEST(Concatenation, RowsFollowOneAnother) {
  const auto map = beside(fourier(), tabular(), bias());
  RowBuffer rows(map->layout(), map->dim());
  for (double state = 0; state <= 4; ++state) map->append({&state, 1}, rows);
  ASSERT_EQ(rows.rows(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    std::vector<double> x(map->dim(), 0.0);
    visit(rows.view().row(i), [&](auto view) { view.for_each([&](std::size_t j, double v) { x.at(j) += v; }); });
    const auto state = static_cast<double>(i);
    EXPECT_EQ(x, features_of(*map, {&state, 1}));
  }
}

}  // namespace
}  // namespace bellwether
