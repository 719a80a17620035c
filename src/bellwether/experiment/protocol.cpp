#include <bellwether/experiment/protocol.h>

#include <bellwether/features/feature_maps.h>

namespace bellwether {

std::shared_ptr<const FeatureMap> Protocol::features_of(std::uint64_t run) const {
  return make_features(features, *domain, seed, run, feature_settings);
}

std::vector<std::uint64_t> measuring_steps(std::uint64_t steps, std::uint64_t every) {
  std::vector<std::uint64_t> at;
  for (std::uint64_t t = 0; t < steps; t += every) at.push_back(t);
  at.push_back(steps);
  return at;
}

}  // namespace bellwether
