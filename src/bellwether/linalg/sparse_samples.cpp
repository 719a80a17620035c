#include <bellwether/linalg/sparse_samples.h>

#include <algorithm>
#include <cstring>

#include <bellwether/linalg/kernels.h>
#include <bellwether/linalg/simd.h>

namespace bellwether {
namespace {

constexpr std::size_t lanes = 8;
using Vector = double __attribute__((vector_size(sizeof(double) * lanes)));

constexpr std::size_t padded(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

/// sum += a times the eight numbers from `from` on. Vectors are not returned: how depends on the instruction set.
__attribute__((always_inline)) inline void add(Vector& sum, double a, const double* from) {
  Vector v;
  std::memcpy(&v, from, sizeof v);
  sum += a * v;
}
__attribute__((always_inline)) inline void store(const Vector& v, double* to) { std::memcpy(to, &v, sizeof v); }

/// The entries of a sparse vector as the loops below want them.
struct Gathered {
  std::size_t size;
  const std::uint32_t* rows;
  const double* const* histories;
  const double* values;
  const double* weighted;  // values / D
};

/// From the rows of [U | V] that a and d have: U^T a, U^T D^-1 a, V^T D^-1 a, U^T D^-1 d, V^T d.
BELLWETHER_SIMD void gather(const Gathered& a, const Gathered& d, const double* __restrict uv, std::size_t width,
                            std::size_t n, double* __restrict Ua, double* __restrict UDa, double* __restrict VDa,
                            double* __restrict UDd, double* __restrict Vd) {
  for (std::size_t j = 0; j < n; j += lanes) {
    Vector v_Ua{}, v_UDa{}, v_VDa{}, v_UDd{}, v_Vd{};
    for (std::size_t f = 0; f < a.size; ++f) {
      const double* row = uv + std::size_t{a.rows[f]} * 2 * width + j;
      add(v_Ua, a.values[f], row);
      add(v_UDa, a.weighted[f], row);
      add(v_VDa, a.weighted[f], row + width);
    }
    for (std::size_t f = 0; f < d.size; ++f) {
      const double* row = uv + std::size_t{d.rows[f]} * 2 * width + j;
      add(v_UDd, d.weighted[f], row);
      add(v_Vd, d.values[f], row + width);
    }
    store(v_Ua, Ua + j);
    store(v_UDa, UDa + j);
    store(v_VDa, VDa + j);
    store(v_UDd, UDd + j);
    store(v_Vd, Vd + j);
  }
}

/// For every sample j, from the rows shared with it: d.D^-1 a_j, a.D^-1 d_j, a.a_j, a.D^-1 a_j, d.d_j.
BELLWETHER_SIMD void meet(const Gathered& a, const Gathered& d, std::size_t span, std::size_t n, double* __restrict dDa,
                          double* __restrict aDd, double* __restrict aa, double* __restrict aDa,
                          double* __restrict dd) {
  for (std::size_t j = 0; j < n; j += lanes) {
    Vector v_dDa{}, v_aDd{}, v_aa{}, v_aDa{}, v_dd{};
    for (std::size_t f = 0; f < d.size; ++f) {
      const double* history = d.histories[f] + j;
      add(v_dDa, d.weighted[f], history);
      add(v_dd, d.values[f], history + span);
    }
    for (std::size_t f = 0; f < a.size; ++f) {
      const double* history = a.histories[f] + j;
      add(v_aa, a.values[f], history);
      add(v_aDa, a.weighted[f], history);
      add(v_aDd, a.weighted[f], history + span);
    }
    store(v_dDa, dDa + j);
    store(v_aDd, aDd + j);
    store(v_aa, aa + j);
    store(v_aDa, aDa + j);
    store(v_dd, dd + j);
  }
}

/// out_j -= sum_q x_q columns_qj for two such sums at once.
BELLWETHER_SIMD void subtract_products(std::size_t k, std::size_t n, std::size_t span, const double* __restrict x,
                                       const double* __restrict X, double* __restrict x_out, const double* __restrict y,
                                       const double* __restrict Y, double* __restrict y_out) {
  for (std::size_t j = 0; j < n; j += lanes) {
    Vector s{};
    Vector t{};
    add(s, 1.0, x_out + j);
    add(t, 1.0, y_out + j);
    for (std::size_t q = 0; q < k; ++q) {
      add(s, -x[q], X + q * span + j);
      add(t, -y[q], Y + q * span + j);
    }
    store(s, x_out + j);
    store(t, y_out + j);
  }
}

/// y = scale (last unit vector - sum_l r_l column_l), columns being upper triangular: entry j appears in columns l >=
/// j.
BELLWETHER_SIMD void gain_column(std::size_t i, std::size_t span, double scale, const double* __restrict r,
                                 const double* __restrict columns, double* __restrict y) {
  for (std::size_t j = 0; j <= i; j += lanes) {
    Vector s{};
    for (std::size_t l = j; l < i; ++l) add(s, -r[l], columns + l * span + j);
    store(scale * s, y + j);
  }
  y[i] = scale;
}

/// Row i of two tables = scale (first - sum_l r_l row_l), l < i.
BELLWETHER_SIMD void gain_rows(std::size_t i, std::size_t width, std::size_t n, double scale,
                               const double* __restrict r, const double* __restrict first, double* __restrict rows,
                               const double* __restrict first2, double* __restrict rows2) {
  for (std::size_t j = 0; j < n; j += lanes) {
    Vector s{}, t{};
    add(s, 1.0, first + j);
    add(t, 1.0, first2 + j);
    for (std::size_t l = 0; l < i; ++l) {
      add(s, -r[l], rows + l * width + j);
      add(t, -r[l], rows2 + l * width + j);
    }
    store(scale * s, rows + i * width + j);
    store(scale * t, rows2 + i * width + j);
  }
}

/// x.A x for a symmetric A, and x.(row of A).
BELLWETHER_SIMD double quadratic(std::size_t n, std::size_t span, const double* __restrict A,
                                 const double* __restrict x, double* __restrict Ax) {
  for (std::size_t j = 0; j < n; j += lanes) {
    Vector s{};
    for (std::size_t l = 0; l < n; ++l) add(s, x[l], A + l * span + j);
    store(s, Ax + j);
  }
  double sum = 0;
  for (std::size_t j = 0; j < n; ++j) sum += x[j] * Ax[j];
  return sum;
}

BELLWETHER_SIMD void add_scaled(std::size_t n, double a, const double* __restrict x, double* __restrict y) {
  for (std::size_t j = 0; j < n; ++j) y[j] += a * x[j];
}

/// out = s out + x
BELLWETHER_SIMD void decay_add(std::size_t n, double s, const double* __restrict x, double* __restrict out) {
  for (std::size_t j = 0; j < n; ++j) out[j] = s * out[j] + x[j];
}

/// out = sum_q x_q H_q, columns of H
BELLWETHER_SIMD void add_matrix_vector(std::size_t k, std::size_t width, std::size_t n, const double* __restrict H,
                                       const double* __restrict x, double* __restrict out) {
  for (std::size_t q = 0; q < k; ++q) {
    for (std::size_t j = 0; j < n; ++j) out[j] += x[q] * H[q * width + j];
  }
}

}  // namespace

SparseSamples::SparseSamples(const DiagonalPlusLowRank& S)
    : limit_(S.shape().block),
      width_(S.width()),
      span_(padded(limit_, lanes)),
      sum_stride_(padded(std::max(width_ + 2, span_), lanes)),
      block_(span_),
      base_(S.shape().dim),
      samples_(span_),
      entries_(2 * S.shape().dim + limit_ * std::min<std::size_t>(2 * S.shape().dim, 4096)),
      slots_(S.shape().dim, nowhere),
      slot_rows_(S.shape().dim),
      histories_(S.shape().dim * 2 * span_),
      slot_diagonal_(S.shape().dim),
      sums_(S.shape().dim * 2 * sum_stride_),
      base_left_(sum_stride_),
      a_(S.shape().dim),
      d_(S.shape().dim),
      dDa_(span_),
      aDd_(span_),
      aa_(span_),
      aDa_(span_),
      dd_(span_),
      Ua_(width_),
      UDa_(width_),
      VDa_(width_),
      UDd_(width_),
      Vd_(width_),
      Ue_(width_),
      UDe_(width_),
      p_(width_),
      De_(span_),
      EE_(span_ * span_),
      DD_(span_ * span_),
      EDE_(span_ * span_),
      UE_(span_ * width_),
      VD_(span_ * width_),
      P_(width_ * span_),
      UD_(width_ * span_),
      gains_(span_ * span_),
      Q_(span_ * width_),
      UG_(span_ * width_),
      steps_(span_),
      y_(span_),
      q_(width_),
      eta_(span_),
      work_(std::max(span_, width_)) {}

void SparseSamples::begin(const DiagonalPlusLowRank& S, const double* e) {
  for (std::size_t s = 0; s < slot_rows_.size(); ++s) slots_[slot_rows_[s]] = nowhere;
  slot_rows_.clear();
  histories_.clear();
  slot_diagonal_.clear();
  entries_.clear();
  samples_.clear();
  block_.clear();
  std::fill(y_.begin(), y_.end(), 0.0);
  std::fill(q_.begin(), q_.end(), 0.0);
  std::fill(eta_.begin(), eta_.end(), 0.0);
  base_eta_ = 0;

  base_.resize(S.rows());
  std::copy_n(e, S.rows(), base_.data());
  base_square_ = base_weighted_ = 0;
  std::fill(Ue_.begin(), Ue_.end(), 0.0);
  std::fill(UDe_.begin(), UDe_.end(), 0.0);
  std::fill(VDa_.begin(), VDa_.end(), 0.0);
  std::fill(p_.begin(), p_.end(), 0.0);
  const std::size_t n = S.padded_rank();
  for (std::size_t r = 0; r < S.rows(); ++r) {
    if (e[r] == 0) continue;
    const double weighted = e[r] * S.inverse_diagonal()[r];
    base_square_ += e[r] * e[r];
    base_weighted_ += e[r] * weighted;
    const double* row = S.uv() + r * S.uv_stride();
    add_scaled(n, e[r], row, Ue_.data());
    add_scaled(n, weighted, row, UDe_.data());
    add_scaled(n, weighted, row + width_, VDa_.data());
  }
  add_matrix_vector(S.rank(), width_, n, S.H(), VDa_.data(), p_.data());
}

bool SparseSamples::has_room(std::size_t entries) const {
  return count() < limit_ && entries_.size() + entries <= entries_.capacity();
}

std::uint32_t SparseSamples::slot_of(std::size_t row) {
  if (slots_[row] == nowhere) {
    slots_[row] = static_cast<std::uint32_t>(slot_rows_.size());
    slot_rows_.push_back(static_cast<std::uint32_t>(row));
    histories_.resize(histories_.size() + 2 * span_);
    slot_diagonal_.push_back(0.0);
  }
  return slots_[row];
}

/// Writes the entries of x to the lists, and to the histories of their slots (`history` is where: i, or span + i).
void SparseSamples::enter(const DiagonalPlusLowRank& S, const SparseRows& x, std::size_t history, List& list) {
  list.histories.resize(x.size);
  list.weighted.resize(x.size);
  list.base = list.base_weighted = 0;
  for (std::size_t f = 0; f < x.size; ++f) {
    const std::uint32_t slot = slot_of(x.rows[f]);
    entries_.push_back({slot, x.values[f]});
    double* place = histories_.data() + std::size_t{slot} * 2 * span_;
    place[history] = x.values[f];
    list.histories[f] = place;
    list.weighted[f] = x.values[f] * S.inverse_diagonal()[x.rows[f]];
    list.base += x.values[f] * base(x.rows[f]);
    list.base_weighted += list.weighted[f] * base(x.rows[f]);
  }
}

/// From products with every a_j to products with every e_j, and what follows from them.
void SparseSamples::follow_trace(std::size_t i, double c) {
  double dDe = d_.base_weighted;
  double ae = a_.base;
  double aDe = a_.base_weighted;
  for (std::size_t j = 0; j <= i; ++j) {
    const double cj = j < i ? samples_[j].c : c;
    dDa_[j] = dDe = cj * dDe + dDa_[j];
    aa_[j] = ae = cj * ae + aa_[j];
    aDa_[j] = aDe = cj * aDe + aDa_[j];
  }
  double* ee = EE_.data() + i * span_;
  double* eDe = EDE_.data() + i * span_;
  if (i == 0) {
    ee[0] = c * (c * base_square_ + a_.base) + aa_[0];
    eDe[0] = c * (c * base_weighted_ + a_.base_weighted) + aDa_[0];
  } else {
    for (std::size_t j = 0; j < i; ++j) ee[j] = c * ee[j - span_] + aa_[j];
    for (std::size_t j = 0; j < i; ++j) EDE_[j * span_ + i] = eDe[j] = c * eDe[j - span_] + aDa_[j];
    ee[i] = c * ee[i - 1] + aa_[i];
    eDe[i] = c * eDe[i - 1] + aDa_[i];
  }
  for (std::size_t j = 0; j < i; ++j) De_[j] = c * De_[j] + aDd_[j];
  De_[i] = dDa_[i];
}

Gain SparseSamples::push(const DiagonalPlusLowRank& S, double c, const SparseRows& a, const SparseRows& d) {
  const std::size_t i = count();
  const std::size_t n = padded(i + 1, lanes);
  const std::size_t k = S.rank();
  const std::size_t kp = S.padded_rank();
  pushed_.c = c;
  pushed_.a = entries_.size();
  // All slots first: histories move when one is added.
  for (std::size_t f = 0; f < a.size; ++f) slot_of(a.rows[f]);
  for (std::size_t f = 0; f < d.size; ++f) slot_of(d.rows[f]);
  enter(S, a, i, a_);
  pushed_.d = entries_.size();
  enter(S, d, span_ + i, d_);
  pushed_.end = entries_.size();

  const Gathered ga{a.size, a.rows, a_.histories.data(), a.values, a_.weighted.data()};
  const Gathered gd{d.size, d.rows, d_.histories.data(), d.values, d_.weighted.data()};
  gather(ga, gd, S.uv(), width_, kp, Ua_.data(), UDa_.data(), VDa_.data(), UDd_.data(), Vd_.data());
  meet(ga, gd, span_, n, dDa_.data(), aDd_.data(), aa_.data(), aDa_.data(), dd_.data());
  std::copy_n(dd_.data(), i + 1, DD_.data() + i * span_);
  follow_trace(i, c);

  decay_add(kp, c, Ua_.data(), Ue_.data());
  decay_add(kp, c, UDa_.data(), UDe_.data());
  kernels::scale(c, p_.data(), kp);
  add_matrix_vector(k, width_, kp, S.H(), VDa_.data(), p_.data());
  std::copy_n(Ue_.data(), kp, UE_.data() + i * width_);
  std::copy_n(Vd_.data(), kp, VD_.data() + i * width_);
  for (std::size_t q = 0; q < k; ++q) P_[q * span_ + i] = p_[q];
  for (std::size_t q = 0; q < k; ++q) UD_[q * span_ + i] = UDd_[q];

  double* t = block_.row();
  double* s = block_.column();
  std::copy_n(dDa_.data(), n, t);
  std::copy_n(De_.data(), n, s);
  subtract_products(k, n, span_, UDd_.data(), P_.data(), t, p_.data(), UD_.data(), s);
  const double pivot = block_.append();

  // Every linear function of the gain follows from those of earlier gains: s_i = (P_0 e_i - sum_l R_li s_l) / R_ii.
  const double scale = 1 / pivot;
  double* y = gains_.data() + i * span_;
  double* q = Q_.data() + i * width_;
  double* ug = UG_.data() + i * width_;
  gain_column(i, span_, scale, s, gains_.data(), y);
  gain_rows(i, width_, kp, scale, s, p_.data(), Q_.data(), UDe_.data(), UG_.data());
  // s = D^-1 (E y - U q)
  Gain gain{.pivot = pivot, .ds = 1 - scale, .es = 0, .sDs = 0};
  const double* eDe = EDE_.data() + i * span_;
  for (std::size_t j = 0; j <= i; ++j) gain.es += y[j] * eDe[j];
  gain.sDs = quadratic(i + 1, span_, EDE_.data(), y, work_.data());
  std::fill_n(work_.data(), kp, 0.0);
  add_matrix_vector(k, width_, kp, S.UDU(), q, work_.data());
  for (std::size_t j = 0; j < k; ++j) {
    gain.es -= UDe_[j] * q[j];
    gain.sDs += q[j] * (work_[j] - 2 * ug[j]);
  }
  return gain;
}

double SparseSamples::change_along_d() const {
  double sum = 0;
  for (std::size_t j = 0; j < count(); ++j) sum += block_.lower()[j] * steps_[j];
  return sum;
}

void SparseSamples::keep(const SparseRows& d, const double* e_at_d) {
  for (std::size_t f = 0; f < d.size; ++f) slot_diagonal_[slots_[d.rows[f]]] += e_at_d[f] * d.values[f];
  steps_[count()] = 0;
  samples_.push_back(pushed_);
  block_.accept();
}

void SparseSamples::leave_out() {
  const std::size_t i = count();
  for (std::size_t f = pushed_.d; f < pushed_.end; ++f)
    histories_[std::size_t{entries_[f].slot} * 2 * span_ + span_ + i] = 0;
  entries_.resize(pushed_.d);
  pushed_.end = pushed_.d;
  std::fill_n(DD_.data() + i * span_, i + 1, 0.0);
  std::fill_n(VD_.data() + i * width_, width_, 0.0);
  for (std::size_t q = 0; q < width_; ++q) UD_[q * span_ + i] = 0;
  std::fill_n(gains_.data() + i * span_, span_, 0.0);
  std::fill_n(Q_.data() + i * width_, width_, 0.0);
  std::fill_n(UG_.data() + i * width_, width_, 0.0);
  De_[i] = 0;
  steps_[i] = 0;
  samples_.push_back(pushed_);
  block_.neutralise();
}

void SparseSamples::follow(double step) {
  const std::size_t i = count() - 1;
  steps_[i] = step;
  add_scaled(i + 1, step, gains_.data() + i * span_, y_.data());
  add_scaled(width_, step, Q_.data() + i * width_, q_.data());
  double later = 0;
  for (std::size_t j = i + 1; j-- > 0;) {
    eta_[j] = y_[j] + later;
    later = samples_[j].c * eta_[j];
  }
  base_eta_ = later;
}

double SparseSamples::change(const DiagonalPlusLowRank& S, std::size_t row) const {
  double sum = base(row) * base_eta_;
  if (slots_[row] != nowhere) {
    sum += kernels::dot(histories_.data() + std::size_t{slots_[row]} * 2 * span_, eta_.data(), count());
  }
  sum -= kernels::dot(S.uv() + row * S.uv_stride(), q_.data(), S.padded_rank());
  return sum * S.inverse_diagonal()[row];
}

void SparseSamples::add_change(const DiagonalPlusLowRank& S, double* w) const {
  for (std::size_t r = 0; r < base_.size(); ++r) w[r] += S.inverse_diagonal()[r] * base_[r] * base_eta_;
  for (std::size_t s = 0; s < slot_rows_.size(); ++s) {
    const std::size_t r = slot_rows_[s];
    w[r] += S.inverse_diagonal()[r] * kernels::dot(histories_.data() + s * 2 * span_, eta_.data(), count());
  }
  S.subtract_left(q_.data(), w);
}

void SparseSamples::prepare(const double* left, const double* right, std::size_t stride, std::size_t columns) {
  columns_ = columns;
  left_ = left != nullptr;
  right_ = right != nullptr;
  sums_.clear();
  sums_.resize(slot_rows_.size() * 2 * sum_stride_);
  std::fill_n(base_left_.data(), columns, 0.0);
  for (std::size_t j = count(); j-- > 0;) {
    const Sample& sample = samples_[j];
    if (left_) {
      kernels::axpy(1.0, left + j * stride, base_left_.data(), columns);
      for (std::size_t f = sample.a; f < sample.d; ++f) {
        add_scaled(columns, entries_[f].value, base_left_.data(),
                   sums_.data() + std::size_t{entries_[f].slot} * 2 * sum_stride_);
      }
      kernels::scale(sample.c, base_left_.data(), columns);
    }
    if (right_) {
      for (std::size_t f = sample.d; f < sample.end; ++f) {
        add_scaled(columns, entries_[f].value, right + j * stride,
                   sums_.data() + std::size_t{entries_[f].slot} * 2 * sum_stride_ + sum_stride_);
      }
    }
  }
}

void SparseSamples::add(std::size_t first, std::size_t rows, double* E_left, double* Delta_right,
                        std::size_t stride) const {
  for (std::size_t r = 0; r < rows; ++r) {
    const std::uint32_t slot = slots_[first + r];
    const double e = base(first + r);
    if (left_ && e != 0) add_scaled(columns_, e, base_left_.data(), E_left + r * stride);
    if (slot == nowhere) continue;
    const double* sums = sums_.data() + std::size_t{slot} * 2 * sum_stride_;
    if (left_) add_scaled(columns_, 1.0, sums, E_left + r * stride);
    if (right_) add_scaled(columns_, 1.0, sums + sum_stride_, Delta_right + r * stride);
  }
}

void SparseSamples::diagonal(std::size_t first, std::size_t rows, double* sums) const {
  for (std::size_t r = 0; r < rows; ++r) {
    if (slots_[first + r] != nowhere) sums[r] += slot_diagonal_[slots_[first + r]];
  }
}

}  // namespace bellwether
