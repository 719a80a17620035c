#include <bellwether/learners/accelerated/atd.h>

#include <fmt/format.h>

namespace bellwether {
namespace {

/// Singular values that the factorisation keeps; none when nothing is inverted.
std::int64_t kept(const ATDRule::Params& params) { return params.rank == 0 ? 0 : params.kept.value_or(params.rank); }

/// Has room for twice the singular values that it keeps, or for those of a batch besides them.
IncrementalSvd factorisation(std::size_t dim, const ATDRule::Params& params) {
  const auto at_most_dim = [dim](std::int64_t n) { return std::min(dim, static_cast<std::size_t>(n)); };
  const std::size_t rank = at_most_dim(kept(params));
  if (rank == 0) return {dim, 0, 0, IncrementalSvd::Solves::never};
  if (params.batch == 1) return {dim, rank, rank, IncrementalSvd::Solves::every_term};
  return {dim, rank, at_most_dim(params.batch), IncrementalSvd::Solves::never};
}

}  // namespace

ATDRule::System::System(std::size_t dim, const Params& params)
    : factors(params.rank > 0),
      batch(params.batch),
      mover(params.trace),
      difference(dim),
      change(dim, params.trace),
      svd(factorisation(dim, params)),
      scratch(factors ? dim : 0) {}

ATDRule::Head::Head(const System& system, const Params& params)
    : eta(params.eta),
      alpha0(params.alpha0),
      cutoff(params.cutoff),
      most(params.kept || params.cap_rank ? static_cast<std::size_t>(params.rank) : IncrementalSvd::no_limit),
      w(system.svd.dim()),
      g(system.svd.coordinate_room()) {
  if (params.kept && *params.kept < params.rank) {
    throw InvalidArgument(fmt::format("{}: kept = {} is less than rank = {}", name, *params.kept, params.rank));
  }
}

/// Solutions with a cutoff below the trusted one and above it cannot come from one factorisation: the former make it
/// accurate again at every step.
ATDRule::Params ATDRule::in_common(Params params) {
  const Params defaults;
  params.kept = kept(params);
  params.rank = *params.kept;
  params.eta = defaults.eta;
  params.alpha0 = defaults.alpha0;
  params.cutoff = params.batch == 1 && params.cutoff < IncrementalSvd::trusted_cutoff ? 0 : defaults.cutoff;
  params.cap_rank = defaults.cap_rank;
  return params;
}

const double* ATDRule::System::solve(Head& head) {
  const double* p = batch == 1 ? svd.solve(head.cutoff, head.most) : svd.solve_truncated(head.cutoff, head.most);
  head.used = svd.used();
  return p;
}

bool ATDRule::System::truncation_is_due() const {
  return batch == 1 ? svd.full() : counts.factored % static_cast<std::uint64_t>(batch) == 0;
}

/// The steps until the next truncation have room.
bool ATDRule::System::consistent() const {
  const auto size = static_cast<std::uint64_t>(batch);
  return counts.truncated <= counts.factored && (!factors || svd.has_room(size - counts.factored % size));
}

/// w += V g, g = 0: truncation changes V.
void ATDRule::System::settle(Head& head) {
  std::fill(scratch.begin(), scratch.end(), 0.0);
  svd.combine_right(head.g.data(), scratch.data());
  head.w.add_to(1, DenseView{scratch.data(), scratch.size()});
  std::fill(head.g.begin(), head.g.end(), 0.0);
}

void ATDRule::System::read(const Head& head, std::span<double> w) const {
  head.w.read(w);
  std::vector<double> g = head.g;
  svd.combine_right(g.data(), w.data());
}

Settings ATDRule::System::findings(const Head& head) const {
  if (!factors || counts.factored == 0) return {};
  const auto summed = static_cast<double>(batch == 1 ? counts.factored : std::max<std::uint64_t>(1, counts.truncated));
  return {{"singular_values_inverted", std::to_string(head.used.count)},
          {"largest_singular_value", format_number(head.used.largest / summed)},
          {"smallest_singular_value_inverted", format_number(head.used.smallest / summed)}};
}

void ATDRule::System::merge(Head& head, const System& other, const Head& other_head, double share) {
  if (!factors) throw InvalidArgument("atd: rank = 0 is TD, and what two of them have learned does not add up");
  const std::size_t d = svd.dim();
  // m = (t_1 w_1 + t_2 w_2) / (t_1 + t_2)
  std::vector<double> w(d);
  std::vector<double> from_mean_1(d);
  std::vector<double> from_mean_2(d);
  read(head, from_mean_1);
  other.read(other_head, from_mean_2);
  for (std::size_t j = 0; j < d; ++j) {
    w[j] = from_mean_1[j] + share * (from_mean_2[j] - from_mean_1[j]);
    from_mean_1[j] -= w[j];
    from_mean_2[j] -= w[j];
  }
  // b = S_1 (w_1 - m) + S_2 (w_2 - m)
  std::vector<double> b = svd.times(from_mean_1);
  kernels::axpy(1.0, other.svd.times(from_mean_2).data(), b.data(), d);

  // S = S_1 + S_2; the trace goes on from the other's.
  head.w = other_head.w;
  std::fill(head.g.begin(), head.g.end(), 0.0);
  mover = other.mover;
  svd.merge(other.svd);
  if (batch > 1) svd.truncate();
  svd.continue_from(head.w.trace());
  counts.factored += other.counts.factored;
  counts.truncated = counts.factored;

  // w = m + S^+ b
  solve(head);
  const std::vector<double> correction = svd.pseudo_inverse(svd.decomposition(), b, head.cutoff, head.most);
  if (std::all_of(correction.begin(), correction.end(), [](double v) { return bounded(v); })) {
    kernels::axpy(1.0, correction.data(), w.data(), d);
  }
  head.w.assign(w);
}

}  // namespace bellwether
