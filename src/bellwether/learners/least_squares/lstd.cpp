#include <bellwether/learners/least_squares/lstd.h>

#include <limits>

#include <bellwether/linalg/dense/dense_solve.h>

namespace bellwether {
namespace {

using Matrix = std::variant<RecursiveLeastSquares, KeySums, DampedSums>;

Matrix make_matrix(std::size_t dim, const LSTDRule::Params& params) {
  if (params.damping > 0) return Matrix(std::in_place_type<DampedSums>, dim, params.trace);
  if (params.method == InverseMethod::direct) return Matrix(std::in_place_type<KeySums>, dim, params.trace);
  return Matrix(std::in_place_type<RecursiveLeastSquares>, dim, params.inverse_init, params.trace);
}

/// w = w0 + (S + ridge I)^-1 b; the shortest least-squares solution when the matrix is singular.
void solve(const KeySums& sums, double ridge, const std::vector<double>& b, const std::vector<double>& w0, double* w) {
  const auto d = static_cast<Eigen::Index>(sums.dim());
  const Eigen::VectorXd right_side = Eigen::Map<const Eigen::VectorXd>(b.data(), d);
  Eigen::MatrixXd A = Eigen::Map<const Eigen::MatrixXd>(sums.column(0), d, d);
  A.diagonal().array() += ridge;
  Eigen::VectorXd correction = LuFactors(A).solve(right_side);
  const double rounding = std::numeric_limits<double>::epsilon() * static_cast<double>(d);
  if (!correction.allFinite()) correction = shortest_solution(A, right_side, rounding);
  if (!correction.allFinite()) correction.setZero();
  Eigen::Map<Eigen::VectorXd>(w, d) = Eigen::Map<const Eigen::VectorXd>(w0.data(), d) + correction;
}

}  // namespace

LSTDRule::System::System(std::size_t dim, const Params& params)
    : matrix(make_matrix(dim, params)), b(dim, 0.0), w0(dim, 0.0) {}

void LSTDRule::System::read(const Head& head, std::span<double> w) const {
  if (const auto* recursive = std::get_if<RecursiveLeastSquares>(&matrix)) return recursive->read(w);
  if (const auto* damped = std::get_if<DampedSums>(&matrix)) {
    const std::vector<double> correction = damped->solution(head.damping);
    for (std::size_t j = 0; j < w.size(); ++j) w[j] = w0[j] + correction[j];
    return;
  }
  solve(std::get<KeySums>(matrix), 1 / head.inverse_init, b, w0, w.data());
}

Settings LSTDRule::System::findings(const Head&) const {
  const auto* recursive = std::get_if<RecursiveLeastSquares>(&matrix);
  return recursive == nullptr ? Settings{} : recursive->findings();
}

void LSTDRule::System::merge(Head&, const System& other, const Head&, double) {
  if (auto* recursive = std::get_if<RecursiveLeastSquares>(&matrix)) {
    return recursive->merge(name, std::get<RecursiveLeastSquares>(other.matrix));
  }
  check_same_start(name, w0, other.w0);
  if (auto* damped = std::get_if<DampedSums>(&matrix)) return damped->merge(std::get<DampedSums>(other.matrix));
  std::get<KeySums>(matrix).merge(std::get<KeySums>(other.matrix));
  kernels::axpy(1.0, other.b.data(), b.data(), b.size());
}

}  // namespace bellwether
