#pragma once

#include <array>
#include <cstdint>

#include <bellwether/core/finite_domain.h>
#include <bellwether/core/params/registry.h>

namespace bellwether {

enum class WalkFeatures : std::uint8_t { tabular, inverted, dependent };
constexpr auto names(WalkFeatures) { return std::array{"tabular", "inverted", "dependent"}; }

class RandomWalk final : public FiniteDomain {
 public:
  static constexpr const char* name = "random_walk";
  static constexpr Doc doc{
      .summary = "A walk on a line, left or right with equal chance, until it falls off either end.",
      .detail = R"(
states 1, ..., n = size; start in the middle, floor(n/2) + 1
i: to i-1 or i+1 with probability 1/2 each, reward 0
left of 1 the episode ends with reward `left`, right of n with reward `right`
v(i) = left + (right - left) i / (n+1)   with discount 1: the chance to leave on the right is i / (n+1)
       n = 5,  ends 0 and 1:   i / 6
       n = 19, ends -1 and 1:  (i - 10) / 10
features:
tabular    x_j(i) = 1 if j = i, else 0
inverted   x_j(i) = 0 if j = i, else 1/sqrt(n-1): every state resembles all others
dependent  (n+1)/2 features, n odd, fewer than states; n = 5 before rows are scaled to unit length:
           1 0 0 / 1 1 0 / 1 1 1 / 0 1 1 / 0 0 1
)",
      .reference =
          "Sutton and Barto (2018), Reinforcement Learning, examples 6.2 and 7.1; features: Sutton et al. "
          "(2009), Fast gradient-descent methods for temporal-difference learning, doi:10.1145/1553374.1553501",
      .note =
          "Tabular and inverted features represent every value function, dependent ones do not. Rows have unit L2 "
          "length as published; some implementations scale dependent rows to unit sum instead. With an odd size "
          "and opposite ends the middle state is worth 0, so measure errors absolutely (rmse), not relatively."};

  struct Params {
    std::int64_t size = 19;
    double left = -1;
    double right = 1;
    double discount = 1;
    WalkFeatures features = WalkFeatures::tabular;

    static constexpr auto fields() {
      return std::tuple{Field("size", &Params::size, between(2, 5000), "number of states"),
                        Field("left", &Params::left, finite, "reward for leaving on the left"),
                        Field("right", &Params::right, finite, "reward for leaving on the right"),
                        Field("discount", &Params::discount, Range{0, 1, true, false}, "of a step that stays inside"),
                        Field("features", &Params::features, "the features; dependent ones need an odd size")};
    }
  };

  explicit RandomWalk(const Params& params);

  std::string_view type() const override { return name; }
  Settings settings() const override { return values(params_); }
  std::unique_ptr<FeatureMap> features(std::uint64_t seed = 0, std::uint64_t run = 0) const override;

 private:
  Params params_;
};

}  // namespace bellwether
