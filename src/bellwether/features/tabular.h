#pragma once

#include <bellwether/core/domain.h>
#include <bellwether/core/registry.h>

namespace bellwether {

class Tabular final : public FeatureMap {
 public:
  static constexpr const char* name = "tabular";
  static constexpr Doc doc{.summary = "One feature per state, for states made of whole numbers.",
                           .detail = R"(
x_j(s) = 1 if s is the j-th state, else 0
the states are all combinations of the values low, low+1, ..., high of each variable; the last variable varies fastest
)",
                           .reference = "Sutton and Barto (2018), Reinforcement Learning, section 9.3",
                           .note = "Binary, one active feature. The fixed point is the value function itself."};
  struct Params {
    static constexpr auto fields() { return std::tuple{}; }
  };

  /// Throws InvalidArgument when a variable is not whole, naming it.
  Tabular(const Domain& domain, const Params& params);

  std::string_view type() const override { return name; }
  Layout layout() const override { return Layout::binary; }
  std::size_t dim() const override { return dim_; }
  std::size_t max_active() const override { return 1; }
  void append(std::span<const double> state, RowBuffer& rows) const override;

 private:
  std::vector<Variable> variables_;
  std::size_t dim_ = 1;
};

}  // namespace bellwether
