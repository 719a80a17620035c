#include <algorithm>
#include <vector>

#include <bellwether/core/learner_checks.h>
#include <bellwether/learners/accelerated/atd_compensated.h>
#include <bellwether/linalg/simd/kernels.h>

/// How a learner takes up what another one learned: `ATDCompensatedRule::merge`.
namespace bellwether {

/// S_ += S - zeta I. Row r of S is row rows[r] of S_; the columns of its low-rank part are added like samples.
void ATDCompensatedRule::add_matrix(const DiagonalPlusLowRank& S, const std::vector<std::uint32_t>& rows) {
  for (std::size_t r = 0; r < rows.size(); ++r) S_.add_diagonal(rows[r], S.D(r) - S.zeta());
  S_.limit_rank(std::max(S_.rank_limit(), S.rank_limit()));
  dense_samples_.begin(S_);
  for (std::size_t i = 0; i < S.rank(); ++i) {
    if (!dense_samples_.has_room()) absorb_dense_samples();
    std::vector<double> e(S_.rows(), 0.0);
    std::vector<double> d(S_.rows(), 0.0);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      e[rows[r]] = S.uv()[r * S.uv_stride() + i];
      d[rows[r]] = S.uv()[r * S.uv_stride() + S.width() + i];
    }
    dense_samples_.push(S_, e.data(), d.data());
    dense_samples_.keep();
  }
  absorb_dense_samples();
}

void ATDCompensatedRule::merge(const ATDCompensatedRule& other) {
  ATDCompensatedRule part = other;
  const auto start = [](const ATDCompensatedRule& learner) {
    std::vector<double> by_feature(learner.dim_, 0.0);
    for (std::size_t r = 0; r < learner.features_.size(); ++r) by_feature[learner.features_[r]] = learner.start_[r];
    return by_feature;
  };
  check_same_start(name, start(*this), start(part));
  for (ATDCompensatedRule* each : {this, &part}) {
    if (each->gathered() > 0 || each->S_.postpones()) each->take_up_samples(true);
  }
  squares_ += part.squares_;
  seen_ += part.seen_;
  left_out_ += part.left_out_;
  if (part.S_.zeta() == 0) return;  // no feature was ever active
  if (S_.zeta() == 0) S_.start(estimated_zeta());

  // u = w - start of both, and their mean weighted by the diagonals of S_1 and S_2.
  std::vector<std::uint32_t> rows(part.features_.size());
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = row_of(part.features_[r]);
  const std::size_t n = S_.rows();
  std::vector<double> u(n);
  std::vector<double> u2(n, 0.0);
  std::vector<double> known(n, 0.0);
  for (std::size_t r = 0; r < n; ++r) u[r] = w_[r] - start_[r];
  for (std::size_t r = 0; r < rows.size(); ++r) {
    u2[rows[r]] = part.w_[r] - part.start_[r];
    known[rows[r]] = part.S_.diagonal(r);
  }
  std::vector<double> mean(n);
  for (std::size_t r = 0; r < n; ++r) {
    const double both = S_.diagonal(r) + known[r];
    mean[r] = both > 0 ? u[r] + known[r] / both * (u2[r] - u[r]) : u[r] + u2[r];
  }
  // b = S_1 u_1 + S_2 u_2 - S mean, where S = S_1 + S_2 contains zeta I once; `multiply` leaves it out.
  const double zeta = estimated_zeta();
  std::vector<double> b(n);
  for (std::size_t r = 0; r < n; ++r) b[r] = S_.zeta() * u[r] + part.S_.zeta() * u2[r] - zeta * mean[r];
  for (std::vector<double>* v : {&u, &u2}) kernels::axpy(-1.0, mean.data(), v->data(), n);
  std::vector<double> product(n);
  std::vector<double> small(2 * S_.width());
  S_.multiply(u.data(), product.data(), small.data());
  kernels::axpy(1.0, product.data(), b.data(), n);
  for (std::size_t r = 0; r < rows.size(); ++r) u[r] = u2[rows[r]];
  part.S_.multiply(u.data(), product.data(), small.data());
  for (std::size_t r = 0; r < rows.size(); ++r) b[rows[r]] += product[r];

  // w = start + mean + S^-1 b
  add_matrix(part.S_, rows);
  S_.solve(b.data(), u.data(), small.data());
  if (!std::all_of(u.begin(), u.end(), [](double v) { return bounded(v); })) std::fill(u.begin(), u.end(), 0.0);
  for (std::size_t r = 0; r < n; ++r) w_[r] = start_[r] + mean[r] + u[r];

  e_ = part.e_;
  mover_ = part.mover_;
  use_layout(dense_);
  since_replay_ = 0;
  if (!replay_.enabled()) return;
  // As S w = b is solved, the residual of all samples is that of the regulariser: zeta (w - w_start).
  for (std::size_t r = 0; r < n; ++r) {
    u[r] = e_.trace_at(features_[r]);
    b[r] = zeta * (w_[r] - start_[r]);
  }
  replay_.begin_after(seen_, u, b, {w_.data(), n});
}

}  // namespace bellwether
