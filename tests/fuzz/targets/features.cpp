// Descriptions of features, and the features that they stand for.
#include <bellwether/features/feature_maps.h>

#include "fuzz/target.h"

namespace bellwether::fuzz {

const Registered features_target({.name = "features", .run = [](const std::string& bytes) {
                                    static const FeatureContext context(
                                        {{.name = "position", .low = -1.2, .high = 0.5},
                                         {.name = "angle", .low = 0, .high = 360, .wraps = true},
                                         {.name = "gear", .low = 1, .high = 5, .whole = true}},
                                        1);
                                    const auto map = make_features(bytes, context);
                                    RowBuffer rows(map->layout(), map->dim());
                                    map->append(std::vector<double>{0.1, 359, 2}, rows);
                                    map->append(std::vector<double>{-1e300, 1e300, 1e17}, rows);
                                  }});

}  // namespace bellwether::fuzz
