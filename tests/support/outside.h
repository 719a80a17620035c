#pragma once

#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include <bellwether/core/params/params.h>

namespace bellwether::testing {

/// Values that a field does not accept: beyond each end, at an open end, and NaN.
template <class T>
std::vector<T> outside(Range range) {
  std::vector<T> all;
  if constexpr (std::is_floating_point_v<T>) {
    all.push_back(std::numeric_limits<T>::quiet_NaN());
    all.push_back(range.low_open ? range.low : std::nextafter(range.low, -infinity));
    if (range.high_open || range.high < infinity) {
      all.push_back(range.high_open ? range.high : std::nextafter(range.high, infinity));
    }
  } else {
    if (std::isfinite(range.low)) all.push_back(static_cast<T>(range.low) - (range.low_open ? 0 : 1));
    if (std::isfinite(range.high)) all.push_back(static_cast<T>(range.high) + (range.high_open ? 0 : 1));
  }
  return all;
}

}  // namespace bellwether::testing
