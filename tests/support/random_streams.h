#pragma once

#include "support/experience.h"

namespace bellwether::testing {

/// Experience drawn by RapidCheck: of any dimension up to `most` and sparsity, on- and off-policy, with discounts and
/// ratios of zero, episodes that end and are cut.
Experience random_stream(std::size_t most_features = 16);

/// A power of ten from 1e-150 to 1e150.
double random_scale();

/// The steps with every feature repeated: feature j is also feature dim + j.
BatchBuffer repeated(const Batch& steps, Layout layout);

/// The steps in another layout; binary only where all values are 0 or 1.
BatchBuffer in_layout(const Batch& steps, Layout layout);

}  // namespace bellwether::testing
