#include <bellwether/features/all.h>

namespace bellwether {

const std::vector<FeatureMapEntry>& feature_maps() {
  static const auto all = entries<FeatureMap, const Domain&>(FeatureMaps{});
  return all;
}

std::unique_ptr<FeatureMap> make_feature_map(std::string_view name, const Domain& domain, const Settings& settings) {
  return find_entry(feature_maps(), "feature map", name).make(settings, domain);
}

}  // namespace bellwether
