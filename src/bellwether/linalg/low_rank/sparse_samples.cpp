#include <bellwether/linalg/low_rank/sparse_samples.h>

#include <algorithm>

#include <bellwether/linalg/low_rank/sparse_sample_loops.h>
#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {

namespace loops = sparse_sample_loops;

SparseSamples::SparseSamples(const DiagonalPlusLowRank& S)
    : limit_(S.shape().block),
      width_(S.width()),
      span_(padded(limit_)),
      sum_stride_(padded(std::max(width_ + 2, span_))),
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
    kernels::axpy(e[r], row, Ue_.data(), n);
    kernels::axpy(weighted, row, UDe_.data(), n);
    kernels::axpy(weighted, row + width_, VDa_.data(), n);
  }
  loops::add_rows(S.rank(), n, S.H(), width_, VDa_.data(), p_.data());
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
  const std::size_t n = padded(i + 1);
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

  const loops::Entries ga{a.size, a.rows, a_.histories.data(), a.values, a_.weighted.data()};
  const loops::Entries gd{d.size, d.rows, d_.histories.data(), d.values, d_.weighted.data()};
  loops::meet_low_rank(ga, gd, S.uv(), width_, kp, Ua_.data(), UDa_.data(), VDa_.data(), UDd_.data(), Vd_.data());
  loops::meet_samples(ga, gd, span_, n, dDa_.data(), aDd_.data(), aa_.data(), aDa_.data(), dd_.data());
  std::copy_n(dd_.data(), i + 1, DD_.data() + i * span_);
  follow_trace(i, c);

  kernels::scale_axpy(c, 1.0, Ua_.data(), Ue_.data(), kp);
  kernels::scale_axpy(c, 1.0, UDa_.data(), UDe_.data(), kp);
  kernels::scale(c, p_.data(), kp);
  loops::add_rows(k, kp, S.H(), width_, VDa_.data(), p_.data());
  std::copy_n(Ue_.data(), kp, UE_.data() + i * width_);
  std::copy_n(Vd_.data(), kp, VD_.data() + i * width_);
  for (std::size_t q = 0; q < k; ++q) P_[q * span_ + i] = p_[q];
  for (std::size_t q = 0; q < k; ++q) UD_[q * span_ + i] = UDd_[q];

  double* t = block_.row();
  double* s = block_.column();
  std::copy_n(dDa_.data(), n, t);
  std::copy_n(De_.data(), n, s);
  loops::subtract_products(k, n, span_, UDd_.data(), P_.data(), t, p_.data(), UD_.data(), s);
  const double pivot = block_.append();

  // Every linear function of the gain follows from those of earlier gains: s_i = (P_0 e_i - sum_l R_li s_l) / R_ii.
  const double scale = 1 / pivot;
  double* y = gains_.data() + i * span_;
  double* q = Q_.data() + i * width_;
  double* ug = UG_.data() + i * width_;
  loops::gain_column(i, span_, scale, s, gains_.data(), y);
  loops::gain_rows(i, width_, kp, scale, s, p_.data(), Q_.data(), UDe_.data(), UG_.data());
  // s = D^-1 (E y - U q)
  Gain gain{.pivot = pivot, .ds = 1 - scale, .es = 0, .sDs = 0};
  const double* eDe = EDE_.data() + i * span_;
  for (std::size_t j = 0; j <= i; ++j) gain.es += y[j] * eDe[j];
  std::fill_n(work_.data(), n, 0.0);
  loops::add_rows(i + 1, n, EDE_.data(), span_, y, work_.data());
  for (std::size_t j = 0; j <= i; ++j) gain.sDs += y[j] * work_[j];
  std::fill_n(work_.data(), kp, 0.0);
  loops::add_rows(k, kp, S.UDU(), width_, q, work_.data());
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
  kernels::axpy(step, gains_.data() + i * span_, y_.data(), i + 1);
  kernels::axpy(step, Q_.data() + i * width_, q_.data(), width_);
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
        kernels::axpy(entries_[f].value, base_left_.data(),
                      sums_.data() + std::size_t{entries_[f].slot} * 2 * sum_stride_, columns);
      }
      kernels::scale(sample.c, base_left_.data(), columns);
    }
    if (right_) {
      for (std::size_t f = sample.d; f < sample.end; ++f) {
        kernels::axpy(entries_[f].value, right + j * stride,
                      sums_.data() + std::size_t{entries_[f].slot} * 2 * sum_stride_ + sum_stride_, columns);
      }
    }
  }
}

void SparseSamples::add(std::size_t first, std::size_t rows, double* E_left, double* Delta_right,
                        std::size_t stride) const {
  for (std::size_t r = 0; r < rows; ++r) {
    const std::uint32_t slot = slots_[first + r];
    const double e = base(first + r);
    if (left_ && e != 0) kernels::axpy(e, base_left_.data(), E_left + r * stride, columns_);
    if (slot == nowhere) continue;
    const double* sums = sums_.data() + std::size_t{slot} * 2 * sum_stride_;
    if (left_) kernels::axpy(1.0, sums, E_left + r * stride, columns_);
    if (right_) kernels::axpy(1.0, sums + sum_stride_, Delta_right + r * stride, columns_);
  }
}

void SparseSamples::diagonal(std::size_t first, std::size_t rows, double* sums) const {
  for (std::size_t r = 0; r < rows; ++r) {
    if (slots_[first + r] != nowhere) sums[r] += slot_diagonal_[slots_[first + r]];
  }
}

}  // namespace bellwether
