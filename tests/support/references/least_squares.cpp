// The learners that solve LSTD's equations, or move towards their solution.
#include <cmath>
#include <vector>

#include <bellwether/learners/least_squares/fast_lstd.h>
#include <bellwether/learners/least_squares/ilstd.h>
#include <bellwether/learners/least_squares/lstd.h>
#include <bellwether/learners/least_squares/lstd_krylov.h>
#include <bellwether/learners/least_squares/projected_lstd.h>
#include <bellwether/learners/least_squares/tlstd.h>

#include "support/references/draw.h"
#include "support/references/recursive.h"
#include "support/references/reference.h"
#include "support/references/sums.h"
#include "support/sketches.h"

namespace bellwether::testing {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Sums, and a solution of them that is wanted now and then: `solve(sums, lost)`, which sets `lost` too.
template <class Solve>
class SolvedReference final : public Reference {
 public:
  SolvedReference(TraceRule rule, Index d, Solve solve) : sums_(rule, d), solve_(std::move(solve)) {}
  void step(const RuleStep& s) override { sums_.add(s); }
  std::optional<Vector> weights(const Learner&) override { return solve_(sums_, lost_); }
  double lost() const override { return lost_; }

 private:
  SumsReference sums_;
  Solve solve_;
  double lost_ = 0;
};

template <class Params, class Solve>
ReferenceCase solved_case(const Params& p, Solve solve) {
  ReferenceCase made = rule_case(p, [](Index) { return [](const RuleStep&, Vector&) {}; });
  made.make = [p, solve](Index d) -> std::unique_ptr<Reference> {
    return std::make_unique<SolvedReference<Solve>>(p.trace, d, solve);
  };
  return made;
}

/// Rounding changes the solution by rounding times the condition number of the matrix.
auto with_ridge(double p0, double residual) {
  return [p0, residual](const SumsReference& sums, double& lost) {
    MatrixXd A = sums.S;
    A.diagonal().array() += 1 / p0;
    const Vector w = solve(A, sums.b);
    lost = (1e3 * epsilon + residual) * condition(A) * w.norm();
    return w;
  };
}

/// A normal matrix has the square of the condition number.
auto with_damping(double damping, double residual) {
  return [damping, residual](const SumsReference& sums, double& lost) {
    const double kappa = damping * sums.squares / std::max(1.0, sums.count);
    const Vector w = sums.damped(kappa);
    const Vector c = (sums.N.array() > 0).select(sums.N.cwiseMax(1e-300).cwiseInverse(), 0.0);
    const double curvature = (sums.S.transpose() * c.asDiagonal() * sums.S).norm() + kappa;
    lost = kappa > 0 ? (1e3 * epsilon + residual) * curvature / kappa * w.norm() : 0;
    return w;
  };
}

double drawn_p0(const StreamSize& size) { return *rc::gen::element(0.1, 1.0, 30.0) / size.square; }

ReferenceCase lstd(const StreamSize& size) {
  LSTDRule::Params p;
  p.lambda = drawn_lambda();
  p.inverse_init = drawn_p0(size);
  p.trace = drawn_choice<TraceRule>();
  p.method = drawn_choice<InverseMethod>();
  if (drawn_bool()) {
    p.damping = *rc::gen::element(0.003, 0.3);
    return solved_case(p, with_damping(p.damping, 0));
  }
  if (p.method == InverseMethod::direct) return solved_case(p, with_ridge(p.inverse_init, 0));
  return rule_case(p, [p](Index d) { return RecursiveReference(d, p.inverse_init, p.trace, 1, 0); });
}

ReferenceCase lstd_krylov(const StreamSize& size) {
  LSTDKrylovRule::Params p;
  p.lambda = drawn_lambda();
  p.inverse_init = drawn_p0(size);
  p.trace = drawn_choice<TraceRule>();
  if (!drawn_bool()) return solved_case(p, with_ridge(p.inverse_init, p.tolerance));
  p.damping = *rc::gen::element(0.003, 0.3);
  return solved_case(p, with_damping(p.damping, p.tolerance));
}

/// With a rank of d. Singular values next to the cut-off are unlikely, as it is no simple fraction.
ReferenceCase tlstd(const StreamSize& size) {
  TLSTDRule::Params p;
  p.rank = *rc::gen::inRange(static_cast<int>(size.dim), 60);
  p.cutoff = *rc::gen::element(0.001234, 0.01357, 0.1931);
  p.lambda = drawn_lambda();
  p.trace = drawn_choice<TraceRule>();
  if (drawn_bool()) p.block = *rc::gen::inRange(1, 9);
  return solved_case(p, [p](const SumsReference& sums, double& lost) {
    const Vector w = Svd(sums.S).pseudo_inverse(sums.b, p.cutoff);
    lost = 1e-11 / p.cutoff * w.norm();
    return w;
  });
}

ReferenceCase ilstd(const StreamSize& size) {
  ILSTDRule::Params p;
  p.alpha = *rc::gen::element(0.0003, 0.003) / size.square;
  p.lambda = drawn_lambda();
  p.schedule = drawn_schedule();
  p.n0 = 3;
  p.picks = *rc::gen::element(1, 3);
  p.trace = drawn_choice<TraceRule>();
  ReferenceCase made = rule_case(p, [p](Index d) {
    return [p, sums = SumsReference(p.trace, d), mu = Vector(Vector::Zero(d))](const RuleStep& s, Vector& w) mutable {
      sums.add(s);
      mu += s.delta(w) * sums.trace.e;
      for (std::int64_t n = 0; n < p.picks; ++n) {
        Index j = 0;
        for (Index i = 1; i < w.size(); ++i) {
          if (std::abs(mu[i]) > std::abs(mu[j])) j = i;
        }
        const double a = p.alpha * s.factor * mu[j];
        w[j] += a;
        mu -= a * sums.S.col(j);
      }
    };
  });
  made.no_ties = true;  // of equal residuals the first is picked
  return made;
}

/// The mean of S^T v over the projections S.
struct ProjectedReference {
  ProjectedLSTDRule::Params p;
  std::vector<MatrixXd> S;
  std::vector<RecursiveReference> parts;
  std::vector<Vector> v;
  double lost = 0;

  ProjectedReference(const ProjectedLSTDRule::Params& params, Index d) : p(params) {
    const auto k = static_cast<std::size_t>(std::min<Index>(p.rank, d));
    const TraceRule rule = p.trace == ProjectedTrace::emphatic ? TraceRule::emphatic : TraceRule::accumulating;
    for (std::int64_t i = 0; i < p.projections; ++i) {
      S.push_back(matrix(Sketch(p.sketch, k, static_cast<std::size_t>(d), static_cast<std::uint64_t>(p.seed),
                                static_cast<std::uint64_t>(i))));
      parts.emplace_back(static_cast<Index>(k), p.inverse_init, rule, 1, 0);
      v.emplace_back(Vector::Zero(static_cast<Index>(k)));
    }
  }

  void operator()(const RuleStep& s, Vector& w) {
    w.setZero();
    lost = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      RuleStep projected = s;
      projected.x = S[i] * s.x;
      projected.xn = S[i] * s.xn;
      parts[i](projected, v[i]);
      w += S[i].transpose() * v[i] / static_cast<double>(parts.size());
      lost += S[i].norm() * parts[i].lost;
    }
  }
};

ReferenceCase projected_lstd(const StreamSize& size) {
  ProjectedLSTDRule::Params p;
  p.inverse_init = drawn_p0(size);
  p.lambda = drawn_lambda();
  p.trace = drawn_choice<ProjectedTrace>();
  p.rank = *rc::gen::inRange(1, 20);
  p.projections = *rc::gen::inRange(1, 4);
  p.sketch = drawn_choice<SketchKind>();
  p.seed = *rc::gen::inRange(1, 1000);
  return rule_case(p, [p](Index d) { return ProjectedReference(p, d); });
}

/// With the random numbers that the learner draws.
struct FastReference {
  FastLSTDRule::Params p;
  Rng rng;
  std::vector<RuleStep> kept{};
  Vector iterate, sum;
  double n = 0;
  std::size_t seen = 0;

  FastReference(const FastLSTDRule::Params& params, Index d)
      : p(params),
        rng(static_cast<std::uint64_t>(p.seed), 0, Purpose::learner),
        iterate(Vector::Zero(d)),
        sum(Vector::Zero(d)) {}

  void update(const RuleStep& from, double factor) {
    const double ratio = p.c == infinity ? 1 : p.c / (p.c + n);
    const double alpha = p.alpha * factor * std::pow(ratio, p.averaging ? 0.75 : 1.0);
    iterate += alpha * from.rho * from.delta(iterate) * from.x;
    sum += iterate;
    n += 1;
  }

  void operator()(const RuleStep& s, Vector& w) {
    if (p.source == ReplaySource::window) {
      const auto k = static_cast<std::size_t>(p.window);
      kept.push_back(s);
      if (kept.size() == k) {
        for (std::size_t i = 0; i + 1 < k; ++i) {
          std::swap(kept[i], kept[i + rng.below(k - i)]);
          update(kept[i], s.factor);
        }
        kept.clear();
      }
    } else {
      const auto capacity = static_cast<std::size_t>(p.capacity);
      if (kept.size() < capacity) kept.push_back(s);
      else if (const std::size_t slot = rng.below(seen + 1); slot < capacity) kept[slot] = s;
      ++seen;
      std::vector<std::size_t> picks(static_cast<std::size_t>(p.updates));
      for (std::size_t& pick : picks) pick = rng.below(kept.size());
      for (const std::size_t pick : picks) update(kept[pick], s.factor);
    }
    if (n > 0) w = p.averaging ? Vector(sum / n) : iterate;
  }
};

ReferenceCase fast_lstd(const StreamSize& size) {
  auto p = drawn_linear_params<FastLSTDRule::Params>(size.square);
  p.c = *rc::gen::element(20.0, infinity);
  p.averaging = drawn_bool();
  p.source = drawn_choice<ReplaySource>();
  p.capacity = *rc::gen::inRange(1, 50);
  p.updates = *rc::gen::inRange(1, 4);
  p.window = *rc::gen::inRange(2, 30);
  p.seed = *rc::gen::inRange(1, 1000);
  return rule_case(p, [p](Index d) { return FastReference(p, d); });
}

}  // namespace

void add_least_squares_references(References& all) {
  all["lstd"] = lstd;
  all["lstd_krylov"] = lstd_krylov;
  all["tlstd"] = tlstd;
  all["ilstd"] = ilstd;
  all["projected_lstd"] = projected_lstd;
  all["fast_lstd"] = fast_lstd;
}

}  // namespace bellwether::testing
