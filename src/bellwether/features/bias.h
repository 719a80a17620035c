#pragma once

#include <bellwether/core/feature_map.h>
#include <bellwether/core/params/registry.h>

namespace bellwether {

class Bias final : public FeatureMap {
 public:
  static constexpr const char* name = "bias";
  static constexpr Doc doc{.summary = "One feature that is always 1, for use with others.",
                           .detail = R"(
x_0(s) = 1
used with other features, as in `tile_coding + bias`; its weight is what the values of all states have in common
)",
                           .reference = "Sutton and Barto (2018), Reinforcement Learning, section 9.4",
                           .note =
                               "Binary, one active feature. Every state changes its weight, so it learns the mean "
                               "value fast, and a step size that suits the other features may be too large for it."};
  struct Params {
    static constexpr auto fields() { return std::tuple{}; }
  };

  Bias(const FeatureContext&, const Params&) {}

  std::string_view type() const override { return name; }
  Layout layout() const override { return Layout::binary; }
  std::size_t dim() const override { return 1; }
  std::size_t max_active() const override { return 1; }
  void write(std::span<const double>, Moment, RowBuffer& rows) const override { rows.add(0); }
};

}  // namespace bellwether
