#include <bellwether/linalg/svd/rank_one_term.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/kernels.h>
#include <bellwether/linalg/svd/secular.h>

namespace bellwether {

RankOneTerm::RankOneTerm(std::size_t capacity)
    : kept_index(capacity), deflated_index(capacity), stride_(padded(capacity)) {
  const std::size_t size = stride_ + Eight::width;
  rotations.reserve(capacity);
  for (auto* numbers : {&z, &offset, &factor}) numbers->resize(size);
  near.resize(size);
  vectors.resize(capacity * stride_);
  Equation& e = equation_;
  for (auto* numbers : {&e.pole, &e.pole_low, &e.nearest, &e.nearest_low, &e.weight, &e.offset}) numbers->resize(size);
  e.near.resize(size);
  e.room.resize(capacity * Eight::width);
}

bool RankOneTerm::solve(std::size_t n, double rho, double* full_z, double* high, double* low) {
  const double squares = kernels::dot(full_z, full_z, n);
  if (squares == 0) return false;
  rho *= squares;
  kernels::scale(1 / std::sqrt(squares), full_z, n);
  const double largest = std::max({std::abs(high[0] + low[0]), std::abs(high[n - 1] + low[n - 1]), std::abs(rho)});
  deflate(n, rho, 8 * std::numeric_limits<double>::epsilon() * largest, full_z, high, low);
  if (kept == 0) return false;
  find_roots(rho, largest, full_z, high, low);
  find_vectors(largest, high, low);
  return true;
}

/// Sorts the components into those that take part and those that do not.
void RankOneTerm::deflate(std::size_t n, double rho, double tolerance, double* full_z, double* high, double* low) {
  rotations.clear();
  kept = 0;
  std::size_t deflated = 0;
  bool pending = false;
  std::uint32_t p = 0;  // the component before i that takes part, unless i can replace it
  for (std::uint32_t i = 0; i < n; ++i) {
    if (std::abs(rho * full_z[i]) <= tolerance) {
      deflated_index[deflated++] = i;
      continue;
    }
    if (pending) {
      // The rotation by c = z_i / r, s = -z_p / r, r^2 = z_p^2 + z_i^2, moves all of z_p to z_i. It turns
      // diag(lambda_p, lambda_i) into a matrix with the off-diagonal entry (lambda_i - lambda_p) c s.
      const double length = std::sqrt(full_z[p] * full_z[p] + full_z[i] * full_z[i]);
      const double c = full_z[i] / length;
      const double s = -full_z[p] / length;
      const double gap = (high[i] - high[p]) + (low[i] - low[p]);
      if (std::abs(gap * c * s) <= tolerance) {
        rotations.push_back({p, i, c, s});
        high[p] += low[p] + gap * s * s;
        high[i] += low[i] - gap * s * s;
        low[p] = low[i] = 0;
        full_z[i] = length;
        deflated_index[deflated++] = p;
      } else {
        kept_index[kept++] = p;
      }
    }
    p = i;
    pending = true;
  }
  if (pending) kept_index[kept++] = p;
}

/// near, offset, sign and z. The secular equation asks for rho > 0 and ascending poles: where rho < 0, -G is solved.
/// Numbers are scaled to about one by a power of two, which is exact.
void RankOneTerm::find_roots(double rho, double largest, const double* full_z, const double* high, const double* low) {
  const std::size_t n = kept;
  Equation& e = equation_;
  const bool up = rho > 0;
  const auto index = [&](std::size_t i) { return kept_index[up ? n - 1 - i : i]; };
  int exponent;
  std::frexp(largest, &exponent);
  const double scale = std::ldexp(up ? 1.0 : -1.0, -exponent);
  const double unscale = std::ldexp(up ? 1.0 : -1.0, exponent);
  for (std::size_t i = 0; i < n; ++i) {
    e.pole[i] = scale * high[index(i)];
    e.pole_low[i] = scale * low[index(i)];
    e.weight[i] = full_z[index(i)] * full_z[index(i)];
  }
  for (std::size_t i = n; i < padded(n + 1); ++i) {  // an upper bound of the last root: pole + rho |z|^2
    e.pole[i] = e.pole[n - 1] + scale * rho;
    e.pole_low[i] = e.pole_low[n - 1];
    e.weight[i] = 0;
  }
  const secular::Poles poles{e.pole.data(), e.pole_low.data()};
  secular::solve(n, scale * rho, poles, e.weight.data(), e.near.data(), e.offset.data(), e.room.data());
  secular::exact_weights(n, poles, e.near.data(), e.offset.data(), e.weight.data());

  sign = up ? 1 : -1;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t c = up ? n - 1 - i : i;
    z[c] = std::copysign(std::sqrt(std::abs(e.weight[i] * unscale)), full_z[index(i)]);
    near[c] = index(e.near[i]);
    offset[c] = unscale * e.offset[i];
  }
}

/// q_c = factor_c (diag(lambda) - mu_c)^-1 z. Numbers are scaled to about one here too, lambda and mu by an even power
/// of two and z by its root, so that products of lambdas neither vanish nor overflow.
void RankOneTerm::find_vectors(double largest, const double* high, const double* low) {
  const std::size_t n = kept;
  Equation& e = equation_;
  int exponent;
  std::frexp(largest, &exponent);
  const int half = exponent / 2;
  const double scale = std::ldexp(1.0, -2 * half);
  for (std::size_t c = 0; c < n; ++c) {
    e.pole[c] = scale * high[kept_index[c]];
    e.pole_low[c] = scale * low[kept_index[c]];
    e.nearest[c] = scale * high[near[c]];
    e.nearest_low[c] = scale * low[near[c]];
    e.weight[c] = std::ldexp(z[c], -half);
    e.offset[c] = scale * offset[c];
  }
  for (std::size_t c = n; c < padded(n); ++c) {  // the columns of the padding should be finite
    e.nearest[c] = e.nearest[n - 1];
    e.nearest_low[c] = e.nearest_low[n - 1];
    e.offset[c] = e.offset[n - 1];
    offset[c] = offset[n - 1];
  }
  secular::vectors(n, {e.pole.data(), e.pole_low.data()}, e.weight.data(), {e.nearest.data(), e.nearest_low.data()},
                   e.offset.data(), vectors.data(), stride_, factor.data());
  kernels::scale(std::ldexp(1.0, half), factor.data(), padded(n));
}

}  // namespace bellwether
