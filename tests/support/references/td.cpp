// TD and its relatives that have one trace and one step size.
#include <algorithm>

#include <bellwether/learners/td/abtd.h>
#include <bellwether/learners/td/etd.h>
#include <bellwether/learners/td/implicit_td.h>
#include <bellwether/learners/td/td.h>
#include <bellwether/learners/td/tree_backup.h>
#include <bellwether/learners/td/vtrace.h>

#include "support/references/draw.h"
#include "support/references/emphasis.h"
#include "support/references/reference.h"

namespace bellwether::testing {
namespace {

using Eigen::Index;

ReferenceCase td(const StreamSize& size) {
  auto p = drawn_linear_params<TDRule::Params>(size.square);
  p.trace = drawn_choice<TraceKind>();
  return rule_case(p, [p](Index d) {
    return [p, e = Vector(Vector::Zero(d))](const RuleStep& s, Vector& w) mutable {
      const double delta = s.delta(w);
      if (p.trace == TraceKind::replacing) e = (s.rho * s.g * s.l * e).cwiseMax(s.rho * s.x);
      else e = s.rho * (s.g * s.l * e + s.x);
      w += p.alpha * s.factor * delta * e;
    };
  });
}

ReferenceCase etd(const StreamSize& size) {
  auto p = drawn_linear_params<ETDRule::Params>(size.square);
  p.interest = *rc::gen::element(0.5, 1.0);
  if (drawn_bool()) p.beta = *rc::gen::element(0.0, 0.5);
  return rule_case(p, [p](Index d) {
    return [p, e = Vector(Vector::Zero(d)), emphasis = EmphasisReference{p.interest, p.beta}](const RuleStep& s,
                                                                                              Vector& w) mutable {
      const double delta = s.delta(w);
      e = s.rho * (s.g * s.l * e + emphasis.next(s) * s.x);
      w += p.alpha * s.factor * delta * e;
    };
  });
}

/// z = c gamma z + x, w += alpha rho delta z
template <class Params, class Coefficient>
ReferenceCase cut_trace(const Params& p, Coefficient c) {
  return rule_case(p, [p, c](Index d) {
    return [p, c, e = Vector(Vector::Zero(d))](const RuleStep& s, Vector& w) mutable {
      const double delta = s.delta(w);
      e = c(s) * s.g * e + s.x;
      w += p.alpha * s.factor * s.rho * delta * e;
    };
  });
}

ReferenceCase vtrace(const StreamSize& size) {
  auto p = drawn_linear_params<VTraceRule::Params>(size.square);
  p.clip = *rc::gen::element(0.7, 1.0, infinity);
  return cut_trace(p, [p](const RuleStep& s) { return s.l * std::min(s.rhop, p.clip); });
}

ReferenceCase tree_backup(const StreamSize& size) {
  return cut_trace(drawn_linear_params<TreeBackupRule::Params>(size.square),
                   [](const RuleStep& s) { return s.l * s.pip; });
}

ReferenceCase abtd(const StreamSize& size) {
  auto p = drawn_linear_params<ABTDRule::Params>(size.square);
  p.zeta = *rc::gen::element(0.0, 0.3, 0.8, 1.0);
  p.psi0 = *rc::gen::element(0.5, 1.0);
  const double psi = 2 * p.zeta * p.psi0 + std::max(0.0, 2 * p.zeta - 1) * (p.psi_max - 2 * p.psi0);
  return cut_trace(p, [psi](const RuleStep& s) {
    return s.rhop == 0 ? 0 : s.l * std::min(psi, 1 / std::max(s.pip, s.pip / s.rhop)) * s.pip;
  });
}

ReferenceCase implicit_td(const StreamSize& size) {
  const auto p = drawn_linear_params<ImplicitTDRule::Params>(size.square);
  return rule_case(p, [p](Index d) {
    return [p, e = Vector(Vector::Zero(d))](const RuleStep& s, Vector& w) mutable {
      const double delta = s.delta(w);
      e = s.rho * (s.g * s.l * e + s.x);
      const double a = p.alpha * s.factor;
      w += a / (1 + a * e.squaredNorm()) * delta * e;
    };
  });
}

}  // namespace

void add_td_references(References& all) {
  all["td"] = td;
  all["etd"] = etd;
  all["vtrace"] = vtrace;
  all["tree_backup"] = tree_backup;
  all["abtd"] = abtd;
  all["implicit_td"] = implicit_td;
}

}  // namespace bellwether::testing
