#pragma once

#include <memory>
#include <string>
#include <vector>

#include <bellwether/core/feature_map.h>

namespace bellwether {

/// Several feature maps side by side: x(s) = (x_1(s), x_2(s), ...).
///
/// Binary if all parts are; dense if more than half of the features can be non-zero; else sparse.
class Concatenation final : public FeatureMap {
 public:
  explicit Concatenation(std::vector<std::unique_ptr<FeatureMap>> parts);

  std::string_view type() const override { return type_; }  // "tile_coding+bias"
  Layout layout() const override { return layout_; }
  std::size_t dim() const override { return dim_; }
  std::size_t max_active() const override { return max_active_; }
  void write(std::span<const double> state, Moment moment, RowBuffer& rows) const override;

 private:
  std::vector<std::unique_ptr<FeatureMap>> parts_;
  std::vector<std::size_t> first_;  // feature of each part
  std::string type_;
  Layout layout_ = Layout::binary;
  std::size_t dim_ = 0;
  std::size_t max_active_ = 0;
};

}  // namespace bellwether
