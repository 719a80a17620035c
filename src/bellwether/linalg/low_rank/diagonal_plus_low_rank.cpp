#include <bellwether/linalg/low_rank/diagonal_plus_low_rank.h>

#include <algorithm>
#include <cmath>

#include <bellwether/linalg/dense/symmetric_eigen.h>
#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/gemm.h>

namespace bellwether {

DiagonalPlusLowRank::DiagonalPlusLowRank(const Shape& shape, bool compensate, bool exact)
    : shape_{shape.dim, std::min(shape.rank, shape.dim), shape.block, shape.many},
      compensate_(compensate),
      exact_(exact),
      limit_(shape_.rank),
      width_(padded(shape_.rank)),
      uv_(shape.dim * 2 * width_),
      extra_(shape.dim),
      inverse_(shape.dim),
      trace_(shape.dim),
      owed_(shape.dim),
      with_trace_{std::vector<double>(width_), std::vector<double>(width_), std::vector<double>(width_)},
      postponed_(shape.dim >= shape.many ? shape.dim : 0, width_),
      H_(width_ * width_),
      VV_(width_ * width_),
      products_(2 * width_ * width_),
      space_(shape_.rank + shape.block, shape_.rank),
      GL_((shape_.rank + shape.block) * (shape_.rank + shape.block)),
      GR_(GL_.size()),
      gathered_(tile_rows * 2 * width_),
      renewed_(tile_rows * 2 * width_),
      scaled_(tile_rows * width_),
      diagonal_(tile_rows),
      new_trace_(tile_rows),
      order_(shape_.rank) {}

void DiagonalPlusLowRank::start(double zeta) {
  zeta_ = zeta;
  for (std::size_t r = 0; r < rows(); ++r) inverse_[r] = 1 / zeta;
}

void DiagonalPlusLowRank::add_row() {
  uv_.resize(uv_.size() + 2 * width_);
  extra_.push_back(0.0);
  inverse_.push_back(zeta_ == 0 ? 0.0 : 1 / zeta_);
  trace_.push_back(0.0);
  owed_.push_back(0.0);
  postponed_.add_row();
}

double DiagonalPlusLowRank::diagonal(std::size_t row) const {
  const double* u = uv_.data() + row * uv_stride();
  return std::max(0.0, extra_[row] + row_loops::short_dot(u, u + width_, padded_rank()));
}

double DiagonalPlusLowRank::dropped() const { return std::sqrt(dropped_); }

double DiagonalPlusLowRank::longest() const {
  double square = 0;
  for (std::size_t i = 0; i < rank_; ++i) square = std::max(square, VV_[i * width_ + i]);
  return std::sqrt(square);
}

std::vector<double> DiagonalPlusLowRank::singular_values() const {
  std::vector<double> VV = VV_;
  std::vector<double> values(rank_);
  std::vector<double> work(3 * rank_);
  symmetric_eigen(rank_, VV.data(), width_, values.data(), work.data());
  for (double& v : values) v = std::sqrt(std::max(0.0, v));
  return values;
}

void DiagonalPlusLowRank::solve(const RowTile& tile, const double* v, double* out, double* small) const {
  double* q = small;
  double* t = small + width_;
  std::fill(small, small + 2 * width_, 0.0);
  row_loops::combine_rows(tile, v, inverse_.data(), uv_.data() + width_, uv_stride(), padded_rank(), t);
  row_loops::combine_rows({0, rank_}, t, nullptr, H_.data(), width_, padded_rank(), q);
  row_loops::spread_rows(tile, v, inverse_.data(), uv_.data(), uv_stride(), padded_rank(), q, out);
}

void DiagonalPlusLowRank::subtract_left(const RowTile& tile, const double* q, std::size_t n, double* v) const {
  row_loops::subtract_weighted(tile, inverse_.data(), uv_.data(), uv_stride(), kernels::fours(n), q, v);
}

void DiagonalPlusLowRank::multiply(const RowTile& tile, const double* v, double* out, double* small) const {
  double* t = small;
  std::fill(t, t + width_, 0.0);
  row_loops::combine_rows(tile, v, nullptr, uv_.data() + width_, uv_stride(), padded_rank(), t);
  row_loops::add_products(tile, v, extra_.data(), uv_.data(), uv_stride(), padded_rank(), t, out);
}

void DiagonalPlusLowRank::bring_stale(std::size_t row, double& w) {
  double* u = uv_.data() + row * uv_stride();
  double* v = u + width_;
  w -= inverse_[row] * postponed_.step(row, u, trace_[row]);
  owed_[row] += row_loops::short_dot(u, v, width_);
  postponed_.bring(row, u, v, trace_[row]);
  owed_[row] -= row_loops::short_dot(u, v, width_);
}

double DiagonalPlusLowRank::change(std::size_t row, const double* q, double b) const {
  const double* u = uv_.data() + row * uv_stride();
  const double e = trace_[row];
  return -inverse_[row] * (postponed_.step(row, u, e) + postponed_.product(row, u, e, q, b));
}

void DiagonalPlusLowRank::begin_trace(const double* e) {
  clear_sums();
  for (std::size_t first = 0; first < rows(); first += tile_rows) {
    const RowTile tile{first, std::min(tile_rows, rows() - first)};
    std::copy_n(e + first, tile.count, trace_.data() + first);
    add_sums(tile, uv_.data() + first * uv_stride(), rank_, 1);
  }
}

}  // namespace bellwether
