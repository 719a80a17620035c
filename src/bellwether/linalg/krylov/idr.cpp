#include <bellwether/linalg/krylov/idr.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {
namespace {

constexpr std::size_t s = 4;  // with more there are fewer products but longer iterations

/// Vectors are worked on in pieces of so many numbers, which stay in the fastest cache while all that can be done with
/// them is done: memory is read once for a pass, not once for an operation.
constexpr std::size_t piece = 256;

/// How often other signs are tried, and from which residual on the equations count as solved: what is left is rounding.
constexpr int most_draws = 16;
constexpr double solved = 1e-6;

/// Pieces that a thread takes at once.
constexpr std::size_t pieces_a_turn = 32;

/// omega minimises the residual. Where A M^-1 r is nearly orthogonal to r it is made longer: a tiny omega would make
/// the recurrences lose their digits (Sleijpen and van der Vorst 1995).
constexpr double least_cosine = 0.7;

double squares(const double* v, std::size_t n) { return kernels::dot(v, v, n); }
double norm(const double* v, std::size_t n) { return std::sqrt(squares(v, n)); }

/// +1 or -1, by mixing bits.
double sign(std::uint64_t i) {
  i += 0x9E3779B97F4A7C15U;
  i = (i ^ (i >> 30U)) * 0xBF58476D1CE4E5B9U;
  i = (i ^ (i >> 27U)) * 0x94D049BB133111EBU;
  return ((i >> 31U) & 1U) != 0 ? 1.0 : -1.0;
}

using Few = std::array<double, s>;

/// The s vectors of signs: the same random pattern in every piece, with a random sign for each piece. They take no
/// memory, and projections hardly any time to read.
class Signs {
 public:
  explicit Signs(std::uint64_t draw = 0) {
    for (std::size_t i = 0; i < pattern_.size(); ++i) pattern_[i] = sign((draw << 32U) + i);
  }

  /// sum += P^T v, for the piece of v that begins at `first` and has n numbers.
  void add(const double* v, std::size_t first, std::size_t n, Few& sum) const {
    for (std::size_t i = 0; i < s; ++i) {
      sum[i] += sign(~(first / piece * s + i)) * kernels::dot(pattern_.data() + i * piece, v, n);
    }
  }

 private:
  std::array<double, s * piece> pattern_;
};

/// The vectors of the recurrences. r = b - A x is updated, not recomputed, so rounding errors accumulate in it.
class Recurrence {
 public:
  Recurrence(const Idr& equations, std::size_t n)
      : equations_(equations), n_(n), U_(s * n), G_(s * n), v_(n), t_(n), sums_((n + piece - 1) / piece) {}

  /// Iterates from x and r until |r| <= enough, `budget` products are used, or the recurrences break down: few features
  /// may be orthogonal to the random signs; those of another draw may do better. Returns the number of products.
  std::size_t run(double* x, double* r, double enough, std::size_t budget, std::uint64_t draw) {
    P_ = Signs(draw);
    std::fill(U_.begin(), U_.end(), 0.0);
    std::fill(G_.begin(), G_.end(), 0.0);
    M_ = {};
    for (std::size_t i = 0; i < s; ++i) M_[i][i] = 1;
    double omega = 1;
    const double begin = norm(r, n_);
    double size = begin;
    std::size_t made = 0;
    bool breaks_down = false;
    const auto goes_on = [&] { return made < budget && size > enough && size < 1e8 * begin; };
    Sums sums = in_pieces([&](std::size_t j, std::size_t n, Sums& sum) { P_.add(r + j, j, n, sum.projection); });
    Few f = sums.projection;  // P^T r
    while (goes_on()) {
      for (std::size_t k = 0; k < s; ++k) {
        next_direction(k, r, f, omega);
        ++made;
        const Few a = orthogonalise(k);
        breaks_down = !std::isfinite(M_[k][k]) || M_[k][k] == 0;
        if (breaks_down) break;  // the step below makes the residual smaller all the same
        const double beta = f[k] / M_[k][k];
        size = step(k, a, beta, x, r);
        for (std::size_t i = k + 1; i < s; ++i) f[i] -= beta * M_[i][k];
        if (!goes_on()) return made;
      }
      // The next space: r -= omega t, x += omega v with v = M^-1 r, t = A v and omega = t.r / t.t
      equations_.precondition(r, v_.data());
      equations_.multiply(v_.data(), t_.data());
      ++made;
      sums = in_pieces([&](std::size_t j, std::size_t n, Sums& sum) {
        sum.squares = squares(t_.data() + j, n);
        sum.product = kernels::dot(t_.data() + j, r + j, n);
      });
      const double tt = sums.squares;
      const double tr = sums.product;
      if (!(tt > 0)) return made;
      const double cosine = std::abs(tr) / (std::sqrt(tt) * size);
      omega = tr / tt;
      if (!(cosine > 0)) return made;
      if (cosine < least_cosine) omega *= least_cosine / cosine;
      sums = in_pieces([&](std::size_t j, std::size_t n, Sums& sum) {
        kernels::axpy(omega, v_.data() + j, x + j, n);
        kernels::axpy(-omega, t_.data() + j, r + j, n);
        sum.squares = squares(r + j, n);
        P_.add(r + j, j, n, sum.projection);
      });
      f = sums.projection;
      size = std::sqrt(sums.squares);
      if (breaks_down) return made;
    }
    return made;
  }

 private:
  double* U(std::size_t i) { return U_.data() + i * n_; }
  double* G(std::size_t i) { return G_.data() + i * n_; }

  /// What passes over the vectors sum up.
  struct Sums {
    double squares = 0, product = 0;
    Few projection{};
  };

  /// Calls use(first, count, sum) for all pieces. Returns the sums, which are added piece by piece, in order.
  template <class Use>
  Sums in_pieces(const Use& use) {
    equations_.team->run_ranges(sums_.size(), pieces_a_turn, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        sums_[i] = {};
        use(i * piece, std::min(piece, n_ - i * piece), sums_[i]);
      }
    });
    Sums all;
    for (const Sums& each : sums_) {
      all.squares += each.squares;
      all.product += each.product;
      for (std::size_t i = 0; i < s; ++i) all.projection[i] += each.projection[i];
    }
    return all;
  }

  /// u_k, and g_k = A u_k, which is not yet orthogonal to anything.
  void next_direction(std::size_t k, const double* r, const Few& f, double omega) {
    // M c = f from k on
    Few c{};
    for (std::size_t i = k; i < s; ++i) {
      c[i] = f[i];
      for (std::size_t j = k; j < i; ++j) c[i] -= M_[i][j] * c[j];
      c[i] /= M_[i][i];
    }
    // u_k = omega M^-1 (r - sum_i c_i g_i) + sum_i c_i u_i, i >= k
    in_pieces([&](std::size_t j, std::size_t n, Sums&) {
      std::copy_n(r + j, n, t_.data() + j);
      for (std::size_t i = k; i < s; ++i) kernels::axpy(-c[i], G(i) + j, t_.data() + j, n);
    });
    equations_.precondition(t_.data(), v_.data());
    in_pieces([&](std::size_t j, std::size_t n, Sums&) {
      kernels::scale_axpy(c[k], omega, v_.data() + j, U(k) + j, n);
      for (std::size_t i = k + 1; i < s; ++i) kernels::axpy(c[i], U(i) + j, U(k) + j, n);
    });
    equations_.multiply(U(k), G(k));
  }

  /// The factors a with which g_k - sum_{i<k} a_i g_i is orthogonal to p_0 .. p_{k-1}, by M = P^T G, which is lower
  /// triangular; and its column k.
  Few orthogonalise(std::size_t k) {
    const Sums sums =
        in_pieces([&](std::size_t j, std::size_t n, Sums& sum) { P_.add(G(k) + j, j, n, sum.projection); });
    Few a = sums.projection;  // P^T g_k
    for (std::size_t i = 0; i < s; ++i) {
      for (std::size_t j = 0; j < std::min(i, k); ++j) a[i] -= a[j] * M_[i][j];
      if (i < k) a[i] /= M_[i][i];
      else M_[i][k] = a[i];
    }
    return a;
  }

  /// g_k -= sum_{i<k} a_i g_i, r -= beta g_k, and the same for u_k and x. Returns |r|.
  double step(std::size_t k, const Few& a, double beta, double* x, double* r) {
    const Sums sums = in_pieces([&](std::size_t j, std::size_t n, Sums& sum) {
      for (std::size_t i = 0; i < k; ++i) {
        kernels::axpy(-a[i], G(i) + j, G(k) + j, n);
        kernels::axpy(-a[i], U(i) + j, U(k) + j, n);
      }
      kernels::axpy(-beta, G(k) + j, r + j, n);
      kernels::axpy(beta, U(k) + j, x + j, n);
      sum.squares = squares(r + j, n);
    });
    return std::sqrt(sums.squares);
  }

  const Idr& equations_;
  std::size_t n_;
  Signs P_;
  std::vector<double> U_, G_;
  std::vector<double> v_, t_;
  std::vector<Sums> sums_;  // of the pieces
  std::array<Few, s> M_{};
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
  for (int draw = 0; result.residual > tolerance && result.iterations < iterations;) {
    result.iterations += recurrence.run(candidate.data(), r.data(), 0.5 * tolerance * size,
                                        iterations - result.iterations, static_cast<std::uint64_t>(draw));
    const double now = check(candidate.data());
    const bool worthwhile = now < 0.5 * result.residual;
    if (now < result.residual) {
      std::copy(candidate.begin(), candidate.end(), x.begin());
      result.residual = now;
    }
    if (worthwhile) continue;
    if (result.residual <= solved || ++draw == most_draws) break;
    std::copy(x.begin(), x.end(), candidate.begin());
    check(candidate.data());
  }
  return result;
}

}  // namespace bellwether
