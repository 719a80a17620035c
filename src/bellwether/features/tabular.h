#pragma once

#include <bellwether/core/feature_map.h>
#include <bellwether/core/params/registry.h>
#include <bellwether/features/support/selection.h>

namespace bellwether {

class Tabular final : public FeatureMap {
 public:
  static constexpr const char* name = "tabular";
  static constexpr Uses uses = Uses::all;
  static constexpr Doc doc{.summary = "One feature per state, for states made of whole numbers.",
                           .detail = R"(
x_j(s) = 1 if s is the j-th state, else 0
the states are all combinations of the values low, low+1, ..., high of each variable; the last variable varies fastest
)",
                           .reference = "Sutton and Barto (2018), Reinforcement Learning, section 9.3",
                           .note =
                               "Binary, one active feature. The fixed point is the value function itself. Values "
                               "beyond a range count as its end, unless `others` keeps them apart."};
  struct Params {
    bool others = false;

    static constexpr auto fields() {
      return std::tuple{
          Field("others", &Params::others,
                "whether all other states, beyond a range or not whole, share one more feature, the last")};
    }
  };

  /// Throws InvalidArgument when a variable is not whole, naming it, or when there are more than 2^32 states.
  Tabular(const FeatureContext& context, const Params& params);

  std::string_view type() const override { return name; }
  Layout layout() const override { return Layout::binary; }
  std::size_t dim() const override { return dim_; }
  std::size_t max_active() const override { return 1; }
  void write(std::span<const double> state, Moment moment, RowBuffer& rows) const override;

 private:
  std::vector<Variable> variables_;
  bool others_;
  std::size_t dim_ = 1;
};

}  // namespace bellwether
