#include <bellwether/learners/td/swift_td.h>

#include <algorithm>
#include <cmath>

#include <bellwether/linalg/simd/exp.h>

namespace bellwether {

SwiftTDRule::SwiftTDRule(std::size_t dim, const Params& params)
    : params_(params),
      state_(dim, std::clamp(params.alpha, std::min(params.eta_min, params.eta), params.eta), params.eta_min,
             params.eta, params.cutoff),
      active_(dim),
      lowering_(std::log(params.epsilon)) {}

bool SwiftTDRule::step(std::span<Active> active, double Vn, double r, double g, double gn, double decay) {
  double V = 0;
  double tau = 0;
  double b = 0;
  double most = 0;   // of the steps
  double check = 0;  // large or not a number when one of its terms is
  for (Active& a : active) {
    a.now = state_.visit(a.j);
    a.y = a.x / a.now.s;
    most = std::max(most, std::abs(a.y));
    V += a.now.w * a.x;
    tau += a.y * a.x;
    b += a.now.z * a.x;
    check += std::abs(a.now.h) + std::abs(a.now.h_old) + std::abs(a.now.z_bar) + std::abs(a.now.p);
  }
  if (g == 0) {
    V_old_ = V;
    mass_ = 0;
  }
  const double D = r + gn * Vn - V_old_;
  const double c = V - V_old_;
  const double mass = mass_ + most * std::abs(1 - b);
  if (!bounded(D, V, Vn, tau, mass, check, decay)) return false;

  const double fraction = std::min(1.0, params_.eta / tau);
  const bool over = tau > params_.eta;
  for (Active& a : active) {
    const auto [w, z, z_bar, p, h, h_old, s] = a.now;
    const double y = fraction * a.y;
    const double z_next = z + y * (1 - b);
    const double h_change = -h_old * a.x * (z_next - y) - h * y * a.x;
    SwiftState::Letters next{.w = w - c * y,
                             .z = z_next,
                             .z_bar = z_bar + y * (1 - b - z_bar * a.x),
                             .p = p + h_old * a.x,
                             .h = h + h_change - c * y,
                             .h_old = h,
                             .s = s};
    if (over) {
      next.h = -c * y;
      next.h_old = 0;
      next.z_bar = 0;
      next.s = s * portable_exp(-lowering_ * a.x * a.x);
    }
    state_.put(a.j, next);
  }
  state_.advance(D, params_.theta * (D - c), decay);
  // A trace to which nothing was added may be tiny and D large in proportion: an entry that comes next would drown.
  if (active.empty()) state_.carry_out();
  V_old_ = Vn;
  mass_ = std::abs(decay) * mass;
  return true;
}

void SwiftTDRule::read(std::span<double> w) const {
  for (std::size_t j = 0; j < w.size(); ++j) w[j] = state_.weight(j);
}

void SwiftTDRule::assign(std::span<const double> w) {
  for (std::size_t j = 0; j < w.size(); ++j) state_.set_weight(j, w[j]);
}

}  // namespace bellwether
