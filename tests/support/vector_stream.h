#pragma once

#include <Eigen/Core>
#include <cmath>
#include <vector>

#include <rapidcheck.h>

#include "support/random_vectors.h"

namespace bellwether::testing {

/// One vector after another, drawn by RapidCheck: with few entries or none left out, of lengths that differ by powers
/// of ten, and some of them zero, equal to an earlier one, nearly so, or a combination of earlier ones.
class VectorStream {
 public:
  /// Lengths are about 10^exponent.
  explicit VectorStream(Eigen::Index dim, int exponent = 0)
      : scale(std::pow(10.0, exponent)),
        entries_(*rc::gen::inRange(1, static_cast<int>(dim) + 1)),
        spread_(*rc::gen::element(0, 0, 3)),
        dependent_(*rc::gen::element(0.0, 0.3, 0.7)),
        apart(*rc::gen::element(1e-1, 1e-3, 1e-6, 1e-8, 1e-12)),
        dim_(dim),
        random_(*rc::gen::inRange<std::uint64_t>(1, 1'000'000)) {}

  Eigen::VectorXd next() {
    Eigen::VectorXd v = fresh();
    const double kind = uniform() / dependent_;
    if (dependent_ > 0 && !earlier_.empty() && kind < 1) {
      if (kind < 0.1) v.setZero();
      else if (kind < 0.4) v = some();
      else if (kind < 0.7) v = beside(some(), v);
      else v = random_.number() * some() + random_.number() * some();
    }
    earlier_.push_back(v);
    return v;
  }

  double uniform() { return 0.5 * (random_.number() + 1); }
  double number() { return random_.number(); }

 private:
  Eigen::VectorXd fresh() {
    const double size = scale * std::pow(10.0, spread_ * random_.number());
    return size * (entries_ == dim_ ? random_.vector(dim_) : random_.sparse(dim_, entries_));
  }
  Eigen::VectorXd beside(const Eigen::VectorXd& v, const Eigen::VectorXd& direction) const {
    return direction.isZero(0) ? v : Eigen::VectorXd(v + apart * v.norm() / direction.norm() * direction);
  }
  const Eigen::VectorXd& some() {
    return earlier_[static_cast<std::size_t>(uniform() * static_cast<double>(earlier_.size()))];
  }

 public:
  const double scale;

 private:
  int entries_, spread_;
  double dependent_;

 public:
  const double apart;  // of vectors that are nearly equal, in proportion to their length

 private:
  Eigen::Index dim_;
  RandomVectors random_;
  std::vector<Eigen::VectorXd> earlier_;
};

/// A dimension, mostly small.
inline Eigen::Index random_dim() { return *rc::gen::inRange(1, *rc::gen::element(9, 41)); }

}  // namespace bellwether::testing
