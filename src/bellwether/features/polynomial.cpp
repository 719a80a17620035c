#include <bellwether/features/polynomial.h>

#include <cmath>

namespace bellwether {

Polynomial::Polynomial(const FeatureContext& context, const Params& params)
    : DenseMap(context), params_(checked(name, params)) {
  const auto d = static_cast<double>(scaled_.size());
  const auto degree = static_cast<double>(params.degree);
  double count = std::pow(degree + 1, d);
  if (params.terms == PolynomialTerms::total) {
    count = 1;
    for (std::int64_t i = 1; i <= params.degree; ++i) {
      const auto k = static_cast<double>(i);
      count = std::round(count * (d + k) / k);
    }
  }
  dim_ = checked_feature_count(name, count, "lower degree");
}

void Polynomial::write(std::span<const double> state, Moment, RowBuffer& rows) const {
  multiply(state, 0, 1, params_.degree, rows.dense_part(dim_).data());
}

/// Writes `product` times every product of powers of variables i, i+1, ...; `left` is the degree they may have.
double* Polynomial::multiply(std::span<const double> state, std::size_t i, double product, std::int64_t left,
                             double* out) const {
  if (i == scaled_.size()) {
    *out = product;
    return out + 1;
  }
  const double u = 2 * scaled_(state, i) - 1;
  for (std::int64_t p = 0; p <= left; ++p) {
    out = multiply(state, i + 1, product, params_.terms == PolynomialTerms::total ? left - p : left, out);
    product *= u;
  }
  return out;
}

}  // namespace bellwether
