#pragma once

#include <algorithm>
#include <cstddef>

namespace bellwether {

/// c_i = 1 / N_i for equations whose errors have the variances N_i, bounded by 1e6 times the inverse of their mean; 0
/// for an equation of zeros.
inline void weigh_equations(const double* noise, std::size_t n, double* c) {
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sum += noise[i];
    count += noise[i] > 0 ? 1 : 0;
  }
  const double least = count > 0 ? 1e-6 * sum / count : 0;
  for (std::size_t i = 0; i < n; ++i) c[i] = noise[i] > 0 ? 1 / std::max(noise[i], least) : 0;
}

}  // namespace bellwether
