#include <bellwether/features/radial_basis.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <bellwether/linalg/simd/exp.h>

namespace bellwether {

namespace {

constexpr std::size_t most_centres = 1000;

}  // namespace

RadialBasis::RadialBasis(const FeatureContext& context, const Params& params)
    : DenseMap(context), params_(checked(name, params)) {
  for (const Variable& v : context.variables) wraps_.push_back(v.wraps);
  const double count = std::pow(static_cast<double>(params.centres), static_cast<double>(scaled_.size()));
  dim_ = checked_feature_count(name, count, "take fewer centres");
}

/// The factors of the features that belong to one variable: one for each place along it.
void RadialBasis::bumps(double u, bool wraps, std::span<double> values) const {
  const auto k = static_cast<double>(values.size());
  // In units of the spacing, places are 0, 1, ..., k-1.
  const double position = wraps ? u * k : k > 1 ? u * (k - 1) : u - 0.5;
  for (std::size_t j = 0; j < values.size(); ++j) {
    double distance = std::abs(position - static_cast<double>(j));
    if (wraps) distance = std::min(distance, k - distance);
    values[j] = distance * distance;
  }
  // Normalised features do not change when all exponents are moved; then the largest is 1 and the sum never vanishes.
  const double nearest = params_.normalised ? *std::min_element(values.begin(), values.end()) : 0;
  double sum = 0;
  for (double& value : values) {
    value = portable_exp(-(value - nearest) / (2 * params_.width * params_.width));
    sum += value;
  }
  if (!params_.normalised) return;
  for (double& value : values) value /= sum;
}

void RadialBasis::write(std::span<const double> state, Moment, RowBuffer& rows) const {
  const std::span<double> x = rows.dense_part(dim_);
  const auto k = static_cast<std::size_t>(params_.centres);
  std::array<double, most_centres> values;
  // A Gaussian is a product over the variables, and so is the sum of all of them.
  x[0] = 1;
  std::size_t done = 1;
  for (std::size_t i = 0; i < scaled_.size(); ++i) {
    bumps(scaled_(state, i), wraps_[i], {values.data(), k});
    for (std::size_t j = done; j-- > 0;) {
      const double product = x[j];
      for (std::size_t l = 0; l < k; ++l) x[j * k + l] = product * values[l];
    }
    done *= k;
  }
}

}  // namespace bellwether
