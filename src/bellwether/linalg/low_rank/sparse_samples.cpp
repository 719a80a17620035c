#include <bellwether/linalg/low_rank/sparse_samples.h>

#include <algorithm>

#include <bellwether/linalg/low_rank/sparse_sample_loops.h>
#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {

namespace loops = sparse_sample_loops;

SparseSamples::Table::Table(std::size_t span, std::size_t width)
    : ee(span * span),
      dd(span * span),
      ee_weighted(span * span),
      Ue(span * width),
      Vd(span * width),
      h(width * span),
      Ud_weighted(width * span) {}

SparseSamples::SparseSamples(const DiagonalPlusLowRank& S)
    : limit_(S.shape().block),
      width_(S.width()),
      span_(padded(limit_)),
      most_columns_(padded(std::max(width_ + 2, span_))),
      block_(span_),
      samples_(span_),
      entries_(2 * S.shape().dim + limit_ * std::min<std::size_t>(2 * S.shape().dim, 4096)),
      rows_(S.shape().dim, span_),
      a_(S.shape().dim),
      d_(S.shape().dim),
      with_samples_(span_),
      with_factors_(width_),
      latest_(span_, width_),
      table_(span_, width_),
      gains_(span_, width_),
      change_(span_, width_),
      work_(std::max(span_, width_)),
      sums_(S.shape().dim * 2 * most_columns_),
      base_left_(most_columns_) {}

void SparseSamples::begin(const DiagonalPlusLowRank& S) {
  rows_.clear();
  entries_.clear();
  samples_.clear();
  block_.clear();
  for (auto* numbers : {&change_.y, &change_.q, &change_.eta, &latest_.h}) {
    std::fill(numbers->begin(), numbers->end(), 0.0);
  }
  change_.base_eta = 0;
  // U^T e, U^T D^-1 e and h = H V^T D^-1 e
  latest_.Ue = S.with_trace().Ue;
  latest_.Ue_weighted = S.with_trace().Ue_weighted;
  loops::add_rows(S.rank(), S.padded_rank(), S.H(), width_, S.with_trace().Ve_weighted.data(), latest_.h.data());
}

bool SparseSamples::has_room(std::size_t entries) const {
  return count() < limit_ && entries_.size() + entries <= entries_.capacity();
}

/// Samples and their entries are where they say.
bool SparseSamples::consistent() const {
  std::size_t end = 0;
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const Sample& s = samples_[i];
    if (s.a < end || s.d < s.a || s.end < s.d) return false;
    end = s.end;
  }
  for (std::size_t f = 0; f < entries_.size(); ++f) {
    if (entries_[f].slot >= rows_.size()) return false;
  }
  return end <= entries_.size() && samples_.size() == block_.size() && block_.size() <= limit_;
}

/// States that were written when the whole table was kept have numbers there.
void SparseSamples::clear_beyond_diagonal() {
  for (std::size_t i = 0; i < span_; ++i) {
    double* row = table_.ee_weighted.data() + i * span_;
    std::fill(row + i + 1, row + span_, 0.0);
  }
}

/// Writes the entries of x to `list` and to the histories of their rows, at index `history` (i for a, span + i for d).
void SparseSamples::enter(const DiagonalPlusLowRank& S, const SparseRows& x, std::size_t history, List& list) {
  list.histories.resize(x.size);
  list.weighted.resize(x.size);
  list.base = list.base_weighted = 0;
  for (std::size_t f = 0; f < x.size; ++f) {
    const std::uint32_t slot = rows_.use(x.rows[f]);
    entries_.push_back({slot, x.values[f]});
    double* entries = rows_.history(slot);
    entries[history] = x.values[f];
    list.histories[f] = entries;
    list.weighted[f] = x.values[f] * S.inverse_diagonal()[x.rows[f]];
    list.base += x.values[f] * S.trace(x.rows[f]);
    list.base_weighted += list.weighted[f] * S.trace(x.rows[f]);
  }
}

/// From products with every a_j to products with every e_j, by e_j = c_j e_{j-1} + a_j, e_{-1} the trace at the start.
void SparseSamples::follow_trace(const DiagonalPlusLowRank& S, std::size_t i, double c) {
  // x.e_j = c_j x.e_{j-1} + x.a_j for x = D^-1 d, a and D^-1 a
  auto& [de_weighted, ad_weighted, ae, ae_weighted, dd] = with_samples_;
  double de = d_.base_weighted;
  double a_e = a_.base;
  double a_e_weighted = a_.base_weighted;
  for (std::size_t j = 0; j <= i; ++j) {
    const double cj = j < i ? samples_[j].c : c;
    de_weighted[j] = de = cj * de + de_weighted[j];
    ae[j] = a_e = cj * a_e + ae[j];
    ae_weighted[j] = a_e_weighted = cj * a_e_weighted + ae_weighted[j];
  }

  // e_i.e_j = c e_{i-1}.e_j + a.e_j, and the same with D^-1 between
  double* ee = table_.ee.data() + i * span_;
  double* ee_weighted = table_.ee_weighted.data() + i * span_;
  if (i == 0) {
    ee[0] = c * (c * S.with_trace().ee + a_.base) + ae[0];
    ee_weighted[0] = c * (c * S.with_trace().ee_weighted + a_.base_weighted) + ae_weighted[0];
  } else {
    const double* const before = ee - span_;
    const double* const before_weighted = ee_weighted - span_;
    for (std::size_t j = 0; j < i; ++j) ee[j] = c * before[j] + ae[j];
    for (std::size_t j = 0; j < i; ++j) ee_weighted[j] = c * before_weighted[j] + ae_weighted[j];
    ee[i] = c * ee[i - 1] + ae[i];
    ee_weighted[i] = c * ee_weighted[i - 1] + ae_weighted[i];
  }
  std::fill(ee_weighted + i + 1, ee_weighted + padded(i + 1), 0.0);

  // d_j.D^-1 e = c d_j.D^-1 e + d_j.D^-1 a
  for (std::size_t j = 0; j < i; ++j) latest_.de_weighted[j] = c * latest_.de_weighted[j] + ad_weighted[j];
  latest_.de_weighted[i] = de_weighted[i];
}

/// U^T e = c U^T e + U^T a, U^T D^-1 e = c U^T D^-1 e + U^T D^-1 a, h = c h + H V^T D^-1 a, and what the tables take of
/// it.
void SparseSamples::move_latest_trace(const DiagonalPlusLowRank& S, std::size_t i, double c) {
  const std::size_t k = S.rank();
  const std::size_t kp = S.padded_rank();
  kernels::scale_axpy(c, 1.0, with_factors_.Ua.data(), latest_.Ue.data(), kp);
  kernels::scale_axpy(c, 1.0, with_factors_.Ua_weighted.data(), latest_.Ue_weighted.data(), kp);
  kernels::scale(c, latest_.h.data(), kp);
  loops::add_rows(k, kp, S.H(), width_, with_factors_.Va_weighted.data(), latest_.h.data());
  std::copy_n(latest_.Ue.data(), kp, table_.Ue.data() + i * width_);
  std::copy_n(with_factors_.Vd.data(), kp, table_.Vd.data() + i * width_);
  for (std::size_t q = 0; q < k; ++q) table_.h[q * span_ + i] = latest_.h[q];
  for (std::size_t q = 0; q < k; ++q) table_.Ud_weighted[q * span_ + i] = with_factors_.Ud_weighted[q];
}

GainProducts SparseSamples::push(const DiagonalPlusLowRank& S, double c, const SparseRows& a, const SparseRows& d,
                                 bool all) {
  const std::size_t i = count();
  const std::size_t n = padded(i + 1);
  pushed_.c = c;
  pushed_.a = entries_.size();
  // All rows first: histories move when one is added.
  for (std::size_t f = 0; f < a.size; ++f) rows_.use(a.rows[f]);
  for (std::size_t f = 0; f < d.size; ++f) rows_.use(d.rows[f]);
  enter(S, a, i, a_);
  pushed_.d = entries_.size();
  enter(S, d, span_ + i, d_);
  pushed_.end = entries_.size();

  const loops::Entries a_entries{a.size, a.rows, a_.histories.data(), a.values, a_.weighted.data()};
  const loops::Entries d_entries{d.size, d.rows, d_.histories.data(), d.values, d_.weighted.data()};
  loops::products_with_factors(a_entries, d_entries, S.uv(), width_, S.padded_rank(), with_factors_);
  loops::products_with_samples(a_entries, d_entries, span_, n, with_samples_);
  std::copy_n(with_samples_.dd.data(), i + 1, table_.dd.data() + i * span_);
  follow_trace(S, i, c);
  move_latest_trace(S, i, c);

  // A row and a column of T_ij = d_i.P_0 e_j = d_i.D^-1 e_j - (U^T D^-1 d_i).h_j. (follow_trace has turned the products
  // of d with a_j into those with e_j.)
  double* row = block_.row();
  double* column = block_.column();
  std::copy_n(with_samples_.da_weighted.data(), n, row);
  std::copy_n(latest_.de_weighted.data(), n, column);
  loops::subtract_products(S.rank(), n, span_, with_factors_.Ud_weighted.data(), table_.h.data(), row, latest_.h.data(),
                           table_.Ud_weighted.data(), column);
  const double pivot = block_.append();
  return gain_products(S, i, pivot, all);
}

/// The gain s_i and its products. As s_i = (P_0 e_i - sum_l R_li s_l) / R_ii, l < i, every linear function of it
/// follows from those of earlier gains in the same way.
GainProducts SparseSamples::gain_products(const DiagonalPlusLowRank& S, std::size_t i, double pivot, bool all) {
  const std::size_t k = S.rank();
  const std::size_t kp = S.padded_rank();
  const double scale = 1 / pivot;
  const double* R = block_.column();
  double* y = gains_.y.data() + i * span_;
  const double* q = gains_.q.data() + i * width_;
  const double* Us = gains_.Us.data() + i * width_;
  loops::gain_column(i, span_, scale, R, gains_.y.data(), y);
  loops::gain_rows(i, width_, kp, scale, R, latest_.h.data(), gains_.q.data(), latest_.Ue_weighted.data(),
                   all ? gains_.Us.data() : nullptr);

  // With s = D^-1 (E y - U q):
  //   e.s   = e.D^-1 E y - (U^T D^-1 e).q
  //   s.D s = y^T (E^T D^-1 E) y - 2 q.(U^T D^-1 E y) + q^T (U^T D^-1 U) q
  GainProducts gain{.pivot = pivot, .ds = 1 - scale, .es = 0, .sDs = 0};
  if (!all) return gain;
  const double* ee_weighted = table_.ee_weighted.data() + i * span_;
  for (std::size_t j = 0; j <= i; ++j) gain.es += y[j] * ee_weighted[j];
  loops::combine_triangle(i + 1, table_.ee_weighted.data(), span_, y, work_.data());
  for (std::size_t j = 0; j <= i; ++j) gain.sDs += y[j] * (2 * work_[j] - table_.ee_weighted[j * span_ + j] * y[j]);
  std::fill_n(work_.data(), kp, 0.0);
  loops::add_rows(k, kp, S.UDU(), width_, q, work_.data());
  for (std::size_t j = 0; j < k; ++j) {
    gain.es -= latest_.Ue_weighted[j] * q[j];
    gain.sDs += q[j] * (work_[j] - 2 * Us[j]);
  }
  return gain;
}

/// d.(w - w_0) = sum_j step_j d.s_j, and L_ij = d_i.s_j
double SparseSamples::change_along_d() const {
  double sum = 0;
  for (std::size_t j = 0; j < count(); ++j) sum += block_.lower()[j] * change_.steps[j];
  return sum;
}

void SparseSamples::keep(const SparseRows& d, const double* e_at_d) {
  for (std::size_t f = 0; f < d.size; ++f) rows_.diagonal(rows_.slot(d.rows[f])) += e_at_d[f] * d.values[f];
  change_.steps[count()] = 0;
  samples_.push_back(pushed_);
  block_.accept();
}

/// As if d were zero.
void SparseSamples::leave_out() {
  const std::size_t i = count();
  for (std::size_t f = pushed_.d; f < pushed_.end; ++f) rows_.history(entries_[f].slot)[span_ + i] = 0;
  entries_.resize(pushed_.d);
  pushed_.end = pushed_.d;
  std::fill_n(table_.dd.data() + i * span_, i + 1, 0.0);
  std::fill_n(table_.Vd.data() + i * width_, width_, 0.0);
  for (std::size_t q = 0; q < width_; ++q) table_.Ud_weighted[q * span_ + i] = 0;
  std::fill_n(gains_.y.data() + i * span_, span_, 0.0);
  std::fill_n(gains_.q.data() + i * width_, width_, 0.0);
  std::fill_n(gains_.Us.data() + i * width_, width_, 0.0);
  latest_.de_weighted[i] = 0;
  change_.steps[i] = 0;
  samples_.push_back(pushed_);
  block_.neutralise();
}

void SparseSamples::follow(double step) {
  const std::size_t i = count() - 1;
  change_.steps[i] = step;
  kernels::axpy(step, gains_.y.data() + i * span_, change_.y.data(), i + 1);
  kernels::axpy(step, gains_.q.data() + i * width_, change_.q.data(), width_);
  // sum_j y_j e_j = sum_j eta_j a_j + base_eta e_{-1}: eta_j = y_j + c_{j+1} eta_{j+1}
  double later = 0;
  for (std::size_t j = i + 1; j-- > 0;) {
    change_.eta[j] = change_.y[j] + later;
    later = samples_[j].c * change_.eta[j];
  }
  change_.base_eta = later;
}

double SparseSamples::change(const DiagonalPlusLowRank& S, std::size_t row) const {
  double sum = S.change(row, change_.q.data(), -change_.base_eta);
  const std::uint32_t slot = rows_.slot(row);
  if (slot == RowHistories::nowhere) return sum;
  return sum + S.inverse_diagonal()[row] * kernels::dot(rows_.history(slot), change_.eta.data(), count());
}

void SparseSamples::add_change(const DiagonalPlusLowRank& S, const RowTile& tile, std::size_t n, double* w) const {
  for (std::size_t i = 0; i < tile.count; ++i) {
    const std::size_t r = tile.row(i);
    const double inverse = S.inverse_diagonal()[r];
    w[r] += inverse * S.trace(r) * change_.base_eta;
    const std::uint32_t slot = rows_.slot(r);
    if (slot == RowHistories::nowhere) continue;
    w[r] += inverse * kernels::dot(rows_.history(slot), change_.eta.data(), count());
  }
  S.subtract_left(tile, change_.q.data(), n, w);
}

std::optional<GatheredSamples::Rest> SparseSamples::rest() const {
  double c = 1;
  for (std::size_t j = 0; j < count(); ++j) c *= samples_[j].c;
  return Rest{rows_.rows(), base_left_.data(), change_.q.data(), c, -change_.base_eta};
}

/// E left = sum_j e_j left_j = e_{-1} l_{-1} + sum_j a_j l_j with l_j = left_j + c_{j+1} l_{j+1}, from the last j to
/// the first. The sums over a_j and over d_j are kept by slot.
void SparseSamples::prepare(const double* left, const double* right, std::size_t stride, std::size_t columns) {
  columns_ = columns;
  sum_stride_ = padded(columns);
  left_ = left != nullptr;
  right_ = right != nullptr;
  sums_.clear();
  sums_.resize(rows_.size() * 2 * sum_stride_);
  std::fill(base_left_.begin(), base_left_.end(), 0.0);
  const auto spread = [&](std::size_t first, std::size_t end, const double* row, double* sums) {
    loops::spread(end - first, entries_.data() + first, row, columns, sums, 2 * sum_stride_);
  };
  for (std::size_t j = count(); j-- > 0;) {
    const Sample& sample = samples_[j];
    if (left_) {
      kernels::axpy(1.0, left + j * stride, base_left_.data(), columns);
      spread(sample.a, sample.d, base_left_.data(), sums_.data());
      kernels::scale(sample.c, base_left_.data(), columns);
    }
    if (right_) {
      spread(sample.d, sample.end, right + j * stride, sums_.data() + sum_stride_);
    }
  }
}

void SparseSamples::add(const RowTile& tile, double* E_left, double* Delta_right, std::size_t stride) const {
  for (std::size_t i = 0; i < tile.count; ++i) {
    const std::uint32_t slot = rows_.slot(tile.row(i));
    if (slot == RowHistories::nowhere) continue;
    const double* sums = sums_.data() + std::size_t{slot} * 2 * sum_stride_;
    if (left_) kernels::axpy(1.0, sums, E_left + i * stride, columns_);
    if (right_) kernels::axpy(1.0, sums + sum_stride_, Delta_right + i * stride, columns_);
  }
}

void SparseSamples::diagonal(const RowTile& tile, double* sums) const {
  for (std::size_t i = 0; i < tile.count; ++i) {
    const std::uint32_t slot = rows_.slot(tile.row(i));
    if (slot != RowHistories::nowhere) sums[i] += rows_.diagonal(slot);
  }
}

}  // namespace bellwether
