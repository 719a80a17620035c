#pragma once

#include <span>
#include <vector>

#include <bellwether/learners/least_squares/equations/equation_sums.h>
#include <bellwether/learners/least_squares/equations/prepared_log.h>

namespace bellwether {

/// All steps of a log as equations S v = b for DampedLeastSquares: what LoggedEquations is for steps that are added
/// between solutions. Products are those of a PreparedLog, some times as fast, which takes a few passes to prepare. The
/// log must outlive this object and must not change.
class DampedLog {
 public:
  explicit DampedLog(const TransitionLog& log, ThreadTeam& team = ThreadTeam::alone());

  std::size_t size() const { return b_.size(); }
  const double* noise() const { return sums_.noise(); }
  void residual(const double* v, double* out) const;
  void product(const double* v, double* out) const { prepared_.product(v, out); }
  void transposed_product(const double* u, double* out) const { prepared_.transposed_product(u, out); }
  void curvature(const double* c, double* out) const { sums_.curvature(c, out); }

  /// The mean of |x|^2 over the steps.
  double mean_square() const { return mean_square_; }

 private:
  PreparedLog prepared_;
  EquationSums sums_;
  std::vector<double> b_;
  double mean_square_ = 0;
};

}  // namespace bellwether
