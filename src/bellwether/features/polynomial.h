#pragma once

#include <array>
#include <cstdint>

#include <bellwether/core/params/registry.h>
#include <bellwether/features/support/dense_map.h>

namespace bellwether {

enum class PolynomialTerms : std::uint8_t { total, each };
constexpr auto names(PolynomialTerms) { return std::array{"total", "each"}; }

class Polynomial final : public DenseMap<Polynomial> {
 public:
  static constexpr const char* name = "polynomial";
  static constexpr Doc doc{.summary = "Products of powers of the variables.",
                           .detail = R"(
u = 2 (s - low) / (high - low) - 1, each variable brought to [-1, 1]
x_p(s) = u_1^p_1 u_2^p_2 ... u_d^p_d, p a vector of whole numbers
total  every p with p_1 + ... + p_d <= degree: (d + degree)! / (d! degree!) features
each   every p with each p_i <= degree: (degree + 1)^d features
the first is p = 0, the constant 1; the last variable's power varies fastest
)",
                           .reference = "Sutton and Barto (2018), Reinforcement Learning, section 9.5.1",
                           .note =
                               "Dense. On [-1, 1] even and odd powers are uncorrelated if states are spread evenly; on "
                               "[0, 1] all powers look alike. Even so, high powers are nearly dependent and large only "
                               "near the edges: keep the degree below five or so, or use the Fourier basis."};

  struct Params {
    std::int64_t degree = 2;
    PolynomialTerms terms = PolynomialTerms::total;

    static constexpr auto fields() {
      return std::tuple{Field("degree", &Params::degree, between(0, 100), "the highest power"),
                        Field("terms", &Params::terms, "whether the degree is that of a product or of each variable")};
    }
  };

  /// Throws InvalidArgument when there is no variable, one without a range, or when there would be too many features.
  Polynomial(const FeatureContext& context, const Params& params);

  void write(std::span<const double> state, Moment moment, RowBuffer& rows) const override;

 private:
  double* multiply(std::span<const double> state, std::size_t i, double product, std::int64_t left, double* out) const;

  Params params_;
};

}  // namespace bellwether
