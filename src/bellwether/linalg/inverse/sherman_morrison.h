#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <bellwether/linalg/dense/aligned_vector.h>
#include <bellwether/linalg/inverse/rank_one_block.h>
#include <bellwether/linalg/inverse/trace_block.h>

namespace bellwether {

/// The inverse P of a matrix that grows by rank-one terms, and a vector w that takes steps along its gains:
///
///   e  = f e + a                       the trace
///   S += e d^T                         from S = I / p0
///   P -= (P e)(d^T P) / c              = S^-1,  c = 1 + d.P e                    (Sherman and Morrison)
///   w += y g + b e                     g = P e with the new P, the gain; = (P e) / c with the old one
///
/// (t+1) P is the inverse of the mean (I/p0 + S_t) / (t+1): the recursion for normalised sums that accelerated TD is
/// written with differs from this one by the known scalar, and needs no code of its own.
///
/// As written, an update reads and writes d^2 numbers. Here m samples are gathered and applied at once: with
/// P the inverse at the start of the block, E = [e_i], D = [d_i],
///
///   Q = D^T P, U = P E, T = D^T U              the small matrix that RankOneBlock eliminates sample by sample
///   P <- P - U (I + T)^-1 Q                    one matrix product for m samples
///   w  = v + U z,  z = R^-1 y                  v: w at the start of the block, plus the terms b e
///
/// A row of Q is a sum of few rows of P when d is sparse. U is not formed before the end of a sparse block, since
/// columns of P are far apart: T follows from Q and the few entries of a (TraceBlock). So a sparse sample costs
/// O(entries d + m^2), and 2 d^2 multiplications and additions per sample are left to the product at the end, which
/// runs from cache. A dense sample reads P once.
///
/// Features that were never seen cost nothing: P is p0 I for them, and features get their rows of P in the order in
/// which they first appear in a sparse sample. So d above is the number of features seen, and sums over them run in
/// that order.
///
/// A sample with |c| < 1e-8 would make S nearly singular, and the inverse would lose half its digits or more. It is
/// left out and counted. Reading w in the middle of a sparse block costs O(d) per feature of x, or O(d^2) for all of w.
class ShermanMorrison {
 public:
  /// The m at which a sample is cheapest: the square root of d, measured for d from 8 to 1024. With fewer, the d^2
  /// numbers of P are moved too often; with more, the m^2 operations of the elimination take over. Half or twice as
  /// many cost a tenth or two more.
  static std::size_t default_block(std::size_t dim);

  ShermanMorrison(std::size_t dim, double p0, std::size_t block);
  ShermanMorrison(std::size_t dim, double p0) : ShermanMorrison(dim, p0, default_block(dim)) {}

  double trace_at(std::size_t j) const { return row_of_[j] == unseen ? 0.0 : traces_.trace()[row_of_[j]]; }

  /// Prepares a sample, which the functions below refer to; nothing changes until `take`. False when numbers of the
  /// sample or of the inverse leave the range of finite numbers.
  template <class V>
  bool sample(double f, const V& a, const V& d);

  /// d.w with w from before the sample.
  double prediction() const { return prediction_; }

  /// Takes the sample: w += y g + b e, or only b e when the sample is left out as singular. False, with nothing
  /// changed, when that leaves the range of finite numbers.
  bool take(double y, double b = 0);

  /// The number of samples left out as singular.
  std::uint64_t skipped() const { return skipped_; }

  double dot(const DenseView& x) const;
  double dot(const SparseView& x) const;
  double dot(const BinaryView& x) const;
  void read(std::span<double> w) const;

  /// Sets w. Only before the first sample.
  void assign(std::span<const double> w) { start_.assign(w.begin(), w.end()); }

  /// Adds the samples of `other`, which started from the same p0 and weights, as if they had come after its own, and
  /// continues from the trace of `other`:
  ///
  ///   S = S_1 + S_2 + I/p0,  w = w_0 + S^-1 (b_1 + b_2)              b_i = (S_i + I/p0) (w_i - w_0)
  ///
  /// False, with nothing changed, when S is singular or the inverse leaves the range of finite numbers. O(d^3) for the
  /// features that either has seen. Allocates.
  bool merge(const ShermanMorrison& other);

  /// The weights it started from.
  const std::vector<double>& start() const { return start_; }

  /// P by rows, with every sample applied.
  std::vector<double> inverse() const;

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.seen_, self.n_, self.in_order_, self.skipped_, self.traces_, self.block_);
    visit.require(self.seen_ <= self.n_ && self.n_ <= self.dim_ && self.block_.size() == self.traces_.size());
    visit.fixed(self.row_of_, self.qe_, self.y_, self.z_, self.v_, self.start_);
    for (const std::uint32_t row : self.row_of_) visit.require(row == unseen || row < self.seen_);
    for (std::size_t j = 0; j < self.n_; ++j) visit(std::span(self.P_.data() + j * self.row_, self.n_));
    for (std::size_t i = 0; i < self.block_.size(); ++i) visit(std::span(self.Q_.data() + i * self.row_, self.dim_));
    visit(std::span(self.U_.data(), self.n_ * self.capacity_));
  }

 private:
  static constexpr std::uint32_t unseen = 0xffffffff;

  /// Room for a vector by rows instead of features.
  struct InRows {
    std::vector<std::uint32_t> rows;
    std::vector<double> values;
  };

  std::uint32_t row_for(std::size_t j);
  void use_rows();
  DenseView in_rows(const DenseView& x, InRows& room);
  SparseView in_rows(const SparseView& x, InRows& room);

  bool multiply(const DenseView& d);
  bool multiply(const SparseView& d);
  bool eliminate();
  void apply();
  std::vector<double> unread_trace() const;
  double at(std::size_t j, const std::vector<double>& unread) const;
  template <class X>
  double dot_view(const X& x) const;

  double* q(std::size_t i) { return Q_.data() + i * row_; }
  const double* p(std::size_t j) const { return P_.data() + j * row_; }

  std::size_t dim_;
  std::size_t row_;  // length of the rows of P, Q and W
  double p0_;
  std::size_t seen_ = 0;               // rows given out
  std::size_t n_ = 0;                  // the same rounded up: rows and columns in use
  std::vector<std::uint32_t> row_of_;  // of a feature, or unseen
  bool in_order_ = true;               // feature j has row j, if any
  InRows a_, d_;
  std::size_t capacity_;
  std::uint64_t skipped_ = 0;
  double prediction_ = 0;
  double pivot_ = 1;
  TraceBlock traces_;
  RankOneBlock block_;
  AlignedVector P_;              // d x d
  AlignedVector Q_;              // m x d
  AlignedVector W_;              // m x d: (I + T)^-1 Q
  std::vector<double> U_;        // d x m: row j holds entry j of every u_i
  std::vector<double> N_;        // m x m: the transpose of (I + T)^-1
  std::vector<double> qe_;       // q_j.e for the samples of the block
  std::vector<double> next_qe_;  // the same after the prepared sample
  std::vector<double> y_, z_;    // w = v + U z
  std::vector<double> h_;        // z after the prepared sample
  std::vector<double> v_;        // by rows
  std::vector<double> start_;    // w at first, by features
};

extern template bool ShermanMorrison::sample(double, const DenseView&, const DenseView&);
extern template bool ShermanMorrison::sample(double, const SparseView&, const SparseView&);

}  // namespace bellwether
