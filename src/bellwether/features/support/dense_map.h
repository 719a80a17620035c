#pragma once

#include <bellwether/core/feature_map.h>
#include <bellwether/features/support/unit_interval.h>

namespace bellwether {

/// The largest number of features of a dense map: a row of 8 MiB.
inline constexpr std::size_t most_dense_features = std::size_t{1} << 20U;

/// `count` as a size. Throws InvalidArgument, beginning with `owner` and ending with `advice`, when it is more than
/// that.
std::size_t checked_feature_count(std::string_view owner, double count, std::string_view advice);

/// The common part of dense feature maps of variables that are scaled to [0, 1].
/// `Derived` has a `name`, sets `dim_` and implements `write`.
template <class Derived>
class DenseMap : public FeatureMap {
 public:
  std::string_view type() const final { return Derived::name; }
  Layout layout() const final { return Layout::dense; }
  std::size_t dim() const final { return dim_; }
  std::size_t max_active() const final { return dim_; }

 protected:
  explicit DenseMap(const FeatureContext& context) : scaled_(Derived::name, context.variables) {}

  UnitInterval scaled_;
  std::size_t dim_ = 0;
};

}  // namespace bellwether
