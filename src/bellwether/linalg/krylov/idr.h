#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include <bellwether/core/support/thread_team.h>

namespace bellwether {

/// Solves A x = b by IDR(s), preconditioned by M, for a matrix A of which only products A v are known.
///
/// Residuals are forced into spaces G_0, G_1, ... that shrink by s dimensions each time,
///
///   G_{j+1} = (I - omega_j A M^-1) (G_j n P^perp)        P: s vectors, here of random signs
///
/// by recurrences over s vectors, so that memory and time per iteration do not grow as they do with GMRES: 2 s + 5
/// vectors, of which an iteration reads and writes 19 numbers a feature, s = 4, in four passes. In practice it needs
/// few more products than GMRES, which needs the fewest possible. Residuals may rise for a while. Sums have a fixed
/// order: the same equations give the same bits, for any number of threads.
///
/// van Gijzen, Sonneveld (2011), Algorithm 913: an elegant IDR(s) variant that efficiently exploits biorthogonality
/// properties, ACM TOMS 38(1), doi:10.1145/2049662.2049667. GMRES: Saad, Schultz (1986), doi:10.1137/0907058.
struct Idr {
  using Operator = std::function<void(const double* v, double* out)>;

  Operator multiply;                        // out = A v
  Operator precondition;                    // out = M^-1 v
  std::size_t iterations = 1000;            // at most
  double tolerance = 1e-12;                 // of |b - A x| / |b|
  ThreadTeam* team = &ThreadTeam::alone();  // for what is done with vectors

  struct Result {
    std::size_t iterations = 0;  // products with A, except those that only check
    double residual = 0;         // |b - A x| / |b| by its definition; 0 when b is 0
  };

  /// Starts from `x` and replaces it by the solution. Stops when the residual is small enough, when restarts from the
  /// current x do not reduce it (rounding, or a singular matrix), after `iterations`, or when numbers leave the finite
  /// range; x is then the best of those at which the residual was checked. A few features, above all repeated ones, may
  /// be orthogonal to the random signs, so while the residual is large restarts draw others.
  Result solve(std::span<const double> b, std::span<double> x) const;
};

}  // namespace bellwether
