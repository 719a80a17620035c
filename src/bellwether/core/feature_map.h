#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <bellwether/core/features.h>

namespace bellwether {

/// Turns a state, as a domain or a log gives it, into features.
class FeatureMap {
 public:
  virtual ~FeatureMap() = default;

  virtual std::string_view type() const = 0;
  virtual Layout layout() const = 0;
  virtual std::size_t dim() const = 0;

  /// The largest number of non-zero features of a state.
  virtual std::size_t max_active() const = 0;

  /// Appends the features of `state` as one row of `rows`, a buffer of this map's layout and dimension.
  virtual void append(std::span<const double> state, RowBuffer& rows) const = 0;
};

}  // namespace bellwether
