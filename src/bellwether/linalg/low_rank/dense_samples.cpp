#include <bellwether/linalg/low_rank/dense_samples.h>

#include <algorithm>

#include <bellwether/linalg/simd/gemm.h>
#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {

DenseSamples::DenseSamples(const DiagonalPlusLowRank& S)
    : limit_(S.shape().block),
      width_(S.width()),
      E_(limit_ * S.shape().dim),
      D_(limit_ * S.shape().dim),
      G_(limit_ * S.shape().dim),
      EE_(limit_ * limit_),
      DD_(limit_ * limit_),
      UE_(limit_ * width_),
      VD_(limit_ * width_),
      small_(2 * width_) {}

void DenseSamples::begin(const DiagonalPlusLowRank& S) {
  rows_ = S.rows();
  count_ = 0;
}

GainProducts DenseSamples::push(const DiagonalPlusLowRank& S, const double* e, const double* d) {
  const std::size_t size = (count_ + 1) * rows_;
  for (CappedVector<double>* samples : {&E_, &D_, &G_}) samples->resize(size);
  gain_ = count_;
  std::copy_n(e, rows_, E_.data() + count_ * rows_);
  std::copy_n(d, rows_, D_.data() + count_ * rows_);
  double* v = G_.data() + count_ * rows_;
  S.solve(e, v, small_.data());
  for (std::size_t j = 0; j < count_; ++j) {
    kernels::axpy(-kernels::dot(D_.data() + j * rows_, v, rows_), G_.data() + j * rows_, v, rows_);
  }
  const double pivot = 1 + kernels::dot(d, v, rows_);
  kernels::scale(1 / pivot, v, rows_);
  double sDs = 0;
  for (std::size_t r = 0; r < rows_; ++r) sDs += v[r] * v[r] * S.D(r);
  return {.pivot = pivot, .ds = 1 - 1 / pivot, .es = kernels::dot(e, v, rows_), .sDs = sDs};
}

void DenseSamples::keep() { ++count_; }

void DenseSamples::leave_out() {
  std::fill_n(D_.data() + count_ * rows_, rows_, 0.0);
  std::fill_n(G_.data() + count_ * rows_, rows_, 0.0);
  ++count_;
}

void DenseSamples::multiply_out(const DiagonalPlusLowRank& S) {
  const std::size_t m = count_;
  const std::size_t k = S.rank();
  for (std::vector<double>* sums : {&EE_, &DD_, &UE_, &VD_}) std::fill(sums->begin(), sums->end(), 0.0);
  kernels::add_product(m, m, rows_, 1.0, {E_.data(), rows_}, {E_.data(), 1, rows_}, EE_.data(), limit_);
  kernels::add_product(m, m, rows_, 1.0, {D_.data(), rows_}, {D_.data(), 1, rows_}, DD_.data(), limit_);
  kernels::add_product(m, k, rows_, 1.0, {E_.data(), rows_}, {S.uv(), S.uv_stride()}, UE_.data(), width_);
  kernels::add_product(m, k, rows_, 1.0, {D_.data(), rows_}, {S.uv() + width_, S.uv_stride()}, VD_.data(), width_);
}

GatheredSamples::Products DenseSamples::products() const {
  return {EE_.data(), DD_.data(), UE_.data(), VD_.data(), limit_, width_};
}

void DenseSamples::prepare(const double* left, const double* right, std::size_t stride, std::size_t columns) {
  left_ = left;
  right_ = right;
  stride_ = stride;
  columns_ = columns;
}

void DenseSamples::add(const RowTile& tile, double* E_left, double* Delta_right, std::size_t stride) const {
  const auto [first, rows, list] = tile;
  if (left_ != nullptr) {
    kernels::add_product(rows, columns_, count_, 1.0, {E_.data() + first, 1, rows_}, {left_, stride_}, E_left, stride);
  }
  if (right_ != nullptr) {
    kernels::add_product(rows, columns_, count_, 1.0, {D_.data() + first, 1, rows_}, {right_, stride_}, Delta_right,
                         stride);
  }
}

void DenseSamples::diagonal(const RowTile& tile, double* sums) const {
  const auto [first, rows, list] = tile;
  for (std::size_t j = 0; j < count_; ++j) {
    const double* e = E_.data() + j * rows_ + first;
    const double* d = D_.data() + j * rows_ + first;
    for (std::size_t r = 0; r < rows; ++r) sums[r] += e[r] * d[r];
  }
}

}  // namespace bellwether
