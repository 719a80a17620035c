#pragma once

#include <cstddef>

namespace bellwether {

/// Combines regularised least-squares solutions of two sets of samples. Each has an inverse and a solution,
///
///   P_i = (I/p0 + S_i)^-1,  u_i = P_i b_i
///
/// and those of the union follow without inverting P_1 or P_2, which may be close to singular where p0 is large:
///
///   K = P_1 + P_2 - P_1 P_2 / p0
///   P = (I/p0 + S_1 + S_2)^-1 = P_2 K^-1 P_1
///   u = P (b_1 + b_2) = u_2 + P_2 K^-1 (u_1 - u_2 + P_1 u_2 / p0)
///
/// P and u hold P_1 and u_1 and are replaced by those of the union. Rows of P are `stride` apart, those of P_2 n. False
/// when K is singular; nothing has changed then. O(n^3). Allocates.
bool add_inverse(std::size_t n, double p0, double* P, std::size_t stride, double* u, const double* P_2,
                 const double* u_2);

}  // namespace bellwether
