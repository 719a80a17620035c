#include <bellwether/learners/td/swift_td.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <bellwether/linalg/simd/exp.h>
#include <bellwether/linalg/simd/simd.h>

namespace bellwether {
namespace {

/// SwiftState::pass over n consecutive features.
BELLWETHER_SIMD void pass_over(double D, double a, double low, double high, double decay, double* __restrict w,
                               double* __restrict z, double* __restrict z_bar, double* __restrict p,
                               double* __restrict h, double* __restrict h_old, double* __restrict beta, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    w[i] += D * z[i];
    h_old[i] = h[i];
    h[i] += D * z_bar[i];
    const double moved = beta[i] + a * p[i] * portable_exp(-beta[i]);
    const double raised = moved < low ? low : moved;
    beta[i] = raised > high ? high : raised;
    z[i] *= decay;
    z_bar[i] *= decay;
    p[i] *= decay;
  }
}

}  // namespace

SwiftState::SwiftState(std::size_t dim, double beta_0)
    : w(dim, 0.0), z(w), z_bar(w), p(w), h(w), h_old(w), beta(dim, beta_0), slot_of_(dim), feature_at_(dim) {
  std::iota(slot_of_.begin(), slot_of_.end(), 0U);
  feature_at_ = slot_of_;
}

void SwiftState::exchange(std::size_t a, std::size_t b) {
  if (a == b) return;
  for (std::vector<double>* letter : {&w, &z, &z_bar, &p, &h, &h_old, &beta}) std::swap((*letter)[a], (*letter)[b]);
  std::swap(feature_at_[a], feature_at_[b]);
  slot_of_[feature_at_[a]] = static_cast<std::uint32_t>(a);
  slot_of_[feature_at_[b]] = static_cast<std::uint32_t>(b);
}

void SwiftState::cut() {
  for (std::vector<double>* trace : {&z, &z_bar, &p}) std::fill_n(trace->begin(), traced_, 0.0);
  shrunk_ = 0;
}

void SwiftState::pass(double D, double a, double low, double high, double decay) {
  pass_over(D, a, low, high, decay, w.data(), z.data(), z_bar.data(), p.data(), h.data(), h_old.data(), beta.data(),
            traced_);
  shrunk_ *= decay;
}

void SwiftState::tidy() {
  if (shrunk_ > 1e-50) return;
  const auto negligible = [](double& trace) {
    if (std::abs(trace) < 1e-200) trace = 0;
    return trace == 0;
  };
  for (std::size_t i = traced_; i-- > 0;) {
    const bool no_z = negligible(z[i]);
    const bool no_z_bar = negligible(z_bar[i]);
    const bool no_p = negligible(p[i]);
    // A feature behind the others has h_old = h: one whose h has just changed waits for the next pass.
    if (no_z && no_z_bar && no_p && h_old[i] == h[i]) exchange(i, --traced_);
  }
  shrunk_ = 1;
}

SwiftTDRule::SwiftTDRule(std::size_t dim, const Params& params)
    : params_(params),
      state_(dim, std::log(std::clamp(params.alpha, std::min(params.eta_min, params.eta), params.eta))),
      active_(dim),
      step_size_(dim),
      low_(std::log(params.eta_min)),
      high_(std::log(params.eta)),
      lowering_(std::log(params.epsilon)) {}

double SwiftTDRule::step_size(std::size_t j) const { return portable_exp(state_.beta[state_.slot(j)]); }

bool SwiftTDRule::step(std::span<Active> active, double Vn, double r, double g, double gn, double decay) {
  SwiftState& f = state_;
  double V = 0;
  double tau = 0;
  double b = 0;
  double most = 0;   // of the steps
  double check = 0;  // large or not a number when one of its terms is
  kernels::exp(step_size_.data(), active.size());
  for (std::size_t k = 0; k < active.size(); ++k) {
    Active& a = active[k];
    const std::size_t i = a.slot;
    a.y = step_size_[k] * a.x;
    most = std::max(most, std::abs(a.y));
    V += f.w[i] * a.x;
    tau += a.y * a.x;
    b += f.z[i] * a.x;
    check += std::abs(f.h[i]) + std::abs(f.h_old[i]) + std::abs(f.z_bar[i]) + std::abs(f.p[i]);
  }
  if (g == 0) {
    V_old_ = V;
    mass_ = 0;
  }
  const double D = r + gn * Vn - V_old_;
  const double correction = V - V_old_;
  const double mass = mass_ + most * std::abs(1 - b);
  if (!bounded(D, V, Vn, tau, mass, check, decay)) return false;

  const double fraction = std::min(1.0, params_.eta / tau);
  const bool over = tau > params_.eta;
  for (Active& a : active) {
    const std::size_t i = a.slot;
    a.y *= fraction;
    f.z[i] += a.y * (1 - b);
    f.p[i] += f.h_old[i] * a.x;
    f.z_bar[i] += a.y * (1 - b - f.z_bar[i] * a.x);
    a.h_change = -f.h_old[i] * a.x * (f.z[i] - a.y) - f.h[i] * a.y * a.x;
    if (over) {
      f.h[i] = 0;
      f.z_bar[i] = 0;
      a.h_change = 0;
      f.beta[i] = std::max(low_, f.beta[i] + lowering_ * a.x * a.x);
    }
    a.h_change -= correction * a.y;
  }
  f.pass(D, params_.theta * (D - correction), low_, high_, decay);
  for (const Active& a : active) {
    const std::size_t i = a.slot;
    f.w[i] -= correction * a.y;
    f.h[i] += a.h_change;
  }
  f.tidy();
  V_old_ = Vn;
  mass_ = std::abs(decay) * mass;
  return true;
}

void SwiftTDRule::read(std::span<double> w) const {
  for (std::size_t j = 0; j < w.size(); ++j) w[j] = state_.w[state_.slot(j)];
}

void SwiftTDRule::assign(std::span<const double> w) {
  for (std::size_t j = 0; j < w.size(); ++j) state_.w[state_.slot(j)] = w[j];
}

}  // namespace bellwether
