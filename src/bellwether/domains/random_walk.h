#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <bellwether/core/error.h>
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

  explicit RandomWalk(const Params& params) : FiniteDomain(walk(checked(name, params)), 1), params_(params) {}

  std::string_view type() const override { return name; }
  Settings settings() const override { return values(params_); }
  std::unique_ptr<FeatureMap> features(std::uint64_t = 0, std::uint64_t = 0) const override {
    const auto n = static_cast<std::size_t>(params_.size);
    const bool tabular = params_.features == WalkFeatures::tabular;
    auto rows = tabular ? indicator_rows(n) : params_.features == WalkFeatures::inverted ? inverted(n) : dependent(n);
    return std::make_unique<TableFeatures>(name, 1, std::move(rows));
  }

 private:
  /// Row s of the table is state s + 1.
  static FiniteModel walk(const Params& params) {
    if (params.features == WalkFeatures::dependent && params.size % 2 == 0) {
      throw InvalidArgument("random_walk: size = " + std::to_string(params.size) +
                            " is not odd, which features = dependent requires");
    }
    const auto n = static_cast<std::size_t>(params.size);
    FiniteModel model;
    model.states = n;
    model.start.assign(n, 0.0);
    model.start[n / 2] = 1;
    for (std::size_t s = 0; s < n; ++s) {
      const auto move = [&](bool leaves, std::size_t to, double reward) {
        model.arcs.push_back({.from = s,
                              .to = leaves ? s : to,
                              .probability = 0.5,
                              .reward = leaves ? reward : 0,
                              .discount = leaves ? 0 : params.discount});
      };
      move(s == 0, s - 1, params.left);
      move(s + 1 == n, s + 1, params.right);
    }
    return model;
  }

  static RowBuffer inverted(std::size_t n) {
    RowBuffer rows(Layout::dense, n);
    for (std::size_t s = 0; s < n; ++s) {
      const auto x = rows.add_dense();
      for (std::size_t j = 0; j < n; ++j) x[j] = j == s ? 0.0 : 1 / std::sqrt(static_cast<double>(n - 1));
    }
    return rows;
  }

  /// The ones spread from the left until all k features are 1 in the middle state, then vanish from the left.
  static RowBuffer dependent(std::size_t n) {
    const std::size_t k = (n + 1) / 2;
    RowBuffer rows(Layout::dense, k);
    for (std::size_t s = 0; s < n; ++s) {
      const std::size_t first = s < k ? 0 : s - k + 1;
      const std::size_t last = s < k ? s : k - 1;
      const auto x = rows.add_dense();
      for (std::size_t j = first; j <= last; ++j) x[j] = 1 / std::sqrt(static_cast<double>(last - first + 1));
    }
    return rows;
  }

  Params params_;
};

}  // namespace bellwether
