#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <bellwether/core/feature_map.h>
#include <bellwether/core/params/registry.h>
#include <bellwether/features/support/levels.h>
#include <bellwether/features/support/selection.h>

namespace bellwether {

class Cross final : public FeatureMap {
 public:
  static constexpr const char* name = "cross";
  static constexpr Uses uses = Uses::categories;
  static constexpr Doc doc{
      .summary = "A feature for each combination of the values of several variables, hashed where these are many.",
      .detail = R"(
k = (...(k_1 n_2 + k_2) n_3 + ...) + k_d      the number of the combination; k_i < n_i is the number of the i-th value
x_j(s) = 1 if j = k, else 0                   if there are at most `memory` combinations
x_j(s) = 1 if j = hash(k) mod memory, else 0  otherwise; hash = upper half of fmix64 of MurmurHash3
the values of a variable are its texts or, up to 64, its whole numbers, and one more for any other; the range of a
variable that is neither is cut into `parts` equal parts
without names, it takes the variables that are text, or all where none is: cross(weekday hour)
)",
      .reference = "Weinberger et al. (2009), Feature hashing for large scale multitask learning",
      .note =
          "Binary, one active feature. For the values themselves add categorical, as in categorical(weekday) + "
          "cross(weekday hour); combinations that are rare then share what is known of their parts. Hashed "
          "combinations may share a feature."};

  struct Params {
    std::optional<std::int64_t> memory = std::nullopt;
    std::int64_t parts = 8;

    static constexpr auto fields() {
      return std::tuple{
          Field("memory", &Params::memory, between(1, 0x1p31),
                "number of features, if there are more combinations; auto: 4096"),
          Field("parts", &Params::parts, between(1, 1 << 18), "parts of a range that is not one of few whole numbers")};
    }
  };

  /// Throws InvalidArgument when there is no variable, when one has no proper range, and when there are more than 2^63
  /// combinations.
  Cross(const FeatureContext& context, const Params& params);

  std::string_view type() const override { return name; }
  Layout layout() const override { return Layout::binary; }
  std::size_t dim() const override { return dim_; }
  std::size_t max_active() const override { return 1; }
  void write(std::span<const double> state, Moment moment, RowBuffer& rows) const override;

 private:
  std::vector<Levels> levels_;
  std::size_t dim_ = 0;
  bool hashed_ = false;
};

}  // namespace bellwether
