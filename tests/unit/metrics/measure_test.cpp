#include <bellwether/metrics/measure.h>

#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include <bellwether/core/params/params.h>
#include <bellwether/domains/domains.h>
#include <bellwether/experiment/truth/measures.h>
#include <bellwether/features/feature_maps.h>

#include "support/random_vectors.h"

namespace bellwether {
namespace {

/// Expects of eight vectors of weights at once, or of the first few, what each gives alone, bit for bit.
void expect_eight_equal_to_each(Measure& measure, std::size_t dim, const std::string& what) {
  testing::RandomVectors random(3);
  std::vector<double> lanes(8 * dim);
  for (double& value : lanes) value = 100 * random.number();
  constexpr double inf = std::numeric_limits<double>::infinity();
  lanes[5] = inf;           // of a learner that
  lanes[6] = std::nan("");  // has diverged
  lanes[7] = 1e200;         // or is about to
  for (const std::size_t count : {1U, 3U, 8U}) {
    std::vector<double> together(count, -1);
    measure.eight(lanes, together);
    for (std::size_t l = 0; l < count; ++l) {
      std::vector<double> w(dim);
      for (std::size_t j = 0; j < dim; ++j) w[j] = lanes[8 * j + l];
      const double alone = measure(w);
      if (std::isnan(alone)) EXPECT_TRUE(std::isnan(together[l])) << what << ", vector " << l;
      else
        EXPECT_EQ(std::bit_cast<std::uint64_t>(together[l]), std::bit_cast<std::uint64_t>(alone))
            << what << ", vector " << l << ": " << together[l] << " and " << alone;
    }
  }
}

TEST(Measure, OfEightVectorsIsThatOfEach) {
  std::set<Layout> layouts;
  for (const auto& [domain_name, features_name] :
       std::vector<std::pair<std::string, std::string>>{{"boyan_chain", "own"},
                                                        {"boyan_chain", "tabular"},
                                                        {"mountain_car", "tile_coding"},
                                                        {"mountain_car", "tile_coding + polynomial"},
                                                        {"random_walk", "own"}}) {
    const auto domain = make_domain(domain_name);
    const std::shared_ptr<const FeatureMap> features = make_features(features_name, *domain, 1, 0);
    layouts.insert(features->layout());
    for (const StateWeights weights : {StateWeights::uniform, StateWeights::visits}) {
      const GroundTruth truth = ground_truth(*domain, {.states = 50, .weights = weights, .rollouts = 3});
      const BellmanParams bellman{.bellman_lambda = 0.5, .bellman_steps = 500};
      Measures make(*domain, *features, truth, bellman, 1, 0);
      for (const Metric metric : {Metric::relative, Metric::rmse, Metric::msbe, Metric::effective_samples}) {
        if (metric == Metric::relative && domain_name == "random_walk") continue;  // values of both signs
        expect_eight_equal_to_each(*make.make(metric), features->dim(),
                                   domain_name + " " + features_name + " " + detail::format(metric));
      }
    }
  }
  EXPECT_EQ(layouts.size(), 3U);
}

}  // namespace
}  // namespace bellwether
