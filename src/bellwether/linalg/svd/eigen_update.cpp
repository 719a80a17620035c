#include <bellwether/linalg/svd/eigen_update.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

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

EigenUpdate::Term::Term(std::size_t capacity, std::size_t stride)
    : kept_places(capacity),
      deflated_places(capacity),
      z(stride + Eight::width),
      near(stride + Eight::width),
      offset(stride + Eight::width),
      factor(stride + Eight::width),
      vectors(capacity * stride) {}

EigenUpdate::EigenUpdate(std::size_t capacity)
    : capacity_(capacity),
      stride_(padded(capacity)),
      lambda_(stride_),
      rows_(capacity * stride_),
      other_(capacity * stride_),
      first_(capacity, stride_),
      second_(capacity, stride_),
      turn_(capacity * stride_),
      next_turn_(capacity * stride_),
      secular_near_(stride_ + Eight::width),
      order_(capacity) {
  for (auto* numbers : {&base_,
                        &start_,
                        &first_shift_,
                        &pole_,
                        &pole_low_,
                        &near_,
                        &near_low_,
                        &zero_,
                        &weight_,
                        &secular_offset_,
                        &p_,
                        &q_,
                        &z_,
                        &w_,
                        &u_,
                        &alpha_,
                        &beta_,
                        &u_size_,
                        &alpha_size_,
                        &w_products_,
                        &second_start_,
                        &second_first_,
                        &worst_,
                        &next_worst_,
                        &worst_place_,
                        &work_}) {
    numbers->assign(stride_ + Eight::width, 0.0);
  }
}

void EigenUpdate::reset(std::span<const double> values) {
  size_ = 0;
  for (const double value : values) {
    grow();
    lambda_[size_ - 1] = value;
  }
}

void EigenUpdate::replace(std::size_t i, double value, const double* vector) {
  lambda_[i] = value;
  std::copy_n(vector, size_, rows_.data() + i * stride_);
}

void EigenUpdate::grow() {
  assert(size_ < capacity_);
  std::size_t place = size_++;
  std::fill_n(rows_.data() + place * stride_, stride_, 0.0);
  rows_[place * stride_ + place] = 1;
  lambda_[place] = 0;
  for (; place > 0 && lambda_[place - 1] < 0; --place) {  // below zero by rounding
    std::swap(lambda_[place - 1], lambda_[place]);
    std::swap_ranges(rows_.data() + (place - 1) * stride_, rows_.data() + place * stride_,
                     rows_.data() + place * stride_);
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

void EigenUpdate::add(double rho, const double* v) {
  std::copy_n(v, size_, p_.data());
  to_eigenbasis(p_.data(), z_.data());
  const auto rotate = [this](std::size_t i, std::size_t j, double c, double s) {
    kernels::rotate(c, s, rows_.data() + i * stride_, rows_.data() + j * stride_, size_);
  };
  if (!solve(first_, rho, z_.data(), lambda_.data(), zero_.data(), rotate)) return;
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
  bool turned = false;
  const auto rotate = [this](std::size_t i, std::size_t j, double c, double s) {
    kernels::rotate(c, s, rows_.data() + i * stride_, rows_.data() + j * stride_, size_);
    kernels::rotate(c, s, &p_[i], &p_[j], 1);
  };
  const double smaller = -sign * off * (off / larger);
  if (!solve(first_, sign * larger, z_.data(), lambda_.data(), zero_.data(), rotate)) return add(smaller, q);
  std::copy_n(lambda_.begin(), n, base_.begin());
  turn_by_first();
  std::fill_n(z_.data(), padded(n), 0.0);
  kernels::add_transposed_matvec(n, padded(n), turn_.data(), stride_, p_.data(), z_.data());
  const auto rotate_columns = [&](std::size_t i, std::size_t j, double c, double s) {
    turned = true;
    for (std::size_t row = 0; row < n; ++row) {
      double* entries = turn_.data() + row * stride_;
      kernels::rotate(c, s, entries + i, entries + j, 1);
    }
  };
  if (solve(second_, smaller, z_.data(), start_.data(), first_shift_.data(), rotate_columns)) turn_by_second(turned);
  apply_turn();
}

/// Finds the eigenvalues and eigenvectors of diag(high + low) + rho z z^T; false when the term is too small to matter.
template <class Rotate>
bool EigenUpdate::solve(Term& term, double rho, double* z, double* high, double* low, Rotate rotate) {
  const double squares = kernels::dot(z, z, size_);
  if (squares == 0) return false;
  rho *= squares;
  kernels::scale(1 / std::sqrt(squares), z, size_);
  const double most = std::max({std::abs(high[0]), std::abs(high[size_ - 1]), std::abs(rho)});
  deflate(term, rho, 8 * epsilon * most, z, high, low, rotate);
  const std::size_t n = term.kept;
  if (n == 0) return false;

  // As the secular equation wants it: rho > 0, for rho < 0 with -G; the poles ascending; numbers of size one, by an
  // exact power of two.
  const bool up = rho > 0;
  const auto place = [&](std::size_t i) { return term.kept_places[up ? n - 1 - i : i]; };
  int exponent;
  std::frexp(most, &exponent);
  const double scale = std::ldexp(up ? 1.0 : -1.0, -exponent);
  const double unscale = std::ldexp(up ? 1.0 : -1.0, exponent);
  for (std::size_t i = 0; i < n; ++i) {
    pole_[i] = scale * high[place(i)];
    pole_low_[i] = scale * low[place(i)];
    weight_[i] = z[place(i)] * z[place(i)];
  }
  for (std::size_t i = n; i < padded(n + 1); ++i) {
    pole_[i] = pole_[n - 1] + scale * rho;
    pole_low_[i] = pole_low_[n - 1];
    weight_[i] = 0;
  }
  const secular::Poles poles{pole_.data(), pole_low_.data()};
  secular::solve(n, scale * rho, poles, weight_.data(), secular_near_.data(), secular_offset_.data(), other_.data());
  secular::exact_weights(n, poles, secular_near_.data(), secular_offset_.data(), weight_.data());

  // And back to the order of the eigenvalues.
  term.sign = up ? 1 : -1;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t c = up ? n - 1 - i : i;
    term.z[c] = std::copysign(std::sqrt(std::abs(weight_[i] * unscale)), z[place(i)]);
    term.near[c] = place(secular_near_[i]);
    term.offset[c] = unscale * secular_offset_[i];
  }
  for (std::size_t c = 0; c < n; ++c) {
    pole_[c] = high[term.kept_places[c]];
    pole_low_[c] = low[term.kept_places[c]];
    near_[c] = high[term.near[c]];
    near_low_[c] = low[term.near[c]];
  }
  for (std::size_t c = n; c < padded(n); ++c) {  // what pads the columns should be finite
    near_[c] = near_[n - 1];
    near_low_[c] = near_low_[n - 1];
    term.offset[c] = term.offset[n - 1];
  }
  secular::vectors(n, poles, term.z.data(), {near_.data(), near_low_.data()}, term.offset.data(), term.vectors.data(),
                   stride_, term.factor.data());
  return true;
}

/// Sorts the components into those that take part and those that do not. `rotate(i, j, c, s)` turns a pair of
/// eigenvectors.
template <class Rotate>
void EigenUpdate::deflate(Term& term, double rho, double tolerance, double* z, double* high, double* low,
                          Rotate rotate) {
  std::size_t kept = 0;
  std::size_t deflated = 0;
  bool pending = false;
  std::size_t p = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    if (std::abs(rho * z[i]) <= tolerance) {
      term.deflated_places[deflated++] = static_cast<std::uint32_t>(i);
      continue;
    }
    if (pending) {
      const double length = std::sqrt(z[p] * z[p] + z[i] * z[i]);
      const double c = z[i] / length;
      const double s = -z[p] / length;
      const double gap = (high[i] - high[p]) + (low[i] - low[p]);
      if (std::abs(gap * c * s) <= tolerance) {
        // Turned by (c, s), the pair is diagonal as before to rounding, and z_p vanishes.
        rotate(p, i, c, s);
        high[p] += low[p] + gap * s * s;
        high[i] += low[i] - gap * s * s;
        low[p] = low[i] = 0;
        z[i] = length;
        term.deflated_places[deflated++] = static_cast<std::uint32_t>(p);
      } else {
        term.kept_places[kept++] = static_cast<std::uint32_t>(p);
      }
    }
    p = i;
    pending = true;
  }
  if (pending) term.kept_places[kept++] = static_cast<std::uint32_t>(p);
  term.kept = kept;
}

/// T = T_1
void EigenUpdate::turn_by_first() {
  Term& term = first_;
  std::fill_n(w_.data(), size_, 0.0);
  if (term.kept == size_) {
    std::swap(turn_, term.vectors);
  } else {
    std::fill_n(turn_.data(), size_ * stride_, 0.0);
    for (std::size_t j = 0; j < term.kept; ++j) {
      std::copy_n(term.vectors.data() + j * stride_, term.kept, turn_.data() + term.kept_places[j] * stride_);
    }
  }
  for (std::size_t j = 0; j < term.kept; ++j) {
    w_[term.kept_places[j]] = term.z[j];
    start_[j] = lambda_[term.near[j]];
    first_shift_[j] = term.offset[j];
    w_products_[j] = -term.sign * term.factor[j];
  }
  for (std::size_t c = term.kept; c < size_; ++c) {
    const std::size_t place = term.deflated_places[c - term.kept];
    turn_[place * stride_ + c] = 1;
    start_[c] = lambda_[place];
    first_shift_[c] = 0;
    w_products_[c] = 0;
  }
  for (std::size_t c = 0; c < size_; ++c) lambda_[c] = start_[c] + first_shift_[c];
  sort_turn();
}

/// T = T_1 T_2. With both terms in the eigenbasis from before the first, sign w w^T and sign u u^T, a column v of T
/// with its eigenvalue mu satisfies (mu - base_i) v_i = sign w_i (w.v) + sign u_i (u.v).
void EigenUpdate::turn_by_second(bool rotated) {
  const Term& term = second_;
  const std::size_t n = size_;
  const auto T = [this](std::size_t i) { return turn_.data() + i * stride_; };
  std::fill_n(z_.data(), padded(n), 0.0);
  for (std::size_t j = 0; j < term.kept; ++j) z_[term.kept_places[j]] = term.z[j];
  kernels::matvec_with_sizes(n, padded(n), turn_.data(), stride_, z_.data(), u_.data(), u_size_.data());
  for (std::size_t c = 0; c < term.kept; ++c) {
    work_[c] = w_products_[term.kept_places[c]];
    beta_[c] = -term.sign * term.factor[c];
    second_start_[c] = start_[term.near[c]];
    second_first_[c] = first_shift_[term.near[c]];
  }
  kernels::transposed_matvec_with_sizes(term.kept, padded(term.kept), term.vectors.data(), stride_, work_.data(),
                                        alpha_.data(), alpha_size_.data());
  secular::vectors_of_two_terms(
      n, term.kept, base_.data(),
      {first_.sign, term.sign, w_.data(), u_.data(), alpha_.data(), beta_.data(), u_size_.data(), alpha_size_.data()},
      second_start_.data(), second_first_.data(), term.offset.data(), next_turn_.data(), stride_,
      {worst_.data(), next_worst_.data(), worst_place_.data()});
  for (std::size_t c = 0; c < term.kept; ++c) {
    if (rotated || (!(worst_[c] <= tolerated_error) && !complete(c))) multiply_out(c);
  }
  for (std::size_t c = term.kept; c < n; ++c) {
    const std::size_t place = term.deflated_places[c - term.kept];
    for (std::size_t i = 0; i < n; ++i) next_turn_[i * stride_ + c] = T(i)[place];
  }
  for (std::size_t c = 0; c < n; ++c) {
    const std::size_t from = c < term.kept ? term.near[c] : term.deflated_places[c - term.kept];
    lambda_[c] = start_[from] + (first_shift_[from] + (c < term.kept ? term.offset[c] : 0));
  }
  std::swap(turn_, next_turn_);
  sort_turn();
}

/// Finds the worst entry of column c of T from the others, as its length is one. False where that is no better.
bool EigenUpdate::complete(std::size_t c) {
  if (!(next_worst_[c] <= tolerated_error)) return false;
  double squares = 0;
  const auto worst = static_cast<std::size_t>(worst_place_[c]);
  for (std::size_t i = 0; i < size_; ++i) {
    const double entry = next_turn_[i * stride_ + c];
    if (i != worst) squares += entry * entry;
  }
  if (!(squares < 0.75) || !(worst_[c] * epsilon < 0.1)) return false;
  double& entry = next_turn_[worst * stride_ + c];
  entry = std::copysign(std::sqrt(1 - squares), entry);
  return true;
}

/// Column c of T_1 T_2 from its definition.
void EigenUpdate::multiply_out(std::size_t c) {
  std::fill_n(z_.data(), size_, 0.0);
  for (std::size_t j = 0; j < second_.kept; ++j) z_[second_.kept_places[j]] = second_.vectors[j * stride_ + c];
  for (std::size_t i = 0; i < size_; ++i) {
    next_turn_[i * stride_ + c] = kernels::dot(turn_.data() + i * stride_, z_.data(), size_);
  }
}

/// Puts the new eigenvalues, and the columns of T with them, in descending order.
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
  reorder(start_.data());
  reorder(first_shift_.data());
  reorder(w_products_.data());
}

/// L = L T
void EigenUpdate::apply_turn() {
  std::fill_n(other_.data(), size_ * stride_, 0.0);
  kernels::add_product(size_, size_, size_, 1.0, {turn_.data(), 1, stride_}, {rows_.data(), stride_}, other_.data(),
                       stride_);
  std::swap(rows_, other_);
}

}  // namespace bellwether
