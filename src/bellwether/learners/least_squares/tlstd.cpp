#include <bellwether/learners/least_squares/tlstd.h>

#include <algorithm>

#include <fmt/format.h>

namespace bellwether {
namespace {

std::int64_t kept(const TLSTDRule::Params& params) { return params.kept.value_or(params.rank); }

/// Without `block`, there is room for twice the singular values that are kept.
IncrementalSvd factorisation(std::size_t dim, const TLSTDRule::Params& params) {
  const auto at_most_dim = [dim](std::int64_t n) { return std::min(dim, static_cast<std::size_t>(n)); };
  return {dim, at_most_dim(kept(params)), at_most_dim(params.block.value_or(kept(params))),
          IncrementalSvd::Solves::never};
}

}  // namespace

TLSTDRule::System::System(std::size_t dim, const Params& params)
    : block(params.block),
      mover(params.trace),
      difference(dim),
      change(dim, params.trace),
      e(dim),
      svd(factorisation(dim, params)),
      start(dim) {}

TLSTDRule::Head::Head(const System&, const Params& params)
    : cutoff(params.cutoff), most(params.kept ? static_cast<std::size_t>(params.rank) : IncrementalSvd::no_limit) {
  if (params.kept && *params.kept < params.rank) {
    throw InvalidArgument(fmt::format("{}: kept = {} is less than rank = {}", name, *params.kept, params.rank));
  }
}

TLSTDRule::Params TLSTDRule::in_common(Params params) {
  params.kept = kept(params);
  params.rank = *params.kept;
  params.cutoff = Params{}.cutoff;
  return params;
}

void TLSTDRule::System::read(const Head& head, std::span<double> w) const {
  e.read(w);  // s
  const auto solve = [&](const JacobiSvd& M) { return svd.pseudo_inverse(M, w, head.cutoff, head.most); };
  const auto solution = decomposition ? solve(*decomposition) : solve(svd.decomposition());
  for (std::size_t j = 0; j < w.size(); ++j) w[j] = start[j] + solution[j];
}

Settings TLSTDRule::System::findings(const Head& head) const {
  const auto sigma = svd.singular_values();
  const double least = sigma.empty() ? 0 : head.cutoff * sigma.front();
  const auto above = std::count_if(sigma.begin(), sigma.end(), [&](double value) { return value > least; });
  const auto inverted = std::min(static_cast<std::size_t>(above), head.most);
  return {{"singular_values_kept", std::to_string(sigma.size())},
          {"singular_values_inverted", std::to_string(inverted)}};
}

void TLSTDRule::System::merge(Head&, const System& other, const Head&, double) {
  check_same_start(name, start, other.start);
  // s = s_1 + s_2, S = S_1 + S_2; the trace goes on from the other's.
  std::vector<double> s(start.size());
  e.read(s);
  e = other.e;
  e.add_to(1, DenseView{s.data(), s.size()});
  mover = other.mover;
  svd.merge(other.svd);
  svd.continue_from(e.trace());
  in_block = 0;
  decomposition.reset();
}

}  // namespace bellwether
