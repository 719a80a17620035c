#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <Eigen/Core>

#include <bellwether/core/features.h>
#include <bellwether/core/finite_domain.h>

/// What learning converges to, computed from the table of a finite chain instead of samples.
///
/// With X the features (one row per state), P the target policy's transitions times their discounts, r its rewards, d
/// the share of time behaviour spends in each state, and D = diag(d), the averages that LSTD(lambda) forms,
///
///   A_t = 1/(t+1) sum e d^T     e = rho (gamma lambda e + x),  d = x - gamma' x'
///   b_t = 1/(t+1) sum e r
///
/// tend to
///
///   A = X^T D (I - lambda P)^-1 (I - P) X
///   b = X^T D (I - lambda P)^-1 r
///
/// and TD(lambda), if it converges, to the solution of A w = b. The end of an episode is a row of P that sums to less
/// than one, while d belongs to the chain that restarts: P and d do not belong to the same chain, even on-policy.
///
/// Emphatic methods weigh x by M = lambda i + (1 - lambda) F with F = rho_{t-1} gamma F + i. That puts m in place of d:
///
///   f = (I - P^T)^-1 (d o i)                                      the follow-on, d(s) E[F | s]
///   m = (I - P_lambda^T)^-1 (d o i) = lambda (d o i) + (1 - lambda) f
///   P_lambda = I - (I - lambda P)^-1 (I - P)
///
/// Dense algebra: O(n^3) in the number of states. Meant for tests, diagnostics and small studies.
namespace bellwether {

/// How states are weighted in A and b.
enum class Weighting : std::uint8_t { behaviour, emphatic };
constexpr auto names(Weighting) { return std::array{"behaviour", "emphatic"}; }

/// A w = b.
struct KeySystem {
  Eigen::MatrixXd A;
  Eigen::VectorXd b;

  /// The solution; if it is not unique or does not exist, the least-squares solution of minimum length.
  Eigen::VectorXd solution() const;
};

class Exact {
 public:
  /// `rows` holds the features of the model's states in order; `interest` one number >= 0 per state, or nothing for 1.
  /// Throws InvalidArgument when their number differs from that of the states.
  Exact(const FiniteModel& model, const FeatureRows& rows, std::span<const double> interest = {});

  /// The features of every state of a finite domain. Throws InvalidArgument when the domain has no table.
  Exact(const Domain& domain, const FeatureMap& features, std::span<const double> interest = {});

  const RowBuffer& rows() const { return rows_; }  // the features as learners take them, and as a matrix:
  const Eigen::MatrixXd& X() const { return X_; }  // one row per state
  const Eigen::MatrixXd& P() const { return P_; }  // sum over arcs of rho * probability * discount
  const Eigen::VectorXd& r() const { return r_; }  // sum over arcs of rho * probability * reward
  const Eigen::VectorXd& d() const { return d_; }  // visits of behaviour, summing to one

  Eigen::VectorXd follow_on() const;
  Eigen::VectorXd emphasis(double lambda) const;

  KeySystem system(double lambda, Weighting weighting = Weighting::behaviour) const;

 private:
  RowBuffer rows_;
  Eigen::MatrixXd X_;
  Eigen::MatrixXd P_;
  Eigen::VectorXd r_;
  Eigen::VectorXd d_;
  Eigen::VectorXd interest_;
};

}  // namespace bellwether
