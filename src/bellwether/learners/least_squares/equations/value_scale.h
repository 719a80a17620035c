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
///
/// In parts, sums are taken after every 256 steps instead of at the end of a stretch. All steps count then, and a part
/// ends returns as a stretch does.
class ValueScale {
 public:
  explicit ValueScale(bool in_parts = false) : in_parts_(in_parts) {}

  /// A step: whether it follows the one before, its reward and discount, v(s), v(s'), |x|^2 and sum_j x_j^4.
  void add(bool follows, double reward, double gn, double value, double next_value, double square, double fourth) {
    if (in_parts_ && steps_.size() == part) sum_up();
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

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.steps_, self.noise_, self.returns_, self.features_, self.fourths_, self.weight_, self.stretches_);
    if (self.in_parts_) visit(self.sums_);
  }

 private:
  struct Step {
    double reward, gn, value, next_value, square, fourth, follows;
  };

  /// Of the stretch.
  struct Sums {
    double noise = 0, returns = 0, features = 0, fourths = 0, count = 0;

    static constexpr auto state() {
      return std::tuple{&Sums::noise, &Sums::returns, &Sums::features, &Sums::fourths, &Sums::count};
    }
  };

  static constexpr std::size_t part = 256;

  void sum_up();

  bool in_parts_;
  Sums sums_;
  GrowingVector<Step> steps_{std::size_t{1} << 16U};
  double noise_ = 0, returns_ = 0, features_ = 0, fourths_ = 0, weight_ = 0;
  std::uint64_t stretches_ = 0;
};

}  // namespace bellwether
