#pragma once

#include <cstddef>
#include <vector>

namespace bellwether {

/// The leading left singular space of a product of two tall matrices, from their Gram matrices alone.
///
/// For S = L R^T with L and R of n columns (and any number of rows), GL = L^T L and GR = R^T R, it finds
///
///   Z (n x k) with  Z^T GL Z = I           so that U = L Z has orthonormal columns,
///   Y = GL Z                               so that V = R Y = S^T U.
///
/// U V^T = U U^T S is then the projection of S on U: with the exact space the best approximation of rank k, with a
/// slightly inexact one still a projection, and the rest of S is orthogonal to it.
///
/// `exact` decomposes (O(n^3)). `refine` takes the first `warm` columns of R as guesses of the space, adds two that mix
/// all the others, and iterates twice with S S^T (O(n^2 k)). That is enough for an incremental factorisation, whose
/// space moves little from one truncation to the next.
///
/// Both work with squares of singular values, so directions below 1e-7 of the largest are lost. Nothing is allocated
/// after construction.
class TopLeftSpace {
 public:
  TopLeftSpace(std::size_t columns, std::size_t rank);

  /// Finds min(rank, number of singular values above 1e-7 of the largest) directions. GL and GR are n x n, symmetric,
  /// with rows `stride` apart, and are overwritten.
  void exact(std::size_t n, double* GL, double* GR, std::size_t stride, std::size_t rank);

  /// The same approximately, or exactly where the guesses turn out to be useless.
  void refine(std::size_t n, double* GL, double* GR, std::size_t stride, std::size_t rank, std::size_t warm);

  std::size_t found() const { return found_; }
  std::size_t stride() const { return stride_; }        // of the rows of Z and Y
  const double* Z() const { return Z_.data(); }         // n x found, zeros beyond
  const double* Y() const { return Y_.data(); }         // n x found, zeros beyond
  const double* squares() const { return s2_.data(); }  // squared singular values found, descending

  /// True when V^T V = Y^T GR Y is the diagonal matrix of the squares to rounding, as `refine` makes it.
  bool rotated() const { return rotated_; }

  /// The square of the largest singular value that was left out, as far as it is known; 0 when none was.
  double left_out() const { return left_out_; }

 private:
  static constexpr std::size_t extra = 2;

  void balance(std::size_t n, double* GL, double* GR, std::size_t stride);
  void restore(std::size_t n);
  void decompose(std::size_t n, const double* GL, const double* GR, std::size_t stride, std::size_t rank);
  bool iterate(std::size_t n, const double* GL, const double* GR, std::size_t stride, std::size_t rank,
               std::size_t warm);
  std::size_t factor(std::size_t n, const double* GR, std::size_t stride);
  double orthonormalise(std::size_t n, std::size_t p);
  void truncate(std::size_t n, std::size_t p, std::size_t rank, const double* rotation, std::size_t rotation_stride);

  std::size_t columns_, stride_;
  std::size_t found_ = 0;
  double left_out_ = 0;
  bool rotated_ = false;
  std::vector<double> Z_, Y_, T_;  // n x stride_
  std::vector<double> F_, K_;      // n x n
  std::vector<double> C_;          // stride_ x stride_
  std::vector<double> s2_, work_;
  std::vector<double> lengths_;  // of the columns of L
};

}  // namespace bellwether
