#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <bellwether/core/domain.h>
#include <bellwether/core/feature_map.h>
#include <bellwether/core/params/entry.h>

namespace bellwether {

using FeatureMapEntry = Entry<FeatureMap, const FeatureContext&>;  // core/params/entry.h

/// The feature maps by name, except the domains' own features; `make` takes the settings and the variables.
const std::vector<FeatureMapEntry>& feature_maps();

/// Makes features from a description: feature maps by name with their parameters, joined by `+` to stand side by side.
///
///     tile_coding
///     tile_coding(tilings=8 tiles=10x5) + bias
///     own + noise(count=100 active=50)
///     categorical(weekday) + tile_coding(temperature tilings=16) + cross(weekday, hour)
///
/// A map is made of the variables that are named in its parentheses. Without names, `categorical` and `cross` take the
/// variables that are text, and most others those that are numbers. Text that no map uses is an error.
///
/// `settings` adds parameters: `key=value`, or `name.key=value` where there are several maps. Throws InvalidArgument
/// naming what is wrong.
///
///     const std::vector<Variable> variables{{.name = "position", .low = -1.2, .high = 0.5},
///                                           {.name = "velocity", .low = -0.07, .high = 0.07}};
///     const auto map = make_features("tile_coding + bias", variables, {{"tile_coding.tilings", 16}});
///
/// The features of a sum are those of the first map, then those of the second, and so on. It is binary when all of them
/// are; otherwise dense when more than half of its features can be active, else sparse.
std::unique_ptr<FeatureMap> make_features(std::string_view description, const FeatureContext& context,
                                          const Settings& settings = {});

/// The same for the states of a domain, where `own`, or an empty description, means the domain's own features. Random
/// features are a function of (seed, run).
std::unique_ptr<FeatureMap> make_features(std::string_view description, const Domain& domain, std::uint64_t seed = 0,
                                          std::uint64_t run = 0, const Settings& settings = {});

}  // namespace bellwether
