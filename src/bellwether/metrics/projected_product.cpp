#include <bellwether/metrics/projected_product.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace bellwether {
namespace {

/// Two numbers side by side: one for g + h, one for g - h.
struct Pair {
  double sum = 0, difference = 0;

  Pair& operator+=(Pair o) { return sum += o.sum, difference += o.difference, *this; }
  friend Pair operator+(Pair a, Pair b) { return {a.sum + b.sum, a.difference + b.difference}; }
  friend Pair operator*(Pair a, Pair b) { return {a.sum * b.sum, a.difference * b.difference}; }
  friend Pair operator*(double a, Pair b) { return {a * b.sum, a * b.difference}; }
  double total() const { return sum + difference; }
};

using Pairs = std::vector<Pair>;

Pair dot(const Pairs& a, const Pairs& b) {
  Pair sum;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

/// C_jj^-1/2 of each feature; 0 if it is zero in all rows.
std::vector<double> scales(const FeatureRows& x) {
  std::vector<double> scale(x.dim, 0.0);
  for (std::size_t t = 0; t < x.rows; ++t) {
    visit(x.row(t), [&](const auto& row) { row.for_each([&](std::size_t j, double v) { scale[j] += v * v; }); });
  }
  for (double& s : scale) s = s > 0 ? std::sqrt(static_cast<double>(x.rows) / s) : 0;
  return scale;
}

template <class X>
void add_products(const FeatureRows& x, const Pair* v, Pair* y) {
  const double share = 1 / static_cast<double>(x.rows);
  for (std::size_t t = 0; t < x.rows; ++t) {
    const X row = x.as<X>(t);
    Pair product;
    row.for_each([&](std::size_t j, double value) { product += value * v[j]; });
    product = share * product;
    row.for_each([&](std::size_t j, double value) { y[j] += value * product; });
  }
}

/// y = C v
void multiply(const FeatureRows& x, const Pairs& v, Pairs& y) {
  std::fill(y.begin(), y.end(), Pair{});
  switch (x.layout) {
    case Layout::dense: return add_products<DenseView>(x, v.data(), y.data());
    case Layout::sparse: return add_products<SparseView>(x, v.data(), y.data());
    default: return add_products<BinaryView>(x, v.data(), y.data());
  }
}

/// Conjugate gradients for (S C S + ridge) u = S g, S = diag(scale), and what they tell about g^T S u.
struct Progress {
  double rr;         // squared length of the residual
  double radau;      // the error is at most radau rr
  double found = 0;  // g^T S u so far, which only grows

  double missing() const { return radau * rr; }

  /// The length of the next step, with the curvature along the direction.
  double step(double curvature) const { return rr > 0 ? rr / curvature : 0; }

  /// Takes this step, after which the residual has another length; returns by how much the direction is kept.
  double take(double step, double next, double ridge) {
    if (rr == 0) return 0;
    const double kept = next / rr;
    found += step * rr;
    // Gauss-Radau quadrature with a node at the ridge, below which there is no eigenvalue (Meurant and Tichy 2013,
    // "On computing quadrature-based bounds for the A-norm of the error in conjugate gradients").
    const double rest = std::max(0.0, radau - step);
    radau = rest > 0 ? rest / (ridge * rest + kept) : 0;
    rr = next;
    return kept;
  }
};

}  // namespace

ProjectedProduct projected_product(const FeatureRows& x, std::span<const double> g, std::span<const double> h,
                                   double accuracy) {
  const std::size_t d = x.dim;
  const std::vector<double> scale = scales(x);
  const auto seen = d - static_cast<std::size_t>(std::count(scale.begin(), scale.end(), 0.0));
  const double ridge = static_cast<double>(seen) / static_cast<double>(x.rows);
  Pairs residual(d), direction, scaled(d), product(d);
  for (std::size_t j = 0; j < d; ++j) residual[j] = scale[j] * Pair{g[j] + h[j], g[j] - h[j]};
  direction = residual;
  const Pair rr = dot(residual, residual);
  Progress sum{rr.sum, 1 / ridge}, difference{rr.difference, 1 / ridge};
  ProjectedProduct result;
  result.finite = std::isfinite(rr.total());
  // p(g, h) = (p(g + h, g + h) - p(g - h, g - h)) / 4
  const int most = static_cast<int>(std::min<std::size_t>(10 * (seen + 1), 10'000));
  const auto finish = [&] {
    result.value = (sum.found - difference.found) / 4;
    result.size = (sum.found + difference.found) / 4;
    result.missing = (sum.missing() + difference.missing()) / 4;
    return result.missing <= accuracy * result.size;
  };
  while (result.finite && !finish() && result.iterations < most) {
    for (std::size_t j = 0; j < d; ++j) scaled[j] = scale[j] * direction[j];
    multiply(x, scaled, product);
    for (std::size_t j = 0; j < d; ++j) product[j] = scale[j] * product[j] + ridge * direction[j];
    const Pair curvature = dot(direction, product);
    const Pair step{sum.step(curvature.sum), difference.step(curvature.difference)};
    for (std::size_t j = 0; j < d; ++j) residual[j] += -1 * (step * product[j]);
    const Pair next = dot(residual, residual);
    const Pair kept{sum.take(step.sum, next.sum, ridge), difference.take(step.difference, next.difference, ridge)};
    for (std::size_t j = 0; j < d; ++j) direction[j] = residual[j] + kept * direction[j];
    ++result.iterations;
  }
  return result;
}

}  // namespace bellwether
