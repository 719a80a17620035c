#pragma once

#include <Eigen/Core>
#include <cstdint>

#include <bellwether/linalg/svd/sketch.h>

namespace bellwether::testing {

/// The matrix S, one column at a time, from sparse vectors with one entry.
inline Eigen::MatrixXd matrix(const Sketch& S) {
  Eigen::MatrixXd all(S.rows(), S.columns());
  for (std::uint32_t j = 0; j < S.columns(); ++j) {
    const double one = 1;
    S.apply(SparseView{&j, &one, 1}, all.col(j).data(), nullptr);
  }
  return all;
}

}  // namespace bellwether::testing
