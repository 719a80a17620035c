#include <bellwether/learners/lstd.h>

#include <Eigen/Dense>

namespace bellwether {
namespace {

using System = std::variant<RecursiveLeastSquares, KeySums>;

System make_system(std::size_t dim, const LSTD::Params& params) {
  if (params.method == InverseMethod::direct) return System(std::in_place_type<KeySums>, dim, params.trace);
  return System(std::in_place_type<RecursiveLeastSquares>, dim, params.inverse_init, params.trace);
}

}  // namespace

LSTD::LSTD(std::size_t dim, const Params& params)
    : WeightsOnDemand(dim), params_(checked(name, params)), system_(make_system(dim, params)), w0_(dim, 0.0) {}

Settings LSTD::findings() const {
  const auto* recursive = std::get_if<RecursiveLeastSquares>(&system_);
  return recursive == nullptr ? Settings{} : recursive->findings();
}

void LSTD::read(std::span<double> w) const {
  if (const auto* recursive = std::get_if<RecursiveLeastSquares>(&system_)) recursive->read(w);
  else solve(w);
}

void LSTD::assign(std::span<const double> w) {
  w0_.assign(w.begin(), w.end());
  if (auto* recursive = std::get_if<RecursiveLeastSquares>(&system_)) recursive->assign(w);
}

/// w = w0 + (S + I/p0)^-1 b; the shortest least-squares solution when the matrix is singular.
void LSTD::solve(std::span<double> w) const {
  const auto& sums = std::get<KeySums>(system_);
  const auto d = static_cast<Eigen::Index>(dim());
  const Eigen::Map<const Eigen::VectorXd> b(sums.b().data(), d);
  Eigen::MatrixXd A = Eigen::Map<const Eigen::MatrixXd>(sums.column(0), d, d);
  A.diagonal().array() += 1 / params_.inverse_init;
  Eigen::VectorXd correction = A.partialPivLu().solve(b);
  if (!correction.allFinite()) correction = A.completeOrthogonalDecomposition().solve(b);
  if (!correction.allFinite()) correction.setZero();
  Eigen::Map<Eigen::VectorXd>(w.data(), d) = Eigen::Map<const Eigen::VectorXd>(w0_.data(), d) + correction;
}

}  // namespace bellwether
