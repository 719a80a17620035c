#include <bellwether/metrics/exact.h>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/linalg/dense/dense_solve.h>

namespace bellwether {

namespace {

Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

const FiniteModel& table(const Domain& domain) {
  if (domain.model() == nullptr) {
    throw InvalidArgument(fmt::format("{}: the domain has no table of its states", domain.type()));
  }
  return *domain.model();
}

/// The features of every state, in the order of the table.
RowBuffer every_row(const Domain& domain, const FeatureMap& features) {
  RowBuffer rows(features.layout(), features.dim());
  const std::size_t n = table(domain).states;
  double state = domain.variables()[0].low;
  for (std::size_t s = 0; s < n; ++s, ++state) features.append({&state, 1}, rows, Moment::of_evaluation(s));
  return rows;
}

}  // namespace

Eigen::VectorXd KeySystem::solution() const {
  // Pivots below this share of the largest are rounding, not information: entries of A are sums of a few products of
  // inverses, good to about 1e-13.
  constexpr double rank_threshold = 1e-12;
  return shortest_solution(A, b, rank_threshold);
}

Exact::Exact(const FiniteModel& model, const FeatureRows& rows, std::span<const double> interest)
    : rows_(rows.layout, rows.dim) {
  if (rows.rows != model.states) {
    throw InvalidArgument(fmt::format("exact: {} rows of features for {} states", rows.rows, model.states));
  }
  if (!interest.empty() && interest.size() != model.states) {
    throw InvalidArgument(fmt::format("exact: {} interests for {} states", interest.size(), model.states));
  }
  const auto n = index(model.states);
  X_.setZero(n, index(rows.dim));
  for (std::size_t s = 0; s < rows.rows; ++s) {
    rows_.append(rows.row(s));
    visit(rows.row(s), [&](auto x) { x.for_each([&](std::size_t j, double v) { X_(index(s), index(j)) = v; }); });
  }
  P_.setZero(n, n);
  r_.setZero(n);
  for (const auto& arc : model.arcs) {
    const double target = arc.rho * arc.probability;
    r_[index(arc.from)] += target * arc.reward;
    if (arc.discount > 0) P_(index(arc.from), index(arc.to)) += target * arc.discount;
  }
  const auto visits = model.visit_distribution();
  d_ = Eigen::Map<const Eigen::VectorXd>(visits.data(), n);
  if (interest.empty()) interest_.setOnes(n);
  else interest_ = Eigen::Map<const Eigen::VectorXd>(interest.data(), n);
}

Exact::Exact(const Domain& domain, const FeatureMap& features, std::span<const double> interest)
    : Exact(table(domain), every_row(domain, features).view(), interest) {}

Eigen::VectorXd Exact::follow_on() const {
  const auto n = P_.rows();
  return LuFactors(Eigen::MatrixXd::Identity(n, n) - P_.transpose()).solve(Eigen::VectorXd(d_.cwiseProduct(interest_)));
}

Eigen::VectorXd Exact::emphasis(double lambda) const {
  return lambda * d_.cwiseProduct(interest_) + (1 - lambda) * follow_on();
}

KeySystem Exact::system(double lambda, Weighting weighting) const {
  const auto n = P_.rows();
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(n, n);
  const Eigen::VectorXd weights = weighting == Weighting::behaviour ? d_ : emphasis(lambda);
  // One solve for both: (I - lambda P)^-1 [(I - P) X, r].
  Eigen::MatrixXd right(n, X_.cols() + 1);
  right << (identity - P_) * X_, r_;
  const Eigen::MatrixXd solved = LuFactors(identity - lambda * P_).solve(right);
  const Eigen::MatrixXd weighted = X_.transpose() * weights.asDiagonal();
  return {weighted * solved.leftCols(X_.cols()), weighted * solved.rightCols(1)};
}

}  // namespace bellwether
