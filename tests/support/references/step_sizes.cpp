// The learners that learn a step size for every feature.
#include <algorithm>
#include <cmath>

#include <bellwether/learners/td/auto_tidbd.h>
#include <bellwether/learners/td/swift_td.h>
#include <bellwether/learners/td/tidbd.h>

#include "support/references/draw.h"
#include "support/references/reference.h"

namespace bellwether::testing {
namespace {

using Eigen::Index;

ReferenceCase tidbd(const StreamSize& size) {
  TIDBDRule::Params p;
  p.alpha = drawn_step_size(size.square);
  p.lambda = drawn_lambda();
  p.theta = *rc::gen::element(0.0, 0.01, 0.1);
  p.gradient = drawn_choice<MetaGradient>();
  return rule_case(p, [p](Index d) {
    const Vector zero = Vector::Zero(d);
    const Vector logarithms = Vector::Constant(d, std::log(p.alpha));
    return [p, beta = logarithms, e = zero, h = zero](const RuleStep& s, Vector& w) mutable {
      const double delta = s.delta(w);
      const Vector u = p.gradient == MetaGradient::semi ? s.x : Vector(s.x - s.gn * s.xn);
      beta += p.theta * delta * u.cwiseProduct(h);
      const Vector alpha = beta.array().exp();
      e = s.rho * (s.g * s.l * e + s.x);
      w += delta * alpha.cwiseProduct(e);
      for (Index j = 0; j < w.size(); ++j) {
        h[j] = h[j] * std::max(0.0, 1 - alpha[j] * u[j] * e[j]) + alpha[j] * delta * e[j];
      }
    };
  });
}

ReferenceCase auto_tidbd(const StreamSize& size) {
  AutoTIDBDRule::Params p;
  p.alpha = drawn_step_size(size.square);
  p.lambda = drawn_lambda();
  p.theta = *rc::gen::element(0.0, 0.01, 0.1);
  p.tau = *rc::gen::element(10.0, 1e4);
  return rule_case(p, [p](Index d) {
    const Vector zero = Vector::Zero(d);
    const Vector logarithms = Vector::Constant(d, std::log(p.alpha));
    return [p, beta = logarithms, e = zero, h = zero, eta = zero](const RuleStep& s, Vector& w) mutable {
      const double delta = s.delta(w);
      const Vector u = s.x - s.gn * s.xn;
      for (Index j = 0; j < w.size(); ++j) {
        const double decay = std::exp(beta[j]) * u[j] * e[j] / p.tau;
        eta[j] = std::max(std::abs(delta * u[j] * h[j]), eta[j] + decay * (std::abs(delta * s.x[j] * h[j]) - eta[j]));
        if (eta[j] > 0) beta[j] += p.theta * delta * u[j] * h[j] / eta[j];
      }
      double taken = 0;
      for (Index j = 0; j < w.size(); ++j) taken += std::exp(beta[j]) * u[j] * e[j];
      beta.array() -= std::log(std::max(1.0, taken));
      e = s.rho * (s.g * s.l * e + s.x);
      for (Index j = 0; j < w.size(); ++j) {
        const double alpha = std::exp(beta[j]);
        w[j] += alpha * delta * e[j];
        h[j] = h[j] * std::max(0.0, 1 - alpha * u[j] * e[j]) + alpha * delta * e[j];
      }
    };
  });
}

struct SwiftReference {
  SwiftTDRule::Params p;
  Vector beta, z, z_bar, h, h_old, pp;
  double V_old = 0;
  double lost = 0;

  SwiftReference(const SwiftTDRule::Params& params, Index d)
      : p(params),
        beta(Vector::Constant(d, std::log(std::clamp(p.alpha, std::min(p.eta_min, p.eta), p.eta)))),
        z(Vector::Zero(d)),
        z_bar(z),
        h(z),
        h_old(z),
        pp(z) {}

  void operator()(const RuleStep& s, Vector& w) {
    const double V = w.dot(s.x);
    if (s.g == 0) V_old = V;
    const double D = s.r + s.gn * w.dot(s.xn) - V_old;
    const double c = V - V_old;
    V_old = w.dot(s.xn);
    for (Vector* each : {&z, &pp, &z_bar}) *each *= s.g * s.l;
    const double tau = (beta.array().exp() * s.x.array().square()).sum();
    const double b = z.dot(s.x);
    Vector y = Vector::Zero(w.size());
    Vector g = y;
    for (Index j = 0; j < w.size(); ++j) {
      if (s.x[j] == 0) continue;
      y[j] = std::min(1.0, p.eta / tau) * std::exp(beta[j]) * s.x[j];
      z[j] += y[j] * (1 - b);
      pp[j] += h_old[j] * s.x[j];
      z_bar[j] += y[j] * (1 - b - z_bar[j] * s.x[j]);
      g[j] = -h_old[j] * s.x[j] * (z[j] - y[j]) - h[j] * y[j] * s.x[j];
      if (tau > p.eta) {
        h[j] = h_old[j] = g[j] = z_bar[j] = 0;
        beta[j] = std::max(beta[j] + std::log(p.epsilon) * s.x[j] * s.x[j], std::log(p.eta_min));
      }
    }
    w += D * z - c * y;
    for (Index j = 0; j < w.size(); ++j) {
      beta[j] =
          std::clamp(beta[j] + p.theta / std::exp(beta[j]) * (D - c) * pp[j], std::log(p.eta_min), std::log(p.eta));
    }
    if (beta.maxCoeff() > 40) lost = infinity;  // step sizes have exploded, which the learner may call divergence
    h_old = h;
    h += g + D * z_bar - c * y;
  }
};

ReferenceCase swift_td(const StreamSize& size) {
  SwiftTDRule::Params p;
  p.alpha = drawn_step_size(size.square);
  p.lambda = drawn_lambda();
  p.theta = *rc::gen::element(0.0, 1e-3, 0.02) / size.square;
  p.eta = *rc::gen::element(0.0713, 0.4567, infinity);
  p.epsilon = *rc::gen::element(0.9, 0.999);
  p.eta_min = *rc::gen::element(1e-10, 0.3 * p.alpha);
  ReferenceCase made = rule_case(p, [p](Index d) { return SwiftReference(p, d); });
  made.no_ties = true;  // a step size at its bound is that of a single feature of 1
  return made;
}

}  // namespace

void add_step_size_references(References& all) {
  all["tidbd"] = tidbd;
  all["auto_tidbd"] = auto_tidbd;
  all["swift_td"] = swift_td;
}

}  // namespace bellwether::testing
