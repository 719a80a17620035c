#include <bellwether/learners/least_squares/projected_lstd.h>

#include <string>

#include <bellwether/linalg/inverse/inverse_sum.h>

namespace bellwether {

ProjectedLSTDRule::System::Part::Part(Sketch sketch)
    : S(std::move(sketch)), f(S.rows()), fn(S.rows()), d(S.rows()), e(S.rows()), next_e(S.rows()) {}

ProjectedLSTDRule::System::System(std::size_t dim, const Params& params)
    : rank(std::min(static_cast<std::size_t>(params.rank), dim)),
      mover(params.trace == ProjectedTrace::emphatic ? TraceRule::emphatic : TraceRule::accumulating),
      last(dim) {
  for (std::int64_t i = 0; i < params.projections; ++i) {
    parts.emplace_back(
        Sketch(params.sketch, rank, dim, static_cast<std::uint64_t>(params.seed), static_cast<std::uint64_t>(i)));
  }
  work.resize(parts.front().S.workspace());
}

void ProjectedLSTDRule::System::read(const Head& head, std::span<double> w) const {
  std::vector<double> part_w(w.size());
  std::vector<double> room(work.size());
  std::fill(w.begin(), w.end(), 0.0);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].S.apply_transposed(head.parts[i].v.data(), part_w.data(), room.data());
    kernels::axpy(1 / static_cast<double>(parts.size()), part_w.data(), w.data(), w.size());
  }
  if (!start.empty()) kernels::axpy(1, start.data(), w.data(), w.size());
}

Settings ProjectedLSTDRule::System::findings(const Head& head) const {
  Settings found;
  if (head.skipped > 0) found.emplace_back("singular_steps_left_out", std::to_string(head.skipped));
  if (head.lost > 0) found.emplace_back("steps_that_lost_12_digits", std::to_string(head.lost));
  return found;
}

void ProjectedLSTDRule::System::merge(Head& head, const System& other, const Head& other_head, double) {
  check_same_start(name, start, other.start);
  std::vector<Head::Part> sums = head.parts;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    Head::Part& sum = sums[i];
    const Head::Part& part = other_head.parts[i];
    if (!add_inverse(rank, head.inverse_init, sum.P.row(0), rank, sum.v.data(), part.P.row(0), part.v.data())) {
      throw InvalidArgument(std::string(name) + ": the sum of two matrices is singular");
    }
  }
  head.parts = std::move(sums);
  head.skipped += other_head.skipped;
  head.lost += other_head.lost;
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i].e = other.parts[i].e;
  mover = other.mover;
}

ProjectedLSTDRule::Head::Part::Part(std::size_t rank, double inverse_init) : P(rank, rank), v(rank), u(rank), q(rank) {
  for (std::size_t i = 0; i < rank; ++i) P.row(i)[i] = inverse_init;
}

bool ProjectedLSTDRule::Head::Part::learn() {
  if (singular) return false;
  P.add_outer(-1 / c, DenseView{u.data(), u.size()}, q.data());
  kernels::axpy(delta / c, u.data(), v.data(), v.size());
  return true;
}

ProjectedLSTDRule::Head::Head(const System& system, const Params& params)
    : inverse_init(params.inverse_init), parts(system.parts.size(), Part(system.rank, params.inverse_init)) {}

void ProjectedLSTDRule::Head::learn() {
  for (Part& part : parts) {
    skipped += part.learn() ? 0 : 1;
    lost += std::abs(part.c) > 1e12 ? 1 : 0;  // so many of the 16 digits of P are lost at once
  }
}

}  // namespace bellwether
