#include <bellwether/learners/least_squares/equations/damped_sums.h>

#include <cmath>
#include <limits>

#include <bellwether/linalg/dense/dense_solve.h>
#include <bellwether/linalg/krylov/equation_weights.h>

namespace bellwether {

/// The rows of A are those of S divided by sqrt(N_i), and sqrt(kappa) I below them: then F(v) = |A v - a|^2.
std::vector<double> DampedSums::solution(double damping) const {
  const std::size_t n = equations_.size();
  std::vector<double> v(n, 0.0);
  const double kappa = steps_ == 0 ? 0 : damping * squares_ / static_cast<double>(steps_);
  if (!(kappa > 0)) return v;
  std::vector<double> root(n);
  weigh_equations(equations_.noise(), n, root.data());
  for (double& each : root) each = std::sqrt(each);
  const auto d = static_cast<Eigen::Index>(n);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * d, d);
  Eigen::VectorXd a = Eigen::VectorXd::Zero(2 * d);
  equations_.residual(v.data(), a.data());  // b
  for (Eigen::Index i = 0; i < d; ++i) {
    a[i] *= root[static_cast<std::size_t>(i)];
    A(d + i, i) = std::sqrt(kappa);
  }
  for (std::size_t j = 0; j < n; ++j) {
    const double* column = equations_.column(j);
    for (std::size_t i = 0; i < n; ++i) {
      A(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = root[i] * column[i];
    }
  }
  const Eigen::VectorXd found = shortest_solution(A, a, std::numeric_limits<double>::epsilon());
  if (found.allFinite()) Eigen::Map<Eigen::VectorXd>(v.data(), d) = found;
  return v;
}

}  // namespace bellwether
