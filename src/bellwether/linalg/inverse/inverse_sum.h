#pragma once

#include <cstddef>

namespace bellwether {

/// Puts together what regularised least squares has made of two sets of samples. Each has an inverse and a solution,
///
///   P_i = (I/p0 + S_i)^-1,  u_i = P_i b_i
///
/// and those of both sets follow without inverting P_1 or P_2, which may be close to singular where p0 is large:
///
///   K = P_1 + P_2 - P_1 P_2 / p0
///   P = (I/p0 + S_1 + S_2)^-1 = P_2 K^-1 P_1
///   u = P (b_1 + b_2) = u_2 + P_2 K^-1 (u_1 - u_2 + P_1 u_2 / p0)
///
/// P holds P_1 and becomes the sum's, its rows `stride` apart, and u the same; P_2 has n numbers a row. False when K is
/// singular: nothing has changed then. O(n^3), and allocates.
bool add_inverse(std::size_t n, double p0, double* P, std::size_t stride, double* u, const double* P_2,
                 const double* u_2);

}  // namespace bellwether
