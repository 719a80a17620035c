#pragma once

#include <array>
#include <cstdint>

#include <bellwether/core/feature_map.h>
#include <bellwether/core/params/registry.h>

namespace bellwether {

enum class NoiseRedraw : std::uint8_t { step, episode };
constexpr auto names(NoiseRedraw) { return std::array{"step", "episode"}; }

class Noise final : public FeatureMap {
 public:
  static constexpr const char* name = "noise";
  static constexpr Doc doc{
      .summary = "Irrelevant features: random ones of many are 1, chosen again and again.",
      .detail = R"(
x_j = 1 for `active` of `count` features, every choice equally likely; the others 0
redraw:
step     a new choice at every step
episode  a new choice at the start of every episode, kept until its end
for use with relevant features, as in `own + noise(count=100 active=50)`
)",
      .reference =
          "Sutton (1992), Adapting bias by gradient descent, AAAI: learners with a step size per feature should learn "
          "to ignore what is irrelevant",
      .note =
          "Binary. The choice is a function of (seed, run, step or episode), not of the state, so it does not depend "
          "on how a run is cut or on which thread it runs; states that are judged outside a run get a choice each. The "
          "sum of all noise features is constant: they can stand in for a bias."};

  struct Params {
    std::int64_t count = 100;
    std::int64_t active = 50;
    NoiseRedraw redraw = NoiseRedraw::step;

    static constexpr auto fields() {
      return std::tuple{Field("count", &Params::count, between(1, most), "number of features"),
                        Field("active", &Params::active, between(0, most), "how many of them are 1"),
                        Field("redraw", &Params::redraw, "when they are chosen again")};
    }
  };

  /// The largest number of features.
  static constexpr std::int64_t most = 1 << 16;

  /// Throws InvalidArgument when more features are to be active than there are.
  Noise(const FeatureContext& context, const Params& params);

  std::string_view type() const override { return name; }
  Layout layout() const override { return Layout::binary; }
  std::size_t dim() const override { return static_cast<std::size_t>(params_.count); }
  std::size_t max_active() const override { return static_cast<std::size_t>(params_.active); }
  void write(std::span<const double> state, Moment moment, RowBuffer& rows) const override;

 private:
  std::uint64_t seed_;
  std::uint64_t run_;
  Params params_;
};

}  // namespace bellwether
