#include <bellwether/learners/accelerated/atd_compensated.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace bellwether {
namespace {

constexpr std::uint32_t no_row = 0xffffffff;

/// An automatic rank is d up to this d. S is then exact, which costs less than a rank a little below d.
constexpr std::size_t few_features = 128;

/// The first and the largest automatic rank with more features.
constexpr std::size_t first_rank = 10;
constexpr std::size_t last_rank = 30;

/// An automatic rank grows while a dropped singular value exceeds this share of the largest.
constexpr double worth_keeping = 0.05;

/// Short blocks renew U V^T often, which costs rows rank^2 each time; long ones hold more samples, which costs block^2
/// a step: the best is in proportion to cbrt(rows rank^2). The first
/// form was measured with 1024 features, 10 active, for ranks from 5 to 100; the factor 1/2 fits few cases. Where S
/// postpones renewals, more rows cost little more. With rank d there are no rows to renew but a matrix to invert, in
/// d^3, and a step costs d block.
std::size_t block_for(std::size_t rank, std::size_t rows, std::size_t dim) {
  if (rank == 0) return 1;
  if (rank == dim) return std::max<std::size_t>(24, dim);
  const auto renewed = static_cast<double>(std::min(rows, DiagonalPlusLowRank::many_rows(rank)));
  const auto square = static_cast<double>(rank) * static_cast<double>(rank);
  return std::max(24 + 3 * rank / 2, static_cast<std::size_t>(std::cbrt(renewed * square / 2)));
}

/// A sample with a smaller pivot would make S singular.
constexpr double smallest_pivot = 1e-8;

DiagonalPlusLowRank::Shape shape_for(std::size_t dim, const ATDCompensatedRule::Params& params) {
  const std::size_t automatic = dim <= few_features ? dim : last_rank;
  const std::size_t rank = std::min(dim, params.rank ? static_cast<std::size_t>(*params.rank) : automatic);
  return {dim, rank, params.block ? static_cast<std::size_t>(*params.block) : block_for(rank, dim, dim)};
}

}  // namespace

ATDCompensatedRule::ATDCompensatedRule(std::size_t dim, const Params& params)
    : dim_(dim),
      params_(params),
      mover_(params.trace),
      e_(dim),
      list_(dim),
      change_(dim, params.trace),
      S_(shape_for(dim, params), params.compensate, params.compression == Compression::exact),
      sparse_(S_),
      dense_samples_(S_),
      replay_(S_, exact() ? 0 : static_cast<std::size_t>(params.replay)),
      rows_(dim, no_row),
      features_(dim),
      w_(dim),
      start_(dim),
      row_e_(dim),
      row_a_(dim),
      row_d_(dim),
      a_rows_(dim),
      d_rows_(dim),
      a_values_(dim),
      e_at_d_(dim) {
  if (!params_.rank && !exact()) S_.limit_rank(first_rank);
}

Settings ATDCompensatedRule::findings() const {
  const auto rounded = [](double v) { return fmt::format("{:.4g}", v); };
  Settings found{
      {"zeta", rounded(S_.zeta())}, {"rank", std::to_string(S_.rank())}, {"features_seen", std::to_string(S_.rows())}};
  if (S_.rank() > 0) {
    const std::vector<double> kept = S_.singular_values();
    found.emplace_back("largest_singular_value", rounded(kept.front()));
    found.emplace_back("smallest_singular_value_kept", rounded(kept.back()));
    found.emplace_back("largest_singular_value_dropped", rounded(S_.dropped()));
  }
  if (replay_.taken_back() > 0) found.emplace_back("replays_taken_back", std::to_string(replay_.taken_back()));
  if (left_out_ > 0) found.emplace_back("singular_steps_left_out", std::to_string(left_out_));
  if (S_.singular() > 0) found.emplace_back("renewals_found_singular", std::to_string(S_.singular()));
  return found;
}

std::size_t ATDCompensatedRule::block_size() const {
  return params_.block ? S_.shape().block : block_for(S_.rank_limit(), S_.rows(), dim_);
}

double ATDCompensatedRule::estimated_zeta() const {
  if (params_.zeta) return *params_.zeta;
  return squares_ == 0 ? 0 : std::clamp(0.1 * squares_ / seen_, smallest_zeta, largest_zeta);
}

std::uint32_t ATDCompensatedRule::row_of(std::size_t feature) {
  std::uint32_t& row = rows_[feature];
  if (row == no_row) {
    row = static_cast<std::uint32_t>(features_.size());
    features_.push_back(static_cast<std::uint32_t>(feature));
    w_.push_back(0.0);
    start_.push_back(0.0);
    S_.add_row();
  }
  return row;
}

/// Features know their rows and rows their features, and all parts have as many rows.
bool ATDCompensatedRule::consistent() const {
  const std::size_t rows = S_.rows();
  if (features_.size() != rows || w_.size() != rows || start_.size() != rows) return false;
  const auto seen = std::count_if(rows_.begin(), rows_.end(), [](std::uint32_t row) { return row != no_row; });
  if (static_cast<std::size_t>(seen) != rows) return false;
  for (std::size_t r = 0; r < rows; ++r) {
    if (features_[r] >= dim_ || rows_[features_[r]] != r) return false;
  }
  if (!all_below(rows, sparse_.touched()) || !replay_.fits(rows)) return false;
  if (!dense_) return true;
  return rows == dim_ && dense_samples_.rows() == rows && row_e_.size() == dim_ && row_a_.size() == dim_ &&
         row_d_.size() == dim_;
}

/// f delta with f = 1 / max(1, |d.s|), times max(0, e.s / s.D s) where s.D s > e.s
double ATDCompensatedRule::step(const GainProducts& gain, double delta) const {
  if (exact()) return delta;
  double f = 1 / std::max(1.0, std::abs(gain.ds));
  if (gain.sDs > gain.es) f *= std::max(0.0, gain.es / gain.sDs);
  return f * delta;
}

template <class X>
bool ATDCompensatedRule::update(const Transition<X>& s) {
  const Motion m = mover_.next(s);
  const double square = kernels::squared_norm(s.x);
  if (!s.allows(s.r, m.f, m.y, e_.mass_after(m), square)) return false;
  squares_ += square;
  ++seen_;
  if (S_.zeta() == 0) {
    if (estimated_zeta() == 0) return true;  // no feature has been seen yet, so the trace is zero
    S_.start(estimated_zeta());
  }
  constexpr bool dense = std::is_same_v<X, DenseView>;
  if (dense_ != dense) use_layout(dense);
  if constexpr (dense) return update_dense(s, m);
  else return update_sparse(s, m);
}

template <class X>
bool ATDCompensatedRule::update_sparse(const Transition<X>& s, Motion m) {
  const SparseView d = s.gn == 0 ? list_.only(s.x) : list_.difference(s.x, s.gn, s.xn);
  const std::size_t numbers = s.x.size + d.size;
  if (!sparse_.has_room(numbers) || (replay_.enabled() && !replay_.has_room(numbers))) renew();

  // The trace moves, e = f e + a. Rows of S stand for the features seen.
  a_rows_.clear();
  a_values_.clear();
  const SparseView a = change_.additions(m, s.x, [this](std::size_t j) { return e_.trace_at(j); });
  a.for_each([&](std::size_t j, double value) {
    if (value == 0) return;
    const std::uint32_t row = row_of(j);
    S_.bring(row, w_[row]);
    a_rows_.push_back(row);
    a_values_.push_back(value);
  });
  mover_.move(e_, m, s.x);
  d_rows_.clear();
  e_at_d_.clear();
  double delta = s.r;  // minus d.w, of which w_ holds the weights at the start of the block
  d.for_each([&](std::size_t j, double v) {
    const std::uint32_t row = row_of(j);
    S_.bring(row, w_[row]);
    d_rows_.push_back(row);
    e_at_d_.push_back(e_.trace_at(j));
    delta -= v * w_[row];
  });
  const SparseRows a_list{a_rows_.data(), a_values_.data(), a_rows_.size()};
  const SparseRows d_list{d_rows_.data(), d.values, d.size};

  const GainProducts gain = sparse_.push(S_, m.f, a_list, d_list, !exact());
  delta -= sparse_.change_along_d();
  const double step_size = step(gain, delta);
  if (!s.allows(gain.pivot, delta)) return false;
  if (std::abs(gain.pivot) > smallest_pivot) {
    if (!s.allows(step_size)) return false;
    sparse_.keep(d_list, e_at_d_.data());
    sparse_.follow(step_size);
  } else {
    sparse_.leave_out();
    ++left_out_;
  }
  if (replay_.enabled()) replay_.add(m.f, a_list, d_list, s.r, delta, w_.data());
  renew_when_due();
  return true;
}

bool ATDCompensatedRule::update_dense(const Transition<DenseView>& s, Motion m) {
  const std::size_t n = dim_;
  if (!dense_samples_.has_room() || (replay_.enabled() && !replay_.has_room(2 * n))) renew();
  const DenseView d = list_.difference(s.x, s.gn, s.xn);
  const DenseView a = change_.additions(m, s.x, [this](std::size_t j) { return e_.trace_at(j); });
  mover_.move(e_, m, s.x);
  for (std::size_t r = 0; r < n; ++r) {
    row_e_[r] = e_.trace_at(features_[r]);
    row_a_[r] = a.values[features_[r]];
    row_d_[r] = d.values[features_[r]];
  }
  const double delta = s.r - kernels::dot(row_d_.data(), w_.data(), n);

  const GainProducts gain = dense_samples_.push(S_, row_e_.data(), row_d_.data());
  if (!s.allows(gain.pivot, delta)) return false;
  if (std::abs(gain.pivot) > smallest_pivot) {
    const double step_size = step(gain, delta);
    if (!s.allows(step_size)) return false;
    dense_samples_.keep();
    kernels::axpy(step_size, dense_samples_.gain(), w_.data(), n);
  } else {
    dense_samples_.leave_out();
    ++left_out_;
  }
  if (replay_.enabled()) replay_.add(m.f, std::span(row_a_.data(), n), std::span(row_d_.data(), n), s.r, delta);
  renew_when_due();
  return true;
}

void ATDCompensatedRule::renew_when_due() {
  const double zeta = estimated_zeta();
  const bool moved = std::abs(zeta - S_.zeta()) > 0.2 * S_.zeta();
  if (gathered() >= block_size() || moved) renew(moved);
}

void ATDCompensatedRule::absorb_dense_samples() {
  dense_samples_.multiply_out(S_);
  S_.absorb(dense_samples_, estimated_zeta());
  dense_samples_.begin(S_);
}

/// One pass over the rows of S: the weights take up the change of the block, and the next block continues the trace.
struct ATDCompensatedRule::SparseRenewal final : RowPass {
  explicit SparseRenewal(ATDCompensatedRule& rule) : learner(rule), columns(rule.S_.rank()) {}
  void before(const RowTile& tile) override {
    learner.sparse_.add_change(learner.S_, tile, columns, learner.w_.data());
  }
  void trace(const RowTile& tile, double* e) override {
    for (std::size_t i = 0; i < tile.count; ++i) e[i] = learner.e_.trace_at(learner.features_[tile.row(i)]);
  }
  ATDCompensatedRule& learner;
  std::size_t columns;  // of U before the renewal
};

/// Adds the samples gathered to S. All rows of S are up to date then, if the renewal is to be complete.
void ATDCompensatedRule::take_up_samples(bool complete) {
  since_replay_ += gathered();
  if (dense_) {
    absorb_dense_samples();
  } else {
    SparseRenewal pass(*this);
    S_.absorb(sparse_, estimated_zeta(), &pass, w_.data(), complete);
    sparse_.begin(S_);
  }
}

/// Adds the samples gathered to S, adapts an automatic rank, and replays.
void ATDCompensatedRule::renew(bool complete) {
  take_up_samples(complete);
  if (!params_.rank && S_.dropped() > worth_keeping * S_.longest()) {
    S_.limit_rank(std::min(S_.shape().rank, S_.rank_limit() + S_.rank_limit() / 2));
  }
  if (replay_.enabled() && since_replay_ >= ReplayWindow::spacing) {
    replay_.improve(S_, w_.data(), start_.data(), dense_);
    since_replay_ = 0;
  }
}

void ATDCompensatedRule::use_layout(bool dense) {
  if (gathered() > 0 || (!dense_ && S_.postpones())) renew(true);
  dense_ = dense;
  if (dense) {
    for (std::size_t j = 0; j < dim_; ++j) row_of(j);
    for (CappedVector<double>* v : {&row_e_, &row_a_, &row_d_}) v->resize(dim_);
    dense_samples_.begin(S_);
  } else {
    begin_sparse();
  }
}

void ATDCompensatedRule::begin_sparse() {
  row_e_.resize(S_.rows());
  for (std::size_t r = 0; r < S_.rows(); ++r) row_e_[r] = e_.trace_at(features_[r]);
  S_.begin_trace(row_e_.data());
  sparse_.begin(S_);
}

template <class X>
double ATDCompensatedRule::value(const X& x) const {
  double sum = 0;
  x.for_each([&](std::size_t j, double v) {
    const std::uint32_t row = rows_[j];
    if (row == no_row) return;
    sum += v * (w_[row] + (dense_ ? 0.0 : sparse_.change(S_, row)));
  });
  return sum;
}

void ATDCompensatedRule::read(std::span<double> w) const {
  std::fill(w.begin(), w.end(), 0.0);
  for (std::size_t r = 0; r < features_.size(); ++r) {
    w[features_[r]] = w_[r] + (dense_ ? 0.0 : sparse_.change(S_, r));
  }
}

void ATDCompensatedRule::assign(std::span<const double> w) {
  for (std::size_t j = 0; j < w.size(); ++j) {
    if (w[j] == 0 && rows_[j] == no_row) continue;
    const std::uint32_t row = row_of(j);
    S_.bring(row, w_[row]);
    w_[row] = start_[row] = w[j];
  }
}

template bool ATDCompensatedRule::update(const Transition<DenseView>&);
template bool ATDCompensatedRule::update(const Transition<SparseView>&);
template bool ATDCompensatedRule::update(const Transition<BinaryView>&);
template double ATDCompensatedRule::value(const DenseView&) const;
template double ATDCompensatedRule::value(const SparseView&) const;
template double ATDCompensatedRule::value(const BinaryView&) const;

}  // namespace bellwether
