#pragma once

#include <cstdint>

#include <bellwether/core/params/registry.h>
#include <bellwether/features/support/dense_map.h>

namespace bellwether {

class RadialBasis final : public DenseMap<RadialBasis> {
 public:
  static constexpr const char* name = "radial_basis";
  static constexpr Doc doc{
      .summary = "Bumps on a grid: features that fade with the distance from their centres.",
      .detail = R"(
u = (s - low) / (high - low), each variable brought to [0, 1]
x_c(s) = exp(-|u - c|^2 / (2 sigma^2)),   sigma = width h
the centres c form a grid with k = `centres` points along each variable, the last variable fastest:
  0, h, 2h, ..., 1 with h = 1/(k-1); the middle, with h = 1, if k = 1
  0, h, ..., 1-h   with h = 1/k along a variable that wraps, where the shorter way around is the distance
normalised: x_c(s) / sum_b x_b(s), so that features sum to 1
)",
      .reference = "Sutton and Barto (2018), Reinforcement Learning, section 9.5.5",
      .note =
          "Dense: k^d features of d variables, each a product. With normalised features a weight is close to the value "
          "at its centre, and values between centres are averages. Wide bumps are smoother, but "
          "nearly dependent: from a width of 2 on, least squares needs a regulariser and TD learns slowly."};

  struct Params {
    std::int64_t centres = 5;
    double width = 1;
    bool normalised = true;

    static constexpr auto fields() {
      return std::tuple{
          Field("centres", &Params::centres, between(1, 1000), "centres along each variable"),
          Field("width", &Params::width, between(1e-6, 1e6), "standard deviation of a bump, in spacings h"),
          Field("normalised", &Params::normalised, "whether features sum to 1")};
    }
  };

  /// Throws InvalidArgument when there is no variable, one without a range, or when there would be too many features.
  RadialBasis(const FeatureContext& context, const Params& params);

  void write(std::span<const double> state, Moment moment, RowBuffer& rows) const override;

 private:
  void bumps(double u, bool wraps, std::span<double> values) const;

  std::vector<bool> wraps_;
  Params params_;
};

}  // namespace bellwether
