#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>

#include <bellwether/linalg/dense/growing_vector.h>

namespace bellwether {

/// How large errors, returns and features are, from steps before they are learned from:
///
///   noise     mean of (r + gamma' v(s') - v(s))^2
///   returns   mean of G^2, G = r + gamma' G' or, where the stretch ends, r + gamma' v(s')
///   features  mean of |x|^2
///   feature   mean of x_j^2, where x_j counts in proportion to x_j^2: 1 for binary features
///
/// Steps come in stretches, within which v does not change. Each counts nine tenths of the one after it, so that what
/// v was long ago is forgotten. Of a stretch, at most 65,536 steps count.
class ValueScale {
 public:
  /// A step: whether it follows the one before, its reward and discount, v(s), v(s'), |x|^2 and sum_j x_j^4.
  void add(bool follows, double reward, double gn, double value, double next_value, double square, double fourth) {
    if (steps_.size() == steps_.limit()) return;
    steps_.push_back({reward, gn, value, next_value, square, fourth, follows ? 1.0 : 0.0});
  }

  /// Ends a stretch.
  void end_stretch();

  /// A share of the variance of an error over the variance of a weight that returns suggest, noise features / returns;
  /// at most the size of features, and a thousandth of that in the first stretch.
  double damping(double share) const;

  double noise() const { return weight_ > 0 ? noise_ / weight_ : 0; }
  double returns() const { return weight_ > 0 ? returns_ / weight_ : 0; }
  double features() const { return weight_ > 0 ? features_ / weight_ : 0; }
  double feature() const { return features_ > 0 ? fourths_ / features_ : 0; }

  static constexpr auto state() {
    return std::tuple{&ValueScale::steps_,   &ValueScale::noise_,  &ValueScale::returns_,  &ValueScale::features_,
                      &ValueScale::fourths_, &ValueScale::weight_, &ValueScale::stretches_};
  }

 private:
  struct Step {
    double reward, gn, value, next_value, square, fourth, follows;
  };

  GrowingVector<Step> steps_{std::size_t{1} << 16U};
  double noise_ = 0, returns_ = 0, features_ = 0, fourths_ = 0, weight_ = 0;
  std::uint64_t stretches_ = 0;
};

}  // namespace bellwether
