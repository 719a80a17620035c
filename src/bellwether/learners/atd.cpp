#include <bellwether/learners/atd.h>

#include <algorithm>
#include <cmath>

namespace bellwether {
namespace {

std::size_t at_most(std::size_t dim, std::int64_t wanted) {
  return static_cast<std::size_t>(std::min(wanted, static_cast<std::int64_t>(dim)));
}

/// Room for the factorisation: twice the rank, or a batch more than it.
IncrementalSvd factorisation(std::size_t dim, const ATD::Params& params) {
  const std::size_t rank = at_most(dim, params.rank);
  if (rank == 0) return {dim, 0, 0, IncrementalSvd::Solves::never};
  if (params.batch == 1) return {dim, rank, rank, IncrementalSvd::Solves::every_term};
  return {dim, rank, at_most(dim, params.batch), IncrementalSvd::Solves::never};
}

}  // namespace

// The factorisation holds the sum S = (t+1) A rather than the mean: beta A^+ = S^+, and nothing has to be scaled.
ATD::ATD(std::size_t dim, const Params& params)
    : TracedLearner(dim),
      params_(checked(name, params)),
      mover_(params.trace),
      difference_(dim),
      change_(dim, params.trace),
      svd_(factorisation(dim, params)),
      g_(svd_.places()),
      scratch_(params.rank > 0 ? dim : 0) {}

bool ATD::accelerate(double delta) {
  if (!bounded(svd_.magnitude())) return false;
  svd_.commit(1, 1);
  ++steps_factored_;
  const double* p = every_step() ? svd_.solve(params_.cutoff, params_.cap_rank) : svd_.solve_truncated(params_.cutoff);
  double step = params_.alpha0 * delta;
  if (!every_step()) step *= static_cast<double>(steps_truncated_) / static_cast<double>(steps_factored_);
  double largest = 0;
  for (std::size_t i = 0; i < svd_.right_size(); ++i) largest = std::max(largest, std::abs(p[i]));
  if (!bounded(step, largest, step * largest)) return false;
  kernels::axpy(step, p, g_.data(), svd_.right_size());
  return true;
}

void ATD::make_room() {
  const bool due = every_step() ? svd_.full() : steps_factored_ % static_cast<std::uint64_t>(params_.batch) == 0;
  if (!due) return;
  std::fill(scratch_.begin(), scratch_.end(), 0.0);
  svd_.combine_right(g_.data(), scratch_.data());
  e_.add_to(1, DenseView{scratch_.data(), dim()});
  std::fill(g_.begin(), g_.end(), 0.0);
  svd_.truncate();
  steps_truncated_ = steps_factored_;
}

void ATD::read(std::span<double> w) const {
  e_.read(w);
  std::vector<double> g = g_;
  svd_.combine_right(g.data(), w.data());
}

Settings ATD::findings() const {
  if (params_.rank == 0 || steps_factored_ == 0) return {};
  const auto& used = svd_.used();
  const double steps =
      static_cast<double>(every_step() ? steps_factored_ : std::max<std::uint64_t>(1, steps_truncated_));
  return {{"singular_values_inverted", std::to_string(used.count)},
          {"largest_singular_value", format_number(used.largest / steps)},
          {"smallest_singular_value_inverted", format_number(used.smallest / steps)}};
}

}  // namespace bellwether
