#pragma once

#include <array>
#include <cstdint>

#include <bellwether/core/params/registry.h>
#include <bellwether/features/support/dense_map.h>

namespace bellwether {

enum class FourierTerms : std::uint8_t { coupled, independent };
constexpr auto names(FourierTerms) { return std::array{"coupled", "independent"}; }

class Fourier final : public DenseMap<Fourier> {
 public:
  static constexpr const char* name = "fourier";
  static constexpr Doc doc{
      .summary = "Cosines of all frequencies up to an order, of single variables and of combinations.",
      .detail = R"(
u = (s - low) / (high - low), each variable brought to [0, 1]
x_c(s) = cos(pi c.u), c a vector of whole numbers
coupled      every c in {0, ..., n}^d: (n+1)^d features; the last variable's frequency varies fastest
independent  c = 0, then c = k e_i for each variable i and k = 1, ..., n: d n + 1 features, no products of variables
cosines suffice: half a period covers the range, so that functions need not be equal at both ends
)",
      .reference =
          "Konidaris, Osentoski and Thomas (2011), Value function approximation in reinforcement learning using the "
          "Fourier basis, AAAI",
      .note =
          "Dense, one cosine per feature. x_0 = 1 is a bias. The authors divide the step size of feature c by |c|, the "
          "length of c (by 1 where c = 0), since high frequencies are steep; learners that adapt a step size per "
          "feature find this out themselves. Good for smooth values; a jump in the values causes ripples everywhere."};

  struct Params {
    std::int64_t order = 3;
    FourierTerms terms = FourierTerms::coupled;

    static constexpr auto fields() {
      return std::tuple{Field("order", &Params::order, between(1, 1000), "the highest frequency n of a variable"),
                        Field("terms", &Params::terms, "which frequencies are combined")};
    }
  };

  /// Throws InvalidArgument when there is no variable, one without a range, or when there would be too many features.
  Fourier(const FeatureContext& context, const Params& params);

  void write(std::span<const double> state, Moment moment, RowBuffer& rows) const override;

 private:
  Params params_;
};

}  // namespace bellwether
