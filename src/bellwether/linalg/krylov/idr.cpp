#include <bellwether/linalg/krylov/idr.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {
namespace {

constexpr std::size_t s = 4;  // with more there are fewer products but longer iterations

/// omega minimises the residual. Where A M^-1 r is nearly orthogonal to r it is made longer: a tiny omega would make
/// the recurrences lose their digits (Sleijpen and van der Vorst 1995).
constexpr double least_cosine = 0.7;

double norm(const double* v, std::size_t n) { return std::sqrt(kernels::dot(v, v, n)); }

/// +1 or -1, by mixing bits.
double sign(std::uint64_t i) {
  i += 0x9E3779B97F4A7C15U;
  i = (i ^ (i >> 30U)) * 0xBF58476D1CE4E5B9U;
  i = (i ^ (i >> 27U)) * 0x94D049BB133111EBU;
  return ((i >> 31U) & 1U) != 0 ? 1.0 : -1.0;
}

/// The vectors of the recurrences. r = b - A x is updated, not recomputed, so rounding errors accumulate in it.
class Recurrence {
 public:
  Recurrence(const Idr& equations, std::size_t n)
      : equations_(equations), n_(n), P_(s * n), U_(s * n), G_(s * n), v_(n), t_(n) {
    for (std::size_t i = 0; i < P_.size(); ++i) P_[i] = sign(i);
  }

  /// Iterates from x and r until |r| <= enough, `budget` products are used, or the recurrences break down. Returns the
  /// number of products.
  std::size_t run(double* x, double* r, double enough, std::size_t budget) {
    std::fill(U_.begin(), U_.end(), 0.0);
    std::fill(G_.begin(), G_.end(), 0.0);
    M_ = {};
    for (std::size_t i = 0; i < s; ++i) M_[i][i] = 1;
    double omega = 1;
    const double begin = norm(r, n_);
    std::size_t made = 0;
    const auto goes_on = [&] {
      const double size = norm(r, n_);
      return made < budget && size > enough && size < 1e8 * begin;
    };
    while (goes_on()) {
      std::array<double, s> f;  // P^T r
      for (std::size_t i = 0; i < s; ++i) f[i] = kernels::dot(P(i), r, n_);
      for (std::size_t k = 0; k < s; ++k) {
        if (!next_direction(k, r, f, omega)) return made;
        ++made;
        const double beta = f[k] / M_[k][k];
        kernels::axpy(-beta, G(k), r, n_);
        kernels::axpy(beta, U(k), x, n_);
        for (std::size_t i = k + 1; i < s; ++i) f[i] -= beta * M_[i][k];
        if (!goes_on()) return made;
      }
      // The next space: r -= omega t, x += omega v with v = M^-1 r, t = A v and omega = t.r / t.t
      equations_.precondition(r, v_.data());
      equations_.multiply(v_.data(), t_.data());
      ++made;
      const double tt = kernels::dot(t_.data(), t_.data(), n_);
      const double tr = kernels::dot(t_.data(), r, n_);
      if (!(tt > 0)) return made;
      const double cosine = std::abs(tr) / (std::sqrt(tt) * norm(r, n_));
      omega = tr / tt;
      if (!(cosine > 0)) return made;
      if (cosine < least_cosine) omega *= least_cosine / cosine;
      kernels::axpy(omega, v_.data(), x, n_);
      kernels::axpy(-omega, t_.data(), r, n_);
    }
    return made;
  }

 private:
  double* P(std::size_t i) { return P_.data() + i * n_; }
  double* U(std::size_t i) { return U_.data() + i * n_; }
  double* G(std::size_t i) { return G_.data() + i * n_; }

  /// u_k and g_k = A u_k with g_k orthogonal to p_0 .. p_{k-1}; M = P^T G is lower triangular. False when it breaks
  /// down.
  bool next_direction(std::size_t k, const double* r, const std::array<double, s>& f, double omega) {
    // M c = f from k on
    std::array<double, s> c{};
    for (std::size_t i = k; i < s; ++i) {
      c[i] = f[i];
      for (std::size_t j = k; j < i; ++j) c[i] -= M_[i][j] * c[j];
      c[i] /= M_[i][i];
    }
    // u_k = omega M^-1 (r - sum_i c_i g_i) + sum_i c_i u_i, i >= k
    std::copy_n(r, n_, t_.data());
    for (std::size_t i = k; i < s; ++i) kernels::axpy(-c[i], G(i), t_.data(), n_);
    equations_.precondition(t_.data(), v_.data());
    kernels::scale(c[k], U(k), n_);
    kernels::axpy(omega, v_.data(), U(k), n_);
    for (std::size_t i = k + 1; i < s; ++i) kernels::axpy(c[i], U(i), U(k), n_);
    equations_.multiply(U(k), G(k));
    for (std::size_t i = 0; i < k; ++i) {
      const double a = kernels::dot(P(i), G(k), n_) / M_[i][i];
      kernels::axpy(-a, G(i), G(k), n_);
      kernels::axpy(-a, U(i), U(k), n_);
    }
    for (std::size_t i = k; i < s; ++i) M_[i][k] = kernels::dot(P(i), G(k), n_);
    return std::isfinite(M_[k][k]) && M_[k][k] != 0;
  }

  const Idr& equations_;
  std::size_t n_;
  std::vector<double> P_, U_, G_;
  std::vector<double> v_, t_;
  std::array<std::array<double, s>, s> M_{};
};

}  // namespace

Idr::Result Idr::solve(std::span<const double> b, std::span<double> x) const {
  const std::size_t n = b.size();
  const double size = norm(b.data(), n);
  Result result;
  if (!(size > 0) || !std::isfinite(size)) return result;
  std::vector<double> r(n);
  const auto check = [&](const double* at) {
    multiply(at, r.data());
    for (std::size_t i = 0; i < n; ++i) r[i] = b[i] - r[i];
    return norm(r.data(), n) / size;
  };
  result.residual = check(x.data());
  Recurrence recurrence(*this, n);
  std::vector<double> candidate(x.begin(), x.end());
  while (result.residual > tolerance && result.iterations < iterations) {
    const std::size_t made =
        recurrence.run(candidate.data(), r.data(), 0.5 * tolerance * size, iterations - result.iterations);
    result.iterations += made;
    const double now = check(candidate.data());
    if (!(now < result.residual)) break;
    const bool worthwhile = now < 0.5 * result.residual;
    std::copy(candidate.begin(), candidate.end(), x.begin());
    result.residual = now;
    if (!worthwhile) break;
  }
  return result;
}

}  // namespace bellwether
