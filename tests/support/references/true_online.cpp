// The true online learners, with dutch traces.
#include <bellwether/learners/gradient/true_online_gtd.h>
#include <bellwether/learners/td/true_online_etd.h>
#include <bellwether/learners/td/true_online_td.h>

#include "support/references/draw.h"
#include "support/references/emphasis.h"
#include "support/references/reference.h"

namespace bellwether::testing {
namespace {

using Eigen::Index;

/// e = f e + a (1 - f e.x) x, w += (r + gamma' V' - V_old) e + a (V_old - V) x. At the start of an episode V_old has no
/// part in it, and is set to V to make that visible.
struct DutchTrace {
  Vector e;
  double V_old = 0;

  void step(const RuleStep& s, double f, double a, Vector& w) {
    const double V = w.dot(s.x);
    const double Vn = w.dot(s.xn);
    if (s.g == 0) V_old = V;
    e = (f * e + a * (1 - f * e.dot(s.x)) * s.x).eval();
    w += (s.r + s.gn * Vn - V_old) * e + a * (V_old - V) * s.x;
    V_old = Vn;
  }
};

ReferenceCase true_online_td(const StreamSize& size) {
  const auto p = drawn_linear_params<TrueOnlineTDRule::Params>(size.square);
  return rule_case(p, [p](Index d) {
    return [p, trace = DutchTrace{Vector::Zero(d)}](const RuleStep& s, Vector& w) mutable {
      trace.step(s, s.g * s.l, p.alpha * s.factor, w);
    };
  });
}

ReferenceCase true_online_etd(const StreamSize& size) {
  auto p = drawn_linear_params<TrueOnlineETDRule::Params>(size.square);
  p.interest = *rc::gen::element(0.5, 1.0);
  return rule_case(p, [p](Index d) {
    return [p, trace = DutchTrace{Vector::Zero(d)}, emphasis = EmphasisReference{p.interest}](const RuleStep& s,
                                                                                              Vector& w) mutable {
      trace.step(s, s.rho * s.g * s.l, p.alpha * s.factor * s.rho * emphasis.next(s), w);
    };
  });
}

ReferenceCase true_online_gtd(const StreamSize& size) {
  auto p = drawn_linear_params<TrueOnlineGTDRule::Params>(size.square);
  if (drawn_bool()) p.beta = 0.3 * p.alpha;
  return rule_case(p, [p](Index d) {
    const Vector zero = Vector::Zero(d);
    return [p, e = zero, eg = zero, eh = zero, v = zero, V_old = 0.0](const RuleStep& s, Vector& w) mutable {
      const double alpha = p.alpha * s.factor;
      const double beta = p.beta.value_or(p.alpha) * s.factor;
      const double V = w.dot(s.x);
      const double Vn = w.dot(s.xn);
      const double delta = s.delta(w);
      const double decay = s.g * s.l;
      if (s.g == 0) V_old = V;
      e = (s.rho * (decay * e + alpha * (1 - s.rho * decay * e.dot(s.x)) * s.x)).eval();
      eg = s.rho * (decay * eg + s.x);
      eh = (s.rhop * decay * eh + beta * (1 - s.rhop * decay * eh.dot(s.x)) * s.x).eval();
      w += delta * e + (V - V_old) * (e - alpha * s.rho * s.x) - alpha * s.gn * (1 - s.ln) * eg.dot(v) * s.xn;
      v += (s.rho * delta * eh - beta * s.x.dot(v) * s.x).eval();
      V_old = Vn;
    };
  });
}

}  // namespace

void add_true_online_references(References& all) {
  all["true_online_td"] = true_online_td;
  all["true_online_etd"] = true_online_etd;
  all["true_online_gtd"] = true_online_gtd;
}

}  // namespace bellwether::testing
