#pragma once

#include <bellwether/core/feature_map.h>
#include <bellwether/core/registry.h>
#include <bellwether/features/tabular.h>

namespace bellwether {

/// Every feature map there is, besides those that domains bring along.
using FeatureMaps = TypeList<Tabular>;

using FeatureMapEntry = Entry<FeatureMap, const Domain&>;

/// The feature maps by name; `make` takes the settings and the domain whose states are to be mapped.
const std::vector<FeatureMapEntry>& feature_maps();

/// A feature map by name, its parameters as text. Throws InvalidArgument naming what is wrong.
std::unique_ptr<FeatureMap> make_feature_map(std::string_view name, const Domain& domain,
                                             const Settings& settings = {});

}  // namespace bellwether
