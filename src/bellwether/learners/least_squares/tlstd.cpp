#include <bellwether/learners/least_squares/tlstd.h>

#include <algorithm>

#include <fmt/format.h>

namespace bellwether {
namespace {

std::size_t at_most(std::size_t dim, std::int64_t wanted) {
  return static_cast<std::size_t>(std::min(wanted, static_cast<std::int64_t>(dim)));
}

std::int64_t kept(const TLSTD::Params& params) { return params.kept.value_or(params.rank); }

std::size_t most_inverted(const TLSTD::Params& params) {
  return params.kept ? static_cast<std::size_t>(params.rank) : IncrementalSvd::no_limit;
}

const TLSTD::Params& checked_tlstd(const TLSTD::Params& params) {
  if (params.kept && *params.kept < params.rank) {
    throw InvalidArgument(fmt::format("tlstd: kept = {} is less than rank = {}", *params.kept, params.rank));
  }
  return checked(TLSTD::name, params);
}

}  // namespace

TLSTD::TLSTD(const std::vector<Params>& members, std::size_t dim)
    : TracedLearner(dim),
      roster_(members.size()),
      members_(members),
      mover_(params().trace),
      difference_(dim),
      change_(dim, params().trace),
      svd_(dim, at_most(dim, kept(checked_tlstd(params()))), at_most(dim, params().block.value_or(kept(params()))),
           IncrementalSvd::Solves::never),
      start_(dim) {
  for (const Params& each : members_) checked_tlstd(each);
}

TLSTD::Params TLSTD::in_common(Params params) {
  params.kept = kept(params);
  params.rank = *params.kept;
  params.cutoff = Params{}.cutoff;
  return params;
}

Settings TLSTD::findings(std::size_t member) const {
  const auto sigma = svd_.singular_values();
  const double least = sigma.empty() ? 0 : members_[member].cutoff * sigma.front();
  const auto above = std::count_if(sigma.begin(), sigma.end(), [&](double s) { return s > least; });
  const auto inverted = std::min(static_cast<std::size_t>(above), most_inverted(members_[member]));
  return {{"singular_values_kept", std::to_string(sigma.size())},
          {"singular_values_inverted", std::to_string(inverted)}};
}

void TLSTD::merge(const TLSTD& other) {
  check_same_start(name, start_, other.start_);
  std::vector<double> b(dim());
  e_.read(b);
  e_ = other.e_;
  e_.add_to(1, DenseView{b.data(), dim()});
  mover_ = other.mover_;
  svd_.merge(other.svd_);
  svd_.continue_from(e_.trace());
  in_block_ = 0;
  decomposition_.reset();
}

void TLSTD::read(std::size_t member, std::span<double> w) const {
  const Params& params = members_[member];
  e_.read(w);  // (t+1) b
  const auto solve = [&](const JacobiSvd& svd) {
    return svd_.pseudo_inverse(svd, w, params.cutoff, most_inverted(params));
  };
  const auto solution = decomposition_ ? solve(*decomposition_) : solve(svd_.decomposition());
  for (std::size_t j = 0; j < w.size(); ++j) w[j] = start_[j] + solution[j];
}

}  // namespace bellwether
