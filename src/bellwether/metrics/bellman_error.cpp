#include <bellwether/metrics/bellman_error.h>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/linalg/dense/dense_solve.h>
#include <bellwether/linalg/simd/values.h>

namespace bellwether {

namespace {

/// Weights of the states, scaled to sum to one.
Eigen::VectorXd shares(const Exact& exact, double lambda, Weighting weighting) {
  const Eigen::VectorXd c = weighting == Weighting::behaviour ? exact.d() : exact.emphasis(lambda);
  return c / c.sum();
}

Eigen::MatrixXd identity_minus(const Eigen::MatrixXd& P) { return Eigen::MatrixXd::Identity(P.rows(), P.cols()) - P; }

}  // namespace

BellmanError::BellmanError(const Exact& exact, Eigen::MatrixXd M, Eigen::VectorXd c)
    : rows_(exact.rows()), M_(std::move(M)), c_(std::move(c)), residual_(c_.size()), values_(rows_.rows()) {}

BellmanError BellmanError::mean_squared(const Exact& exact) {
  const Eigen::VectorXd root = shares(exact, 0, Weighting::behaviour).cwiseMax(0).cwiseSqrt();
  return {exact, root.asDiagonal() * identity_minus(exact.P()), root.cwiseProduct(exact.r())};
}

BellmanError BellmanError::projected(const Exact& exact, double lambda, Weighting weighting) {
  // With Q an orthonormal basis of the columns of D^1/2 X, D^1/2 Pi y = Q Q^T D^1/2 y, whose length is that of
  // Q^T D^1/2 y. Directions below this share of the largest are rounding, not features.
  constexpr double rank_threshold = 1e-12;
  const Eigen::VectorXd root = shares(exact, lambda, weighting).cwiseMax(0).cwiseSqrt();
  const Eigen::MatrixXd Q = column_basis(root.asDiagonal() * exact.X(), rank_threshold);

  // Q^T D^1/2 (I - lambda P)^-1, from the transposed system.
  const Eigen::MatrixXd right = root.asDiagonal() * Q;
  const Eigen::MatrixXd left = LuFactors(identity_minus(lambda * exact.P()).transpose()).solve(right).transpose();
  return {exact, left * identity_minus(exact.P()), left * exact.r()};
}

double BellmanError::operator()(std::span<const double> w) {
  values_of(rows_.view(), w, values_);
  return of(values_);
}

double BellmanError::of(std::span<const double> values) {
  if (values.size() != values_.size()) {
    throw InvalidArgument(fmt::format("bellman error: {} values for {} states", values.size(), values_.size()));
  }
  residual_ = c_;
  residual_.noalias() -= M_ * Eigen::Map<const Eigen::VectorXd>(values.data(), M_.cols());
  return residual_.squaredNorm();
}

Evaluator fixed_point_distance(const Exact& exact, double lambda, Weighting weighting) {
  const Eigen::VectorXd values = exact.X() * exact.system(lambda, weighting).solution();
  const Eigen::VectorXd weights = shares(exact, lambda, weighting).cwiseMax(0);
  const auto span = [](const Eigen::VectorXd& v) { return std::span(v.data(), static_cast<std::size_t>(v.size())); };
  EvaluationSet set(exact.rows().view(), span(values));
  set.weigh(span(weights));
  return {std::move(set), ValueError::rmse};
}

}  // namespace bellwether
