#pragma once

#include <cstdint>

namespace bellwether {

/// What the work of a learner grows with.
enum class Work : std::uint8_t {
  features,  // a step takes time in proportion to the number of features, or less
  matrix,    // a step takes time in proportion to the square of that number
  data,      // weights are computed from all steps so far whenever they are read
};

}  // namespace bellwether
