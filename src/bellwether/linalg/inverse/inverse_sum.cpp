#include <bellwether/linalg/inverse/inverse_sum.h>

#include <bellwether/linalg/dense/dense_solve.h>

namespace bellwether {

bool add_inverse(std::size_t n, double p0, double* P, std::size_t stride, double* u, const double* P_2,
                 const double* u_2) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto size = static_cast<Eigen::Index>(n);
  Eigen::Map<RowMajor, 0, Eigen::OuterStride<>> P1_rows(P, size, size,
                                                        Eigen::OuterStride<>(static_cast<Eigen::Index>(stride)));
  Eigen::Map<Eigen::VectorXd> u1(u, size);
  const Eigen::MatrixXd P1 = P1_rows;
  const Eigen::MatrixXd P2 = Eigen::Map<const RowMajor>(P_2, size, size);
  const Eigen::Map<const Eigen::VectorXd> u2(u_2, size);

  Eigen::MatrixXd K = P1 + P2;
  K.noalias() -= P1 * P2 / p0;
  const LuFactors lu(K);
  const Eigen::MatrixXd sum = P2 * lu.solve(P1);
  const Eigen::VectorXd solution = u2 + P2 * lu.solve(Eigen::VectorXd(u1 - u2 + P1 * u2 / p0));
  if (!sum.allFinite() || !solution.allFinite()) return false;
  P1_rows = sum;
  u1 = solution;
  return true;
}

}  // namespace bellwether
