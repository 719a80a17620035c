#pragma once

#include <bellwether/core/feature_map.h>
#include <bellwether/features/support/unit_interval.h>

namespace bellwether {

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
