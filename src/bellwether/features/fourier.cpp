#include <bellwether/features/fourier.h>

#include <cmath>

#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/simd.h>

namespace bellwether {

namespace {

/// cos(pi x) for 0 <= x < 2^31, within 6e-16, in operations whose bits are equal on every processor (those of the
/// C library's cosine are not).
///
///   r = |x - 2 round(x/2)| <= 1,   cos(pi x) = cos(pi r) = -cos(pi (1 - r)),   cos(pi r) = 1 - 2 sin(pi r/2)^2
///
/// so that the sine is needed up to pi/4 only; the next term of its Taylor series of degree 17 is below 1e-19.
BELLWETHER_INLINE double cos_pi(double x) {
  constexpr double half_pi = 1.5707963267948966;
  constexpr std::array inverse{1.0 / 272, 1.0 / 210, 1.0 / 156, 1.0 / 110,
                               1.0 / 72,  1.0 / 42,  1.0 / 20,  1.0 / 6};  // of 17 16, 15 14, ..., 3 2
  const double r = std::abs(x - 2 * static_cast<double>(static_cast<std::int32_t>((x + 1) / 2)));
  const double t = half_pi * (r > 0.5 ? 1 - r : r);
  double sine = 1;
  for (const double factor : inverse) sine = 1 - sine * (t * t) * factor;
  sine *= t;
  const double cosine = 1 - 2 * sine * sine;
  return r > 0.5 ? -cosine : cosine;
}

BELLWETHER_SIMD void take_cos_pi(double* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) x[i] = cos_pi(x[i]);
}

}  // namespace

Fourier::Fourier(const FeatureContext& context, const Params& params)
    : DenseMap(context), params_(checked(name, params)) {
  const auto n = static_cast<double>(params.order);
  const auto d = static_cast<double>(scaled_.size());
  const double count = params.terms == FourierTerms::coupled ? std::pow(n + 1, d) : d * n + 1;
  dim_ = checked_feature_count(name, count, "lower order, or set terms = independent");
}

void Fourier::write(std::span<const double> state, Moment, RowBuffer& rows) const {
  const std::span<double> x = rows.dense_part(dim_);
  const auto n = static_cast<std::size_t>(params_.order);
  // First c.u, one variable after the other.
  x[0] = 0;
  std::size_t done = 1;
  for (std::size_t i = 0; i < scaled_.size(); ++i) {
    const double u = scaled_(state, i);
    if (params_.terms == FourierTerms::independent) {
      for (std::size_t k = 1; k <= n; ++k) x[done++] = static_cast<double>(k) * u;
      continue;
    }
    for (std::size_t j = done; j-- > 0;) {
      const double sum = x[j];
      for (std::size_t k = 0; k <= n; ++k) x[j * (n + 1) + k] = sum + static_cast<double>(k) * u;
    }
    done *= n + 1;
  }
  take_cos_pi(x.data(), x.size());
}

}  // namespace bellwether
