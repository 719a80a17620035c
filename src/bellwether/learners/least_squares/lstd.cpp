#include <bellwether/learners/least_squares/lstd.h>

#include <cassert>

#include <Eigen/Dense>

namespace bellwether {
namespace {

using System = std::variant<RecursiveLeastSquares, KeySums>;

System make_system(std::size_t dim, const LSTD::Params& params) {
  if (params.method == InverseMethod::direct) return System(std::in_place_type<KeySums>, dim, params.trace);
  return System(std::in_place_type<RecursiveLeastSquares>, dim, params.inverse_init, params.trace);
}

}  // namespace

LSTD::LSTD(const std::vector<Params>& members, std::size_t dim)
    : WeightsOnDemand(dim),
      roster_(members.size()),
      members_(members),
      system_(make_system(dim, checked(name, members.front()))),
      b_(dim, 0.0),
      w0_(dim, 0.0) {
  for ([[maybe_unused]] const Params& each : members) {
    assert(params().method == InverseMethod::direct || each.inverse_init == params().inverse_init);
    checked(name, each);
  }
}

Settings LSTD::findings(std::size_t) const {
  const auto* recursive = std::get_if<RecursiveLeastSquares>(&system_);
  return recursive == nullptr ? Settings{} : recursive->findings();
}

void LSTD::read(std::size_t member, std::span<double> w) const {
  if (const auto* recursive = std::get_if<RecursiveLeastSquares>(&system_)) recursive->read(w);
  else solve(member, w);
}

void LSTD::assign(std::span<const double> w) {
  w0_.assign(w.begin(), w.end());
  if (auto* recursive = std::get_if<RecursiveLeastSquares>(&system_)) recursive->assign(w);
}

void LSTD::merge(const LSTD& other) {
  if (auto* recursive = std::get_if<RecursiveLeastSquares>(&system_)) {
    return recursive->merge(name, std::get<RecursiveLeastSquares>(other.system_));
  }
  check_same_start(name, w0_, other.w0_);
  std::get<KeySums>(system_).merge(std::get<KeySums>(other.system_));
  kernels::axpy(1.0, other.b_.data(), b_.data(), dim());
}

/// w = w0 + (S + I/p0)^-1 b; the shortest least-squares solution when the matrix is singular.
void LSTD::solve(std::size_t member, std::span<double> w) const {
  const auto& sums = std::get<KeySums>(system_);
  const auto d = static_cast<Eigen::Index>(dim());
  const Eigen::Map<const Eigen::VectorXd> b(b_.data(), d);
  Eigen::MatrixXd A = Eigen::Map<const Eigen::MatrixXd>(sums.column(0), d, d);
  A.diagonal().array() += 1 / members_[member].inverse_init;
  Eigen::VectorXd correction = A.partialPivLu().solve(b);
  if (!correction.allFinite()) correction = A.completeOrthogonalDecomposition().solve(b);
  if (!correction.allFinite()) correction.setZero();
  Eigen::Map<Eigen::VectorXd>(w.data(), d) = Eigen::Map<const Eigen::VectorXd>(w0_.data(), d) + correction;
}

}  // namespace bellwether
