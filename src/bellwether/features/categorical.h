#pragma once

#include <vector>

#include <bellwether/core/feature_map.h>
#include <bellwether/core/params/registry.h>
#include <bellwether/features/support/levels.h>
#include <bellwether/features/support/selection.h>

namespace bellwether {

class Categorical final : public FeatureMap {
 public:
  static constexpr const char* name = "categorical";
  static constexpr Uses uses = Uses::categories;
  static constexpr Doc doc{
      .summary = "A feature for each value of each variable, and one for any other value.",
      .detail = R"(
of a variable with the values c_0, ..., c_(n-1):
x_k(s) = 1 if s = c_k, else 0                 k < n
x_n(s) = 1 if s is none of them, else 0
the values are the texts that a log has in its column, or the whole numbers from low to high
variables follow one another: categorical(weekday shop) has the features of weekday, then those of shop
without names, it takes the variables that are text, or all where none is
)",
      .reference = "Hastie, Tibshirani and Friedman (2009), The Elements of Statistical Learning, section 2.2",
      .note =
          "Binary, one active feature for each variable. Values of several variables add up; cross has a feature for "
          "each combination. A text that the log did not have has the feature for any other value, whose weight "
          "nothing has taught unless the log had more than 10,000 texts."};

  struct Params {
    static constexpr auto fields() { return std::tuple{}; }
  };

  /// Throws InvalidArgument when there is no variable, and when one is neither a category nor whole.
  Categorical(const FeatureContext& context, const Params& params);

  std::string_view type() const override { return name; }
  Layout layout() const override { return Layout::binary; }
  std::size_t dim() const override { return dim_; }
  std::size_t max_active() const override { return levels_.size(); }
  void write(std::span<const double> state, Moment moment, RowBuffer& rows) const override;

 private:
  std::vector<Levels> levels_;
  std::size_t dim_ = 0;
};

}  // namespace bellwether
