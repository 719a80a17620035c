#include <bellwether/linalg/inverse/rank_one_block.h>

#include <bellwether/linalg/simd/simd.h>

namespace bellwether {
namespace {

/// t -= t_p R_p / R_pp and s -= s_p L_p for every earlier sample p; t becomes a row of L but for its last entry, which
/// becomes T_ii - sum_p L_ip R_pi.
BELLWETHER_SIMD void eliminate(std::size_t i, std::size_t capacity, const double* __restrict upper,
                               const double* __restrict lower, double* __restrict t, double* __restrict s) {
  double last = t[i];
  for (std::size_t p = 0; p < i; ++p) {
    const double* R = upper + p * capacity;
    const double* L = lower + p * capacity;
    const double l = t[p] / R[p];
    const double r = s[p];
    for (std::size_t j = p + 1; j < i; ++j) t[j] -= l * R[j];
    for (std::size_t j = p + 1; j < i; ++j) s[j] -= r * L[j];
    t[p] = l;
    last -= l * r;
  }
  t[i] = last;
}

}  // namespace

RankOneBlock::RankOneBlock(std::size_t capacity)
    : capacity_(capacity), t_(capacity), s_(capacity), upper_(capacity * capacity), lower_(capacity * capacity) {}

double RankOneBlock::append() {
  eliminate(size_, capacity_, upper_.data(), lower_.data(), t_.data(), s_.data());
  return pivot_ = 1 + t_[size_];
}

void RankOneBlock::accept() { keep(1, pivot_); }

void RankOneBlock::neutralise() { keep(0, 1); }

void RankOneBlock::keep(double scale, double pivot) {
  const std::size_t i = size_++;
  for (std::size_t p = 0; p < i; ++p) {
    lower_[p * capacity_ + i] = scale * t_[p];
    upper_[p * capacity_ + i] = s_[p];
  }
  upper_[i * capacity_ + i] = pivot;
}

void RankOneBlock::solve_upper(double* y) const {
  for (std::size_t i = size_; i-- > 0;) {
    const double* R = upper_.data() + i * capacity_;
    double sum = y[i];
    for (std::size_t j = i + 1; j < size_; ++j) sum -= R[j] * y[j];
    y[i] = sum / R[i];
  }
}

void RankOneBlock::solve_lower(double* y) const {
  for (std::size_t p = 0; p < size_; ++p) {
    const double* L = lower_.data() + p * capacity_;
    for (std::size_t i = p + 1; i < size_; ++i) y[i] -= L[i] * y[p];
  }
}

}  // namespace bellwether
