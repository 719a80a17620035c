#pragma once

#include <Eigen/Core>

#include <bellwether/core/features.h>
#include <bellwether/core/support/rng.h>

namespace bellwether::testing {

/// Vectors and matrices of numbers in [-1, 1), the same on every machine.
class RandomVectors {
 public:
  explicit RandomVectors(std::uint64_t seed = 1) : rng_(seed) {}

  double number() { return 2 * rng_.uniform() - 1; }

  Eigen::VectorXd vector(Eigen::Index n) {
    Eigen::VectorXd v(n);
    for (double& value : v) value = number();
    return v;
  }

  Eigen::MatrixXd matrix(Eigen::Index rows, Eigen::Index columns) {
    Eigen::MatrixXd A(rows, columns);
    for (Eigen::Index j = 0; j < columns; ++j) A.col(j) = vector(rows);
    return A;
  }

  /// A vector with few entries that are not zero.
  Eigen::VectorXd sparse(Eigen::Index n, int entries) {
    Eigen::VectorXd v = Eigen::VectorXd::Zero(n);
    for (int i = 0; i < entries; ++i) v[static_cast<Eigen::Index>(rng_.uniform() * static_cast<double>(n))] = number();
    return v;
  }

 private:
  Rng rng_;
};

inline DenseView dense(const Eigen::VectorXd& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

/// The entries of a vector that are not zero, as a sparse one.
class Sparse {
 public:
  explicit Sparse(const Eigen::VectorXd& v) {
    for (Eigen::Index j = 0; j < v.size(); ++j) {
      if (v[j] == 0) continue;
      indices_.push_back(static_cast<std::uint32_t>(j));
      values_.push_back(v[j]);
    }
  }
  SparseView view() const { return {indices_.data(), values_.data(), values_.size()}; }

 private:
  std::vector<std::uint32_t> indices_;
  std::vector<double> values_;
};

}  // namespace bellwether::testing
