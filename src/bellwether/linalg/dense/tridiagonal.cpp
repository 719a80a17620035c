#include <bellwether/linalg/dense/tridiagonal.h>

#include <cmath>
#include <utility>

namespace bellwether {

Tridiagonal::Tridiagonal(std::size_t n, double a)
    : lower_(n, 0.0), diagonal_(n, a), upper_(n, 0.0), r0_(n), r1_(n), r2_(n) {}

bool Tridiagonal::solve(double* y) {
  const std::size_t n = size();
  // The row being eliminated, and its largest entry, which its pivot is compared with.
  double a = diagonal_[0];
  double b = upper_[0];
  double scale = std::fmax(std::abs(a), std::abs(b));
  for (std::size_t i = 0; i + 1 < n; ++i) {
    double l = lower_[i];
    double m = diagonal_[i + 1];
    double u = upper_[i + 1];
    double next_scale = std::fmax(std::fmax(std::abs(l), std::abs(m)), std::abs(u));
    double c = 0;
    if (std::abs(l) > std::abs(a)) {
      std::swap(a, l);
      std::swap(b, m);
      std::swap(c, u);
      std::swap(scale, next_scale);
      std::swap(y[i], y[i + 1]);
    }
    if (!(std::abs(a) > 1e-14 * scale)) return false;
    r0_[i] = 1 / a;
    const double factor = l * r0_[i];
    r1_[i] = b;
    r2_[i] = c;
    a = m - factor * b;
    b = u - factor * c;
    y[i + 1] -= factor * y[i];
    scale = next_scale;
  }
  if (!(std::abs(a) > 1e-14 * scale)) return false;
  y[n - 1] /= a;
  for (std::size_t i = n - 1; i-- > 0;) {
    double sum = y[i] - r1_[i] * y[i + 1];
    if (i + 2 < n) sum -= r2_[i] * y[i + 2];
    y[i] = sum * r0_[i];
  }
  return true;
}

}  // namespace bellwether
