#include <bellwether/learners/accelerated/atd.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace bellwether {
namespace {

std::size_t at_most(std::size_t dim, std::int64_t wanted) {
  return static_cast<std::size_t>(std::min(wanted, static_cast<std::int64_t>(dim)));
}

/// Singular values that the factorisation keeps; none when nothing is inverted.
std::int64_t kept(const ATD::Params& params) { return params.rank == 0 ? 0 : params.kept.value_or(params.rank); }

/// Room for the factorisation: twice what it keeps, or a batch more than it.
IncrementalSvd factorisation(std::size_t dim, const ATD::Params& params) {
  const std::size_t rank = at_most(dim, kept(params));
  if (rank == 0) return {dim, 0, 0, IncrementalSvd::Solves::never};
  if (params.batch == 1) return {dim, rank, rank, IncrementalSvd::Solves::every_term};
  return {dim, rank, at_most(dim, params.batch), IncrementalSvd::Solves::never};
}

const ATD::Params& checked_atd(const ATD::Params& params) {
  if (params.kept && *params.kept < params.rank) {
    throw InvalidArgument(fmt::format("atd: kept = {} is less than rank = {}", *params.kept, params.rank));
  }
  return checked(ATD::name, params);
}

}  // namespace

// The factorisation holds the sum S = (t+1) A rather than the mean: beta A^+ = S^+, and nothing has to be scaled.
ATD::ATD(const std::vector<Params>& members, std::size_t dim)
    : WeightsOnDemand(dim),
      roster_(members.size()),
      factors_(members.front().rank > 0),
      mover_(members.front().trace),
      difference_(dim),
      change_(dim, members.front().trace),
      svd_(factorisation(dim, checked_atd(members.front()))),
      scratch_(factors_ ? dim : 0) {
  for (const Params& params : members) {
    members_.push_back({checked_atd(params), solution_for(params), FollowedTrace<1>(dim),
                        std::vector<double>(svd_.coordinate_room())});
  }
}

/// Solutions with a cut-off below the trusted one and above it do not come from one factorisation: the former make it
/// accurate at every step.
ATD::Params ATD::in_common(Params params) {
  const Params defaults;
  params.kept = kept(params);
  params.rank = *params.kept;
  params.eta = defaults.eta;
  params.alpha0 = defaults.alpha0;
  params.cutoff = params.batch == 1 && params.cutoff < IncrementalSvd::trusted_cutoff ? 0 : defaults.cutoff;
  params.cap_rank = defaults.cap_rank;
  return params;
}

std::size_t ATD::solution_for(const Params& params) {
  const bool capped = params.kept || params.cap_rank;
  const std::size_t most = capped ? static_cast<std::size_t>(params.rank) : IncrementalSvd::no_limit;
  const auto same = [&](const Solution& s) { return s.cutoff == params.cutoff && s.most == most; };
  const auto found = std::find_if(solutions_.begin(), solutions_.end(), same);
  const auto place = static_cast<std::size_t>(found - solutions_.begin());
  if (found == solutions_.end())
    solutions_.push_back({params.cutoff, most, {}, 0, std::vector<double>(svd_.coordinate_room())});
  return place;
}

bool ATD::accelerate() {
  if (!bounded(svd_.magnitude())) return false;
  svd_.commit(1, 1);
  ++steps_factored_;
  const std::size_t n = svd_.right_size();
  for (Solution& s : solutions_) {
    const double* p = solve(s);
    s.largest = 0;
    for (std::size_t i = 0; i < n; ++i) s.largest = std::max(s.largest, std::abs(p[i]));
    std::copy_n(p, n, s.p.begin());
  }
  double share = 1;
  if (!every_step()) share = static_cast<double>(steps_truncated_) / static_cast<double>(steps_factored_);
  return keep([&](Member& k) {
    const Solution& s = solutions_[k.solution];
    const double step = k.params.alpha0 * k.delta * share;
    if (!bounded(step, s.largest, step * s.largest)) return false;
    kernels::axpy(step, s.p.data(), k.g.data(), n);
    return true;
  });
}

const double* ATD::solve(Solution& s) {
  const double* p = every_step() ? svd_.solve(s.cutoff, s.most) : svd_.solve_truncated(s.cutoff, s.most);
  s.used = svd_.used();
  return p;
}

void ATD::make_room() {
  const bool due = every_step() ? svd_.full() : steps_factored_ % static_cast<std::uint64_t>(params().batch) == 0;
  if (!due) return;
  for (const std::size_t i : roster_.learning()) {
    Member& k = members_[i];
    std::fill(scratch_.begin(), scratch_.end(), 0.0);
    svd_.combine_right(k.g.data(), scratch_.data());
    k.w.add_to(1, DenseView{scratch_.data(), dim()});
    std::fill(k.g.begin(), k.g.end(), 0.0);
  }
  svd_.truncate();
  steps_truncated_ = steps_factored_;
}

void ATD::merge(const ATD& other) {
  if (!factors_) throw InvalidArgument("atd: rank = 0 is TD, and what two of them have learned does not add up");
  const double share = static_cast<double>(other.steps()) / static_cast<double>(steps() + other.steps());
  std::vector<double> w(dim());
  std::vector<double> from_mean_1 = weights();
  std::vector<double> from_mean_2 = other.weights();
  for (std::size_t j = 0; j < dim(); ++j) {
    w[j] = from_mean_1[j] + share * (from_mean_2[j] - from_mean_1[j]);
    from_mean_1[j] -= w[j];
    from_mean_2[j] -= w[j];
  }
  std::vector<double> b = svd_.times(from_mean_1);
  kernels::axpy(1.0, other.svd_.times(from_mean_2).data(), b.data(), dim());

  Member& k = members_.front();
  k.w = other.members_.front().w;
  std::fill(k.g.begin(), k.g.end(), 0.0);
  mover_ = other.mover_;
  svd_.merge(other.svd_);
  if (!every_step()) svd_.truncate();
  svd_.continue_from(k.w.trace());
  steps_factored_ += other.steps_factored_;
  steps_truncated_ = steps_factored_;
  Solution& s = solutions_.front();
  solve(s);
  const std::vector<double> correction = svd_.pseudo_inverse(svd_.decomposition(), b, s.cutoff, s.most);
  if (std::all_of(correction.begin(), correction.end(), [](double v) { return bounded(v); })) {
    kernels::axpy(1.0, correction.data(), w.data(), dim());
  }
  k.w.assign(w);
}

void ATD::read(std::size_t member, std::span<double> w) const {
  members_[member].w.read(w);
  std::vector<double> g = members_[member].g;
  svd_.combine_right(g.data(), w.data());
}

Roster::Left ATD::leaving(std::size_t member) const {
  Roster::Left left{std::vector<double>(dim()), findings(member)};
  read(member, left.w);
  return left;
}

Settings ATD::findings(std::size_t member) const {
  if (!factors_ || steps_factored_ == 0) return {};
  const auto& used = solutions_[members_[member].solution].used;
  const double steps =
      static_cast<double>(every_step() ? steps_factored_ : std::max<std::uint64_t>(1, steps_truncated_));
  return {{"singular_values_inverted", std::to_string(used.count)},
          {"largest_singular_value", format_number(used.largest / steps)},
          {"smallest_singular_value_inverted", format_number(used.smallest / steps)}};
}

}  // namespace bellwether
