#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <bellwether/core/feature_map.h>

namespace bellwether {

/// Which variables a map is made of where its description names none.
enum class Uses : std::uint8_t {
  numbers,     // those that are not categories
  categories,  // those that are; all, where none is
  all
};

/// A feature map of some of the variables of a state.
class Selection final : public FeatureMap {
 public:
  static constexpr std::size_t most = 1024;  // variables

  /// `indices` are those of the variables in the state, at most `most`, in the order in which the map knows them.
  Selection(std::unique_ptr<FeatureMap> map, std::vector<std::size_t> indices)
      : map_(std::move(map)), indices_(std::move(indices)) {}

  std::string_view type() const override { return map_->type(); }
  Layout layout() const override { return map_->layout(); }
  std::size_t dim() const override { return map_->dim(); }
  std::size_t max_active() const override { return map_->max_active(); }
  void write(std::span<const double> state, Moment moment, RowBuffer& rows) const override;

 private:
  std::unique_ptr<FeatureMap> map_;
  std::vector<std::size_t> indices_;
};

/// The indices of the variables that a map is made of: those that its description names, or those that it `uses`.
/// Throws InvalidArgument, beginning with `owner`, when a name is not that of a variable, when one is given twice, and
/// when a category is named for a map that uses numbers.
std::vector<std::size_t> selected_variables(std::string_view owner, Uses uses, const std::vector<std::string>& names,
                                            const std::vector<Variable>& variables);

}  // namespace bellwether
