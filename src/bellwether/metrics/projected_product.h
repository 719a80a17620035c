#pragma once

#include <span>

#include <bellwether/core/features.h>

namespace bellwether {

/// The product of two vectors of features in the norm of a projection,
///
///   p(g, h) = g^T (C + k/n diag(C))^-1 h,     C = 1/n sum x x^T over n rows,     k features that are not always zero
///
/// With g = h = X^T y / n and without the ridge k/n, it is the mean square of the fit of y by the features, of which
/// the projected Bellman error is an example. That is ill-posed: tile codings are linearly dependent, and from
/// directions that are nearly so it collects little but the noise of y. The ridge is the one of ridge regression where
/// y has as much signal as noise. It multiplies what comes from a direction whose mean square is s times that of a
/// feature by s / (s + k/n): it is gone as n grows, and does not depend on units.
///
/// Conjugate gradients need no matrix, O(n a) an iteration with a active features, and at most about as many iterations
/// as the root of n a / k, which says how often a feature is active: some ten or twenty.
struct ProjectedProduct {
  double value = 0;    // p(g, h)
  double size = 0;     // (p(g, g) + p(h, h)) / 2, which is at least as large
  int iterations = 0;  // of conjugate gradients
  double missing = 0;  // a bound on the error of `value`, at most `accuracy` times `size`
  bool finite = true;  // false if the vectors are not finite; the numbers above then mean nothing
};

/// Finds the product to this share of `size`. The default gives three digits of a root.
ProjectedProduct projected_product(const FeatureRows& x, std::span<const double> g, std::span<const double> h,
                                   double accuracy = 1e-3);

}  // namespace bellwether
