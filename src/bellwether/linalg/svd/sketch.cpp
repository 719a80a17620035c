#include <bellwether/linalg/svd/sketch.h>

#include <bit>
#include <cassert>
#include <cmath>
#include <numeric>

#include <bellwether/core/support/rng.h>
#include <bellwether/linalg/simd/simd.h>

namespace bellwether {
namespace {

TallMatrix gaussian_entries(std::size_t rows, std::size_t columns, Rng& rng) {
  TallMatrix entries(columns, rows);
  const double scale = 1 / std::sqrt(static_cast<double>(rows));
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t i = 0; i < rows; ++i) entries.row(j)[i] = scale * rng.normal();
  }
  return entries;
}

/// k distinct numbers below n, in the order in which they are drawn.
std::vector<std::uint32_t> choose(std::size_t k, std::size_t n, Rng& rng) {
  std::vector<std::uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0U);
  for (std::size_t i = 0; i < k; ++i) std::swap(all[i], all[i + rng.below(n - i)]);
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k)};
}

/// The value with the sign of a count sketch's cell, by flipping its first bit, since a branch would be unpredictable.
double signed_by(std::uint32_t cell, double value) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) ^ (std::uint64_t{cell} << 63U));
}

BELLWETHER_SIMD void add_hadamard_column(std::uint32_t j, double value, const std::uint32_t* rows, std::size_t k,
                                         double* y) {
  for (std::size_t i = 0; i < k; ++i) y[i] += __builtin_parity(rows[i] & j) != 0 ? -value : value;
}

}  // namespace

BELLWETHER_SIMD void walsh_hadamard(double* y, std::size_t n) {
  for (std::size_t half = 1; half < n; half *= 2) {
    for (std::size_t first = 0; first < n; first += 2 * half) {
      double* __restrict a = y + first;
      double* __restrict b = a + half;
      for (std::size_t i = 0; i < half; ++i) {
        const double sum = a[i] + b[i];
        b[i] = a[i] - b[i];
        a[i] = sum;
      }
    }
  }
}

Sketch::Sketch(SketchKind kind, std::size_t rows, std::size_t columns, std::uint64_t seed, std::uint64_t number)
    : kind_(kind), rows_(rows), columns_(columns), workspace_(kind == SketchKind::srht ? std::bit_ceil(columns) : 0) {
  assert(rows > 0 && rows <= columns);
  Rng rng(seed, number, Purpose::learner);
  Drawn drawn{kind == SketchKind::gaussian ? gaussian_entries(rows, columns, rng) : TallMatrix(0, 0), {}, {}};
  if (kind == SketchKind::count_sketch) {
    drawn.cells.resize(columns);
    for (std::uint32_t& cell : drawn.cells) cell = static_cast<std::uint32_t>(rng.below(2 * rows));
  } else if (kind == SketchKind::srht) {
    drawn.cells = choose(rows, workspace_, rng);
    drawn.signs.resize(columns);
    const double scale = 1 / std::sqrt(static_cast<double>(rows));
    for (double& sign : drawn.signs) sign = rng.below(2) == 0 ? scale : -scale;
  } else if (kind == SketchKind::aggregation) {
    drawn.first = rng.below(columns);
  }
  drawn_ = std::make_shared<const Drawn>(std::move(drawn));
}

void Sketch::apply(const DenseView& x, double* y, double* work) const {
  for (std::size_t i = 0; i < rows_; ++i) y[i] = 0;
  switch (kind_) {
    case SketchKind::gaussian: return drawn_->entries.transposed_times(x, y);
    case SketchKind::count_sketch:
      for (std::size_t j = 0; j < columns_; ++j) y[drawn_->cells[j] / 2] += signed_by(drawn_->cells[j], x.values[j]);
      return;
    case SketchKind::srht:
      for (std::size_t j = 0; j < columns_; ++j) work[j] = drawn_->signs[j] * x.values[j];
      for (std::size_t j = columns_; j < workspace_; ++j) work[j] = 0;
      walsh_hadamard(work, workspace_);
      for (std::size_t i = 0; i < rows_; ++i) y[i] = work[drawn_->cells[i]];
      return;
    case SketchKind::aggregation:
      for_each_in_blocks([&](std::size_t i, std::size_t j) { y[i] += x.values[j]; });
      for (std::size_t i = 0; i < rows_; ++i) y[i] /= block_size(i);
      return;
  }
}

void Sketch::apply_transposed(const double* y, double* x, double* work) const {
  switch (kind_) {
    case SketchKind::gaussian: return drawn_->entries.times(y, x);
    case SketchKind::count_sketch:
      for (std::size_t j = 0; j < columns_; ++j) x[j] = signed_by(drawn_->cells[j], y[drawn_->cells[j] / 2]);
      return;
    case SketchKind::srht:
      for (std::size_t i = 0; i < workspace_; ++i) work[i] = 0;
      for (std::size_t i = 0; i < rows_; ++i) work[drawn_->cells[i]] = y[i];
      walsh_hadamard(work, workspace_);
      for (std::size_t j = 0; j < columns_; ++j) x[j] = drawn_->signs[j] * work[j];
      return;
    case SketchKind::aggregation:
      for_each_in_blocks([&](std::size_t i, std::size_t j) { x[j] = y[i] / block_size(i); });
      return;
  }
}

void Sketch::add_column(std::size_t j, double value, double* y) const {
  if (kind_ == SketchKind::count_sketch) {
    y[drawn_->cells[j] / 2] += signed_by(drawn_->cells[j], value);
  } else if (kind_ == SketchKind::srht) {
    add_hadamard_column(static_cast<std::uint32_t>(j), drawn_->signs[j] * value, drawn_->cells.data(), rows_, y);
  } else {
    y[block(j)] += value / block_size(block(j));
  }
}

}  // namespace bellwether
