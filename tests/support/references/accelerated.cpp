// The accelerated learners but for atd_compensated. atd has a rank of d: what a lower one leaves out depends on when.
#include <algorithm>

#include <bellwether/learners/accelerated/atd.h>
#include <bellwether/learners/accelerated/atd_diagonal.h>
#include <bellwether/learners/accelerated/atd_full.h>
#include <bellwether/learners/accelerated/atd_sketch.h>
#include <bellwether/learners/accelerated/atd_tridiagonal.h>

#include "support/dense_algebra.h"
#include "support/references/draw.h"
#include "support/references/recursive.h"
#include "support/references/reference.h"
#include "support/sketches.h"

namespace bellwether::testing {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// A = (1 - beta) A + beta e d^T, w += alpha0 beta delta A+ e + eta delta e.
struct AtdReference {
  ATDRule::Params p;
  TextbookTrace trace;
  MatrixXd A;
  double t = 0;
  double lost = 0;

  AtdReference(const ATDRule::Params& params, Index d) : p(params), trace(p.trace, d), A(MatrixXd::Zero(d, d)) {}

  void operator()(const RuleStep& s, Vector& w) {
    const double beta = 1 / ++t;
    const double delta = s.delta(w);
    const Vector& e = trace.next(s);
    A = (1 - beta) * A + beta * e * (s.x - s.gn * s.xn).transpose();
    const Vector step = p.alpha0 * beta * delta * Svd(A).pseudo_inverse(e, p.cutoff);
    w += step + p.eta * delta * e;
    lost += 1e-13 / (p.cutoff * p.cutoff) * step.norm();  // the squares of singular values are updated
  }
};

/// Singular values, and entries of a diagonal, next to the cut-off are unlikely, as it is no simple fraction.
ReferenceCase atd(const StreamSize& size) {
  ATDRule::Params p;
  p.rank = *rc::gen::inRange(static_cast<int>(size.dim), 60);
  p.eta = *rc::gen::element(0.0, 0.01) / size.square;
  p.cutoff = *rc::gen::element(0.01357, 0.1931);
  p.alpha0 = *rc::gen::element(0.5, 1.0);
  p.lambda = drawn_lambda();
  p.trace = drawn_choice<TraceRule>();
  if (drawn_bool()) p.kept = p.rank + 3;
  return rule_case(p, [p](Index d) { return AtdReference(p, d); });
}

ReferenceCase atd_full(const StreamSize& size) {
  ATDFullRule::Params p;
  p.lambda = drawn_lambda();
  p.alpha0 = *rc::gen::element(0.5, 1.0);
  p.eta = *rc::gen::element(0.0, 0.01) / size.square;
  p.inverse_init = *rc::gen::element(0.1, 1.0, 30.0) / size.square;
  p.trace = drawn_choice<TraceRule>();
  return rule_case(p, [p](Index d) { return RecursiveReference(d, p.inverse_init, p.trace, p.alpha0, p.eta); });
}

ReferenceCase atd_diagonal(const StreamSize& size) {
  ATDDiagonalRule::Params p;
  p.eta = *rc::gen::element(0.0, 0.01) / size.square;
  p.lambda = drawn_lambda();
  p.trace = drawn_choice<TraceRule>();
  p.cutoff = *rc::gen::element(0.01357, 0.1931);
  p.alpha0 = *rc::gen::element(0.0, 0.5, 1.0);
  return rule_case(p, [p](Index d) {
    return
        [p, trace = TextbookTrace(p.trace, d), sums = Vector(Vector::Zero(d))](const RuleStep& s, Vector& w) mutable {
          const double delta = s.delta(w);
          const Vector& e = trace.next(s);
          sums += e.cwiseProduct(s.x - s.gn * s.xn);
          for (Index j = 0; j < w.size(); ++j) {
            w[j] += p.eta * delta * e[j];
            if (sums[j] > p.cutoff * sums.maxCoeff()) w[j] += p.alpha0 * delta * e[j] / sums[j];
          }
        };
  });
}

struct TridiagonalReference {
  ATDTridiagonalRule::Params p;
  TextbookTrace trace;
  MatrixXd T;
  double lost = 0;

  TridiagonalReference(const ATDTridiagonalRule::Params& params, Index d)
      : p(params), trace(p.trace, d), T(p.eta * MatrixXd::Identity(d, d)) {}

  void operator()(const RuleStep& s, Vector& w) {
    const double delta = s.delta(w);
    const Vector& e = trace.next(s);
    const MatrixXd sample = e * (s.x - s.gn * s.xn).transpose();
    for (Index i = 0; i < w.size(); ++i) {
      for (Index j = std::max<Index>(0, i - 1); j <= std::min<Index>(w.size() - 1, i + 1); ++j) T(i, j) += sample(i, j);
    }
    const Vector step = p.alpha0 * delta * solve(T, e);
    w += step;
    lost += 1e-14 * T.norm() * inverse(T).norm() * step.norm();
  }
};

ReferenceCase atd_tridiagonal(const StreamSize& size) {
  ATDTridiagonalRule::Params p;
  p.eta = *rc::gen::element(0.1, 1.0, 10.0) * size.square;
  p.lambda = drawn_lambda();
  p.trace = drawn_choice<TraceRule>();
  p.alpha0 = *rc::gen::element(0.5, 1.0);
  return rule_case(p, [p](Index d) { return TridiagonalReference(p, d); });
}

struct SketchReference {
  ATDSketchRule::Params p;
  TextbookTrace trace;
  MatrixXd S, N;
  double lost = 0;

  SketchReference(const ATDSketchRule::Params& params, Index d)
      : p(params),
        trace(p.trace, d),
        S(p.rank == 0 ? MatrixXd(0, d)
                      : matrix(Sketch(p.sketch, static_cast<std::size_t>(std::min<Index>(p.rank, d)),
                                      static_cast<std::size_t>(d), static_cast<std::uint64_t>(p.seed)))),
        N(MatrixXd::Zero(S.rows(), d)) {}

  void operator()(const RuleStep& s, Vector& w) {
    const double delta = s.delta(w);
    const Vector& e = trace.next(s);
    const Vector Se = S * e;
    N += Se * (s.x - s.gn * s.xn).transpose();
    w += p.eta * delta * e;
    if (N.rows() == 0) return;
    MatrixXd M = N * N.transpose();
    M.diagonal().array() += p.omega;
    const Vector step = p.alpha0 * delta * N.transpose() * solve(M, Se);
    w += step;
    lost += 1e-13 * (M.norm() / p.omega) * step.norm();  // no eigenvalue of M is smaller than omega
  }
};

ReferenceCase atd_sketch(const StreamSize& size) {
  ATDSketchRule::Params p;
  p.eta = *rc::gen::element(0.0, 0.01) / size.square;
  p.lambda = drawn_lambda();
  p.trace = drawn_choice<TraceRule>();
  p.rank = *rc::gen::inRange(0, 20);
  p.sketch = drawn_choice<SketchKind>();
  p.omega = std::max(1e-3, *rc::gen::element(0.1, 1.0) * size.square * size.square);
  p.alpha0 = *rc::gen::element(0.5, 1.0);
  p.seed = *rc::gen::inRange(1, 1000);
  return rule_case(p, [p](Index d) { return SketchReference(p, d); });
}

}  // namespace

void add_accelerated_references(References& all) {
  all["atd"] = atd;
  all["atd_full"] = atd_full;
  all["atd_diagonal"] = atd_diagonal;
  all["atd_tridiagonal"] = atd_tridiagonal;
  all["atd_sketch"] = atd_sketch;
}

}  // namespace bellwether::testing
