// The learners with second weights v.
#include <bellwether/learners/gradient/gtd.h>
#include <bellwether/learners/gradient/gtd2.h>
#include <bellwether/learners/gradient/htd.h>
#include <bellwether/learners/gradient/tdrc.h>

#include "support/references/draw.h"
#include "support/references/reference.h"

namespace bellwether::testing {
namespace {

using Eigen::Index;

template <class Params>
Params drawn(const StreamSize& size) {
  auto p = drawn_linear_params<Params>(size.square);
  if (drawn_bool()) p.beta = *rc::gen::element(0.0, 0.3, 2.0) * p.alpha;
  return p;
}

/// w += alpha (u - gamma' (1 - lambda') (e.v) x'), v += beta (delta e - (x.v) x - kappa v), with u = delta e or
/// (x.v) x.
template <class Params>
ReferenceCase with_correction(const Params& p, double kappa, bool along_trace) {
  return rule_case(p, [p, kappa, along_trace](Index d) {
    const Vector zero = Vector::Zero(d);
    return [p, kappa, along_trace, e = zero, v = zero](const RuleStep& s, Vector& w) mutable {
      const double alpha = p.alpha * s.factor;
      const double beta = p.beta.value_or(p.alpha) * s.factor;
      const double delta = s.delta(w);
      const double xv = s.x.dot(v);
      e = s.rho * (s.g * s.l * e + s.x);
      const Vector u = along_trace ? Vector(delta * e) : Vector(xv * s.x);
      w += alpha * (u - s.gn * (1 - s.ln) * e.dot(v) * s.xn);
      v += (beta * (delta * e - xv * s.x - kappa * v)).eval();
    };
  });
}

ReferenceCase gtd(const StreamSize& size) { return with_correction(drawn<GTDRule::Params>(size), 0, true); }
ReferenceCase gtd2(const StreamSize& size) { return with_correction(drawn<GTD2Rule::Params>(size), 0, false); }
ReferenceCase tdrc(const StreamSize& size) {
  auto p = drawn<TDRCRule::Params>(size);
  p.kappa = *rc::gen::element(0.0, 0.3, 1.0) * size.square;
  return with_correction(p, p.kappa, true);
}

ReferenceCase htd(const StreamSize& size) {
  const auto p = drawn<HTDRule::Params>(size);
  return rule_case(p, [p](Index d) {
    const Vector zero = Vector::Zero(d);
    return [p, e = zero, eb = zero, v = zero](const RuleStep& s, Vector& w) mutable {
      const double alpha = p.alpha * s.factor;
      const double beta = p.beta.value_or(p.alpha) * s.factor;
      const double delta = s.delta(w);
      const Vector difference = s.x - s.gn * s.xn;
      e = s.rho * (s.g * s.l * e + s.x);
      eb = s.g * s.l * eb + s.x;
      w += alpha * (delta * e + (e - eb).dot(v) * difference);
      v += (beta * (delta * e - eb.dot(v) * difference)).eval();
    };
  });
}

}  // namespace

void add_gradient_references(References& all) {
  all["gtd"] = gtd;
  all["gtd2"] = gtd2;
  all["tdrc"] = tdrc;
  all["htd"] = htd;
}

}  // namespace bellwether::testing
