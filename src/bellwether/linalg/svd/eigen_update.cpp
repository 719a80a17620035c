#include <bellwether/linalg/svd/eigen_update.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include <bellwether/core/support/rng.h>
#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/gemm.h>
#include <bellwether/linalg/simd/kernels.h>
#include <bellwether/linalg/simd/matvec.h>
#include <bellwether/linalg/svd/secular.h>

namespace bellwether {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double tolerated_error = 50;  // of an entry of T, in units of the last place

}  // namespace

EigenUpdate::EigenUpdate(std::size_t capacity)
    : capacity_(capacity),
      stride_(padded(capacity)),
      lambda_(stride_),
      rows_(capacity * stride_),
      next_rows_(capacity * stride_),
      first_(capacity),
      second_(capacity),
      turn_(capacity * stride_),
      next_turn_(capacity * stride_),
      order_(capacity) {
  const auto make_room = [this](auto&... numbers) { (numbers.resize(stride_ + Eight::width), ...); };
  AfterFirst& b = after_first_;
  TwoTermColumns& c = columns_;
  make_room(p_, q_, z_, zero_, work_, b.start, b.shift, b.w, b.w_products, c.base, c.u, c.u_size, c.alpha,
            c.alpha_size);
  make_room(c.beta, c.start, c.first_shift, c.worst, c.second_worst, c.worst_row);
}

void EigenUpdate::reset(std::span<const double> values) {
  assert(values.size() <= capacity_);
  size_ = values.size();
  std::copy(values.begin(), values.end(), lambda_.begin());
  std::fill_n(rows_.data(), size_ * stride_, 0.0);
  for (std::size_t i = 0; i < size_; ++i) rows_[i * stride_ + i] = 1;
}

void EigenUpdate::replace(std::size_t i, double value, const double* vector) {
  lambda_[i] = value;
  std::copy_n(vector, size_, rows_.data() + i * stride_);
}

void EigenUpdate::grow() {
  assert(size_ < capacity_);
  std::size_t i = size_++;
  std::fill_n(rows_.data() + i * stride_, stride_, 0.0);
  rows_[i * stride_ + i] = 1;
  lambda_[i] = 0;
  for (; i > 0 && lambda_[i - 1] < 0; --i) {  // below zero by rounding
    std::swap(lambda_[i - 1], lambda_[i]);
    std::swap_ranges(rows_.data() + (i - 1) * stride_, rows_.data() + i * stride_, rows_.data() + i * stride_);
  }
}

void EigenUpdate::scale(double c) { kernels::scale(c, lambda_.data(), size_); }

void EigenUpdate::to_eigenbasis(const double* v, double* c) const {
  std::fill_n(c, size_, 0.0);
  kernels::add_matvec(size_, padded(size_), rows_.data(), stride_, 1.0, v, c);
}

void EigenUpdate::from_eigenbasis(const double* c, double* v) const {
  std::fill_n(v, padded(size_), 0.0);
  kernels::add_transposed_matvec(size_, padded(size_), rows_.data(), stride_, c, v);
}

/// The eigenvalues are in order, and L L^T s = s for a vector s of signs.
bool EigenUpdate::is_decomposition() const {
  if (!std::is_sorted(lambda_.begin(), lambda_.begin() + static_cast<std::ptrdiff_t>(size_), std::greater<>()))
    return false;
  Rng rng(size_, capacity_, Purpose::learner);
  std::vector<double> s(stride_), c(stride_), again(stride_);
  for (std::size_t i = 0; i < size_; ++i) s[i] = rng.below(2) == 0 ? 1.0 : -1.0;
  to_eigenbasis(s.data(), c.data());
  from_eigenbasis(c.data(), again.data());
  for (std::size_t i = 0; i < size_; ++i) {
    if (!(std::abs(again[i] - s[i]) < 1e-6)) return false;
  }
  return true;
}

void EigenUpdate::add(double rho, const double* v) {
  std::copy_n(v, size_, p_.data());
  to_eigenbasis(p_.data(), z_.data());
  if (!first_.solve(size_, rho, z_.data(), lambda_.data(), zero_.data())) return;
  for (const auto& r : first_.rotations) {
    kernels::rotate(r.c, r.s, rows_.data() + r.i * stride_, rows_.data() + r.j * stride_, size_);
  }
  turn_by_first();
  apply_turn();
}

void EigenUpdate::add_pair(const double* h, const double* y, double g) {
  // With y = |y| p and h = (h.p) p + |h'| q, orthonormal p and q, the term is B in the basis (p, q):
  //
  //   B = [ 2 |y| (h.p) + g |y|^2    |y| |h'| ]
  //       [ |y| |h'|                 0        ]
  //
  // The eigenvectors of B split it into a positive and a negative term; no other split is free of cancellation.
  const std::size_t n = size_;
  const double length = std::sqrt(kernels::dot(y, y, n));
  if (length == 0) return;
  double* p = p_.data();
  double* q = q_.data();
  for (std::size_t i = 0; i < n; ++i) p[i] = y[i] / length;
  std::copy_n(h, n, q);
  double along = 0;
  for (int pass = 0; pass < 2; ++pass) {
    const double part = kernels::dot(p, q, n);
    kernels::axpy(-part, p, q, n);
    along += part;
  }
  const double across = std::sqrt(kernels::dot(q, q, n));
  const double diagonal = length * (2 * along + g * length);
  const double off = length * across;
  if (across <= epsilon * std::abs(along) || off == 0) return add(diagonal, p);
  kernels::scale(1 / across, q, n);
  const double sign = diagonal < 0 ? -1.0 : 1.0;
  const double larger = 0.5 * (std::abs(diagonal) + std::hypot(diagonal, 2 * off));
  const double norm = std::hypot(larger, off);
  kernels::rotate(larger / norm, sign * off / norm, p, q, n);

  to_eigenbasis(p, z_.data());
  to_eigenbasis(q, p_.data());
  const double smaller = -sign * off * (off / larger);
  if (!first_.solve(n, sign * larger, z_.data(), lambda_.data(), zero_.data())) return add(smaller, q);
  for (const auto& r : first_.rotations) {
    kernels::rotate(r.c, r.s, rows_.data() + r.i * stride_, rows_.data() + r.j * stride_, n);
    kernels::rotate(r.c, r.s, &p_[r.i], &p_[r.j], 1);
  }
  std::copy_n(lambda_.begin(), n, columns_.base.begin());
  turn_by_first();

  // In the eigenbasis after the first term, the second is z z^T with z = T_1^T L^T q.
  std::fill_n(z_.data(), padded(n), 0.0);
  kernels::add_transposed_matvec(n, padded(n), turn_.data(), stride_, p_.data(), z_.data());
  if (second_.solve(n, smaller, z_.data(), after_first_.start.data(), after_first_.shift.data())) {
    for (const auto& r : second_.rotations) {
      for (std::size_t row = 0; row < n; ++row) {
        double* entries = turn_.data() + row * stride_;
        kernels::rotate(r.c, r.s, entries + r.i, entries + r.j, 1);
      }
    }
    turn_by_second(!second_.rotations.empty());
  }
  apply_turn();
}

/// T = T_1: the columns found for the kept components, unit vectors for the deflated ones.
void EigenUpdate::turn_by_first() {
  RankOneTerm& term = first_;
  AfterFirst& after = after_first_;
  std::fill_n(after.w.data(), size_, 0.0);
  if (term.kept == size_) {
    std::swap(turn_, term.vectors);
  } else {
    std::fill_n(turn_.data(), size_ * stride_, 0.0);
    for (std::size_t j = 0; j < term.kept; ++j) {
      std::copy_n(term.vectors.data() + j * stride_, term.kept, turn_.data() + term.kept_index[j] * stride_);
    }
  }
  for (std::size_t j = 0; j < term.kept; ++j) {
    after.w[term.kept_index[j]] = term.z[j];
    after.start[j] = lambda_[term.near[j]];
    after.shift[j] = term.offset[j];
    after.w_products[j] = -term.sign * term.factor[j];
  }
  for (std::size_t c = term.kept; c < size_; ++c) {
    const std::size_t i = term.deflated_index[c - term.kept];
    turn_[i * stride_ + c] = 1;
    after.start[c] = lambda_[i];
    after.shift[c] = 0;
    after.w_products[c] = 0;
  }
  for (std::size_t c = 0; c < size_; ++c) lambda_[c] = after.start[c] + after.shift[c];
  sort_turn();
}

/// T = T_1 T_2
void EigenUpdate::turn_by_second(bool rotated) {
  const RankOneTerm& term = second_;
  const AfterFirst& after = after_first_;
  TwoTermColumns& v = columns_;
  const std::size_t n = size_;

  // u = T_1 z
  std::fill_n(z_.data(), padded(n), 0.0);
  for (std::size_t j = 0; j < term.kept; ++j) z_[term.kept_index[j]] = term.z[j];
  kernels::matvec_with_sizes(n, padded(n), turn_.data(), stride_, z_.data(), v.u.data(), v.u_size.data());

  // beta_c = u.v_c = z.q_c, and alpha_c = w.v_c = (T_1^T w).q_c, with q_c the columns of T_2
  double* w_kept = work_.data();
  for (std::size_t c = 0; c < term.kept; ++c) {
    w_kept[c] = after.w_products[term.kept_index[c]];
    v.beta[c] = -term.sign * term.factor[c];
    v.start[c] = after.start[term.near[c]];
    v.first_shift[c] = after.shift[term.near[c]];
  }
  kernels::transposed_matvec_with_sizes(term.kept, padded(term.kept), term.vectors.data(), stride_, w_kept,
                                        v.alpha.data(), v.alpha_size.data());

  // v_ic = (p w_i alpha_c + q u_i beta_c) / (mu_c - base_i)
  secular::vectors_of_two_terms(n, term.kept, v.base.data(),
                                {first_.sign, term.sign, after.w.data(), v.u.data(), v.alpha.data(), v.beta.data(),
                                 v.u_size.data(), v.alpha_size.data()},
                                v.start.data(), v.first_shift.data(), term.offset.data(), next_turn_.data(), stride_,
                                {v.worst.data(), v.second_worst.data(), v.worst_row.data()});
  for (std::size_t c = 0; c < term.kept; ++c) {
    if (rotated || (!(v.worst[c] <= tolerated_error) && !complete(c))) multiply_out(c);
  }
  for (std::size_t c = term.kept; c < n; ++c) {
    const std::size_t from = term.deflated_index[c - term.kept];
    for (std::size_t i = 0; i < n; ++i) next_turn_[i * stride_ + c] = turn_[i * stride_ + from];
  }
  for (std::size_t c = 0; c < n; ++c) {
    const std::size_t from = c < term.kept ? term.near[c] : term.deflated_index[c - term.kept];
    lambda_[c] = after.start[from] + (after.shift[from] + (c < term.kept ? term.offset[c] : 0));
  }
  std::swap(turn_, next_turn_);
  sort_turn();
}

/// Computes the most inexact entry of column c of T from the others: v_ic^2 = 1 - sum_{j != i} v_jc^2. False where that
/// would be no better.
bool EigenUpdate::complete(std::size_t c) {
  if (!(columns_.second_worst[c] <= tolerated_error)) return false;
  double squares = 0;
  const auto worst = static_cast<std::size_t>(columns_.worst_row[c]);
  for (std::size_t i = 0; i < size_; ++i) {
    const double entry = next_turn_[i * stride_ + c];
    if (i != worst) squares += entry * entry;
  }
  if (!(squares < 0.75) || !(columns_.worst[c] * epsilon < 0.1)) return false;
  double& entry = next_turn_[worst * stride_ + c];
  entry = std::copysign(std::sqrt(1 - squares), entry);
  return true;
}

/// Column c of T_1 T_2 from its definition, T_1 q_c.
void EigenUpdate::multiply_out(std::size_t c) {
  std::fill_n(z_.data(), size_, 0.0);
  for (std::size_t j = 0; j < second_.kept; ++j) z_[second_.kept_index[j]] = second_.vectors[j * stride_ + c];
  for (std::size_t i = 0; i < size_; ++i) {
    next_turn_[i * stride_ + c] = kernels::dot(turn_.data() + i * stride_, z_.data(), size_);
  }
}

/// Sorts the new eigenvalues in descending order, and the columns of T with them.
void EigenUpdate::sort_turn() {
  const auto end = [n = static_cast<std::ptrdiff_t>(size_)](auto& v) { return v.begin() + n; };
  if (std::is_sorted(lambda_.begin(), end(lambda_), std::greater<>())) return;
  std::iota(order_.begin(), end(order_), 0U);
  std::sort(order_.begin(), end(order_), [this](std::uint32_t a, std::uint32_t b) {
    return lambda_[a] != lambda_[b] ? lambda_[a] > lambda_[b] : a < b;
  });
  const auto reorder = [&](double* numbers) {
    for (std::size_t c = 0; c < size_; ++c) work_[c] = numbers[order_[c]];
    std::copy_n(work_.data(), size_, numbers);
  };
  for (std::size_t i = 0; i < size_; ++i) reorder(turn_.data() + i * stride_);
  reorder(lambda_.data());
  reorder(after_first_.start.data());
  reorder(after_first_.shift.data());
  reorder(after_first_.w_products.data());
}

/// L = L T; with eigenvectors as rows, L^T = T^T L^T.
void EigenUpdate::apply_turn() {
  kernels::set_product(size_, size_, size_, 1.0, {turn_.data(), 1, stride_}, {rows_.data(), stride_}, next_rows_.data(),
                       stride_);
  for (std::size_t i = 0; i < size_; ++i) {
    double* row = next_rows_.data() + i * stride_;  // zeros where G will grow
    std::fill(row + size_, row + stride_, 0.0);
  }
  std::swap(rows_, next_rows_);
}

}  // namespace bellwether
