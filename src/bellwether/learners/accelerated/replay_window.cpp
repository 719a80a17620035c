#include <bellwether/learners/accelerated/replay_window.h>

#include <algorithm>
#include <cmath>

#include <bellwether/core/learner_checks.h>
#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {
namespace {

/// The limit of stored numbers, a gigabyte, unless a single sample has more. With less room the window is shorter.
constexpr std::size_t largest_store = std::size_t{1} << 27U;

/// Room for the samples of the window and those that arrive before the next step evicts some, twice: the memory is
/// compacted only when half of the samples in it have left the window.
std::size_t most_samples(const DiagonalPlusLowRank& S, std::size_t samples) {
  return samples == 0 ? 0 : 2 * (samples + ReplayWindow::spacing + S.shape().block);
}

std::size_t store_size(const DiagonalPlusLowRank& S, std::size_t samples) {
  if (samples == 0) return 0;
  const std::size_t dim = S.shape().dim;
  return std::max(16 * dim, std::min(2 * dim * most_samples(S, samples), largest_store));
}

/// Rows that may have to be listed.
std::size_t many(const DiagonalPlusLowRank& S, std::size_t samples) {
  const std::size_t dim = S.shape().dim;
  return samples > 0 && dim >= S.shape().many ? dim : 0;
}

/// A trace below this share of its largest entry no longer keeps a row in the list.
constexpr double negligible = 1e-6;

/// y += a x
void axpy(const RowTile& tile, double a, const double* x, double* y) {
  if (tile.list == nullptr) return kernels::axpy(a, x, y, tile.count);
  for (std::size_t i = 0; i < tile.count; ++i) y[tile.list[i]] += a * x[tile.list[i]];
}

double dot(const RowTile& tile, const double* x, const double* y) {
  if (tile.list == nullptr) return kernels::dot(x, y, tile.count);
  double sum = 0;
  for (std::size_t i = 0; i < tile.count; ++i) sum += x[tile.list[i]] * y[tile.list[i]];
  return sum;
}

template <class Visit>
void for_each_row(const RowTile& tile, Visit&& visit) {
  for (std::size_t i = 0; i < tile.count; ++i) visit(tile.row(i));
}

}  // namespace

ReplayWindow::ReplayWindow(const DiagonalPlusLowRank& S, std::size_t samples)
    : limit_(samples),
      samples_(most_samples(S, samples)),
      rows_(store_size(S, samples)),
      values_(store_size(S, samples)),
      tail_(S.shape().dim),
      evicted_(S.shape().dim),
      w_(S.shape().dim),
      q_(S.shape().dim),
      p_(S.shape().dim),
      y_(S.shape().dim),
      Sp_(S.shape().dim),
      small_(2 * S.width()),
      uses_(many(S, samples)),
      listed_(many(S, samples)),
      before_(S.shape().dim),
      saved_(many(S, samples)),
      saved_in_(many(S, samples)),
      errors_(2 * S.shape().block + spacing),
      errors_before_(2 * S.shape().block + spacing) {
  small_.resize(2 * S.width());
}

bool ReplayWindow::has_room(std::size_t numbers) const {
  return samples_.size() < samples_.capacity() && values_.size() + numbers <= values_.capacity();
}

void ReplayWindow::add(double c, const SparseRows& a, const SparseRows& d, double r, double delta,
                       const double* start) {
  samples_.push_back({values_.size(), rows_.size(), static_cast<std::uint32_t>(a.size),
                      static_cast<std::uint32_t>(d.size), false, c, r});
  for (const SparseRows* x : {&a, &d}) {
    for (std::size_t f = 0; f < x->size; ++f) {
      rows_.push_back(x->rows[f]);
      values_.push_back(x->values[f]);
    }
  }
  if (counted_) count(samples_[samples_.size() - 1], true);
  if (!probation_) return;
  double other = r;
  for (std::size_t f = 0; f < d.size; ++f) {
    const std::uint32_t row = d.rows[f];
    if (saved_some_) {
      const bool saved = row < saved_in_.size() && saved_in_[row] == steps_;
      other -= d.values[f] * (saved ? before_[row] : start[row]);
    } else if (row < before_.size()) {
      other -= d.values[f] * before_[row];
    }
  }
  watch(delta, other);
}

void ReplayWindow::add(double c, std::span<const double> a, std::span<const double> d, double r, double delta) {
  samples_.push_back({values_.size(), rows_.size(), static_cast<std::uint32_t>(a.size()),
                      static_cast<std::uint32_t>(d.size()), true, c, r});
  for (const double v : a) values_.push_back(v);
  for (const double v : d) values_.push_back(v);
  if (counted_) count(samples_[samples_.size() - 1], true);
  if (saved_some_) probation_ = false;  // the weights before the step are known at some rows only
  if (!probation_) return;
  const double other = r - kernels::dot(d.data(), before_.data(), before_.size());
  watch(delta, other);
}

double ReplayWindow::dot_d(const Sample& s, const double* v) const {
  const double* values = values_.data() + s.begin + s.a;
  if (s.dense) return kernels::dot(values, v, s.d);
  return kernels::dot(SparseView{rows_.data() + s.rows + s.a, values, s.d}, v);
}

void ReplayWindow::add_a(const Sample& s, double f, double* v) const {
  const double* values = values_.data() + s.begin;
  if (s.dense) kernels::axpy(f, values, v, s.a);
  else kernels::axpy(f, SparseView{rows_.data() + s.rows, values, s.a}, v);
}

void ReplayWindow::use(std::uint32_t row) {
  if (row >= uses_.size()) uses_.resize(row + std::size_t{1});
  if (uses_[row] == 0) {
    uses_[row] = 1;
    listed_.push_back(row);
  }
}

/// Counts the rows of a sample that enters the window or leaves it.
void ReplayWindow::count(const Sample& s, bool enters) {
  const auto count_row = [&](std::uint32_t row) {
    if (enters) use(row);
    if (enters) ++uses_[row];
    else --uses_[row];
  };
  if (s.dense) {
    for (std::uint32_t row = 0; row < s.d; ++row) count_row(row);
  } else {
    for (std::size_t f = s.rows; f < s.rows + s.a + s.d; ++f) count_row(rows_[f]);
  }
}

/// The rows that take part in a step, up to date. A list of them is kept from the first time on that there are many.
RowTile ReplayWindow::touched_rows(DiagonalPlusLowRank& S, double* w, bool dense) {
  if (dense || !S.postpones()) {
    counted_ = false;
    return {0, S.rows()};
  }
  if (!counted_) {
    uses_.clear();
    listed_.clear();
    uses_.resize(S.rows());
    for (std::uint32_t r = 0; r < tail_.size(); ++r) {
      if (tail_[r] != 0) use(r);
    }
    for (std::size_t j = first_; j < samples_.size(); ++j) count(samples_[j], true);
    counted_ = true;
  }
  double largest = 0;
  for (std::size_t i = 0; i < listed_.size(); ++i) largest = std::max(largest, std::abs(tail_[listed_[i]]));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < listed_.size(); ++i) {
    const std::uint32_t r = listed_[i];
    if (uses_[r] == 1 && std::abs(tail_[r]) <= negligible * largest) {
      tail_[r] = 0;
      uses_[r] = 0;
    } else {
      S.bring(r, w[r]);
      listed_[kept++] = r;
    }
  }
  listed_.resize(kept);
  return {0, kept, listed_.data()};
}

/// sum += sum_i e_i value(i) over samples first .. last-1, where the trace before the first one is the tail.
template <class Value>
void ReplayWindow::sum_backwards(const RowTile& tile, std::size_t first, std::size_t last, Value&& value,
                                 double* sum) const {
  double g = 0;
  for (std::size_t j = last; j-- > first;) {
    g += value(samples_[j]);
    add_a(samples_[j], g, sum);
    g *= samples_[j].c;
  }
  axpy(tile, g, tail_.data(), sum);
}

void ReplayWindow::begin_after(double count, std::span<const double> trace, std::span<const double> residual,
                               std::span<const double> w) {
  samples_.clear();
  rows_.clear();
  values_.clear();
  probation_ = counted_ = false;
  first_ = 0;
  evicted_count_ = count;
  resize(w.size());
  std::copy(trace.begin(), trace.end(), tail_.data());
  std::copy(residual.begin(), residual.end(), evicted_.data());
  std::copy(w.begin(), w.end(), w_.data());
}

/// Evicts the samples beyond the limit, and more if the memory is more than half full. Their residual at w is added to
/// `evicted_`, and the tail becomes the trace after them.
void ReplayWindow::evict(const RowTile& tile, const double* w) {
  const std::size_t count = samples_.size() - first_;
  std::size_t gone = count > limit_ ? count - limit_ : 0;
  const auto used_after = [&](std::size_t n) {
    return first_ + n < samples_.size() ? values_.size() - samples_[first_ + n].begin : 0;
  };
  while (gone < count && used_after(gone) > values_.capacity() / 2) ++gone;
  if (gone > 0) {
    sum_backwards(
        tile, first_, first_ + gone, [&](const Sample& s) { return s.r - dot_d(s, w); }, evicted_.data());
    double decay = 1;
    for (std::size_t j = first_; j < first_ + gone; ++j) decay *= samples_[j].c;
    for_each_row(tile, [&](std::size_t r) { tail_[r] *= decay; });
    decay = 1;
    for (std::size_t j = first_ + gone; j-- > first_;) {
      add_a(samples_[j], decay, tail_.data());
      decay *= samples_[j].c;
      if (counted_) this->count(samples_[j], false);
    }
    first_ += gone;
    evicted_count_ += static_cast<double>(gone);
  }
  // Once half of the samples stored have left, the rest are moved to the front.
  if (samples_.size() - first_ > first_ && values_.size() <= values_.capacity() / 2) return;
  const std::size_t value0 = first_ < samples_.size() ? samples_[first_].begin : values_.size();
  const std::size_t row0 = first_ < samples_.size() ? samples_[first_].rows : rows_.size();
  std::copy(values_.data() + value0, values_.data() + values_.size(), values_.data());
  std::copy(rows_.data() + row0, rows_.data() + rows_.size(), rows_.data());
  values_.resize(values_.size() - value0);
  rows_.resize(rows_.size() - row0);
  for (std::size_t j = first_; j < samples_.size(); ++j) {
    Sample moved = samples_[j];
    moved.begin -= value0;
    moved.rows -= row0;
    samples_[j - first_] = moved;
  }
  samples_.resize(samples_.size() - first_);
  first_ = 0;
}

void ReplayWindow::resize(std::size_t rows) {
  for (CappedVector<double>* v : {&tail_, &evicted_, &w_, &q_, &p_, &y_, &Sp_}) v->resize(rows);
}

void ReplayWindow::watch(double error, double error_before) {
  if (errors_.size() == errors_.capacity()) return;
  errors_.push_back(error);
  errors_before_.push_back(error_before);
}

/// The sum of squared errors of the lambda-returns of the samples since the step on probation.
double ReplayWindow::squared_returns(const CappedVector<double>& errors) const {
  const Sample* first = samples_.data() + samples_.size() - errors.size();
  double sum = 0;
  double g = 0;
  for (std::size_t j = errors.size(); j-- > 0;) {
    g += errors[j];
    sum += g * g;
    g *= first[j].c;
  }
  return sum;
}

/// Ends the probation of the last step. Up to half more error is attributed to chance.
void ReplayWindow::judge(DiagonalPlusLowRank& S, double* w) {
  if (!probation_) return;
  probation_ = false;
  if (squared_returns(errors_) <= 1.5 * squared_returns(errors_before_)) {
    next_pause_ = std::max<std::size_t>(next_pause_ / 2, 1);
    return;
  }
  const RowTile saved{0, saved_some_ ? saved_.size() : before_.size(), saved_some_ ? saved_.data() : nullptr};
  for_each_row(saved, [&](std::size_t r) {
    S.bring(r, w[r]);
    w[r] = before_[r];
  });
  ++taken_back_;
  pause_ = next_pause_;
  next_pause_ = std::min<std::size_t>(2 * next_pause_, 64);
}

/// Keeps the weights before a step.
void ReplayWindow::save(const RowTile& tile, const double* w, std::size_t n) {
  probation_ = true;
  before_.resize(n);
  for_each_row(tile, [&](std::size_t r) { before_[r] = w[r]; });
  saved_some_ = tile.list != nullptr;
  if (!saved_some_) return;
  ++steps_;
  saved_in_.resize(n);
  saved_.resize(tile.count);
  std::copy_n(tile.list, tile.count, saved_.data());
  for_each_row(tile, [&](std::size_t r) { saved_in_[r] = steps_; });
}

void ReplayWindow::improve(DiagonalPlusLowRank& S, double* w, const double* start, bool dense) {
  judge(S, w);
  const std::size_t n = S.rows();
  const std::size_t known = w_.size();
  resize(n);
  for (std::size_t r = known; r < n; ++r) w_[r] = start[r];
  const RowTile tile = touched_rows(S, w, dense);
  const auto each = [&](auto&& visit) { for_each_row(tile, visit); };
  // The residual of the evicted samples follows w: evicted -= (their share of the samples) (S - zeta I) (w - w_last).
  const double total = evicted_count_ + static_cast<double>(samples_.size() - first_);
  if (evicted_count_ > 0) {
    each([&](std::size_t r) { p_[r] = w[r] - w_[r]; });
    S.multiply(tile, p_.data(), Sp_.data(), small_.data());
    axpy(tile, -evicted_count_ / total, Sp_.data(), evicted_.data());
  }
  evict(tile, w);
  if (pause_ > 0) {
    --pause_;
    each([&](std::size_t r) { w_[r] = w[r]; });
    return;
  }
  const double share = evicted_count_ / total;

  // q = sum_i e_i (r_i - d_i.w) - zeta (w - w_start), p = B q
  each([&](std::size_t r) { q_[r] = evicted_[r] - S.zeta() * (w[r] - start[r]); });
  sum_backwards(
      tile, first_, samples_.size(), [&](const Sample& s) { return s.r - dot_d(s, w); }, q_.data());
  S.solve(tile, q_.data(), p_.data(), small_.data());

  // y = (sum_i e_i d_i^T + zeta I) p, for the evicted samples by the learner's approximation
  S.multiply(tile, p_.data(), Sp_.data(), small_.data());
  each([&](std::size_t r) { y_[r] = S.zeta() * p_[r] + share * Sp_[r]; });
  sum_backwards(
      tile, first_, samples_.size(), [&](const Sample& s) { return dot_d(s, p_.data()); }, y_.data());

  // The step y.q / y.y is at most 1, and less where p.D p > p.q: there U V^T acts negatively.
  double yy = dot(tile, y_.data(), y_.data());
  if (tile.list != nullptr) {
    // At the other rows y is share U t, t = V^T p. As U has orthonormal columns, its square there is |t|^2 less the
    // rest.
    double others = kernels::dot(small_.data(), small_.data(), S.width());
    each([&](std::size_t r) {
      const double Ut = Sp_[r] - (S.D(r) - S.zeta()) * p_[r];
      others -= Ut * Ut;
    });
    yy += share * share * std::max(0.0, others);
  }
  const double pq = dot(tile, p_.data(), q_.data());
  double pDp = 0;
  each([&](std::size_t r) { pDp += p_[r] * p_[r] * S.D(r); });
  double step = std::clamp(dot(tile, y_.data(), q_.data()) / yy, 0.0, 1.0);
  if (pDp > pq) step *= std::max(0.0, pq / pDp);
  if (yy > 0 && std::isfinite(yy) && bounded(step)) {
    save(tile, w, n);
    errors_.clear();
    errors_before_.clear();
    axpy(tile, step, p_.data(), w);
    axpy(tile, -step * share, Sp_.data(), evicted_.data());
  }
  each([&](std::size_t r) { w_[r] = w[r]; });
}

}  // namespace bellwether
