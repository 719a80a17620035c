#include <bellwether/learners/td/swift_state.h>

#include <algorithm>

#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/exp.h>
#include <bellwether/linalg/simd/simd.h>

namespace bellwether {
namespace {

constexpr double off_bounds =
    2 * SmallChange::limit;  // how far a resting step size stays from its bounds, in proportion

/// s *= exp(-q p s), clipped, for n features; n is a multiple of eight. Below 2^-8 the series of degree five is exact
/// to rounding.
BELLWETHER_SIMD void move_step_sizes(double q, const double* __restrict p, double* __restrict s, double low,
                                     double high, std::size_t n) {
  for (std::size_t i = 0; i < n; i += Eight::width) {
    const Eight before = Eight::load(s + i);
    const Eight x = q * Eight::load(p + i) * before;
    Eight after = before;
    if (any_less(same<Eight>(0x1p-8), magnitude(x))) {
      double factor[Eight::width];
      x.store(factor);
      for (double& f : factor) f = portable_exp(-f);
      after = before * Eight::load(factor);
    } else {
      const Eight x2 = x * x;
      const Eight change = x - x2 * ((0.5 - x * (1.0 / 6)) + x2 * (1.0 / 24 - x * (1.0 / 120)));
      after = before - before * change;
    }
    after = choose(same<Eight>(high) < after, same<Eight>(high), after);
    after = choose(after < low, same<Eight>(low), after);
    after.store(s + i);
  }
}

}  // namespace

SwiftState::SwiftState(std::size_t dim, double step_size, double least, double largest, double cutoff)
    : features_(dim, Feature{.w = 0,
                             .z = 0,
                             .z_bar = 0,
                             .h = 0,
                             .h_old = 0,
                             .p = 0,
                             .s = 1 / step_size,
                             .slot = untraced,
                             .put_at = 0}),
      moving_features_(dim),
      moving_p_(padded(dim), 0.0),
      moving_s_(padded(dim), 1.0),
      resting_features_(dim),
      low_(1 / largest),
      high_(1 / least),
      cutoff_(cutoff) {}

bool SwiftState::lists_are_consistent() const {
  const std::span moving(moving_features_.data(), moving_);
  const std::span listed(resting_features_.data(), listed_);
  if (!all_below(dim(), moving, listed)) return false;
  for (std::size_t i = 0; i < moving_; ++i) {
    if (features_[moving[i]].slot != i) return false;
  }
  const auto count = [](const auto& range, const auto& holds) {
    return static_cast<std::size_t>(std::count_if(range.begin(), range.end(), holds));
  };
  return count(features_, [](const Feature& f) { return f.slot < resting; }) == moving_ &&
         count(features_, [](const Feature& f) { return f.slot == resting; }) == rested_ &&
         count(listed, [this](std::uint32_t j) { return features_[j].slot == resting; }) == rested_;
}

void SwiftState::wake(std::size_t j) {
  Feature& f = features_[j];
  if (f.slot == resting) --rested_;
  moving_features_[moving_] = static_cast<std::uint32_t>(j);
  moving_p_[moving_] = f.p;
  moving_s_[moving_] = change_.apply(f.p, f.s);
  f.slot = static_cast<std::uint32_t>(moving_++);
}

void SwiftState::advance(double D, double a, double decay) {
  C_before_ = C_;
  C_ += D * sigma_;
  ++now_;
  if ((change_.size() + std::abs(a * sigma_)) * most_u_ > SmallChange::limit) {
    expected_ = std::max(expected_, 2 * std::abs(a));
    carry_out();
  }
  const double q = a * sigma_;
  change_.add(q);
  move_step_sizes(q, moving_p_.data(), moving_s_.data(), low_, high_, padded(moving_));
  passed_ += moving_ + 1;
  sigma_ *= decay;
  const double size = std::abs(sigma_);
  if (size < 1e-3 || size > 1e3 || passed_ > 32 * traced()) carry_out();
  else per_sigma_ = 1 / sigma_;
}

void SwiftState::cut() {
  sigma_ = 0;
  carry_out();
}

bool SwiftState::may_rest(double p, double s) const {
  return p == 0 || (std::abs(p) * s * expected_ <= SmallChange::limit / 2 && s * (1 + off_bounds) < high_ &&
                    s * (1 - off_bounds) > low_);
}

bool SwiftState::settle(Feature& f) const {
  f.h_old = h_old(f);
  f.put_at = now_;
  f.w += C_ * f.z;
  f.h += C_ * f.z_bar;
  f.z *= sigma_;
  f.z_bar *= sigma_;
  f.p *= sigma_;
  const bool below_cutoff = std::abs(f.z) * f.s < cutoff_;
  if (below_cutoff || std::abs(f.z) < 1e-200) f.z = 0;
  if (below_cutoff || std::abs(f.z_bar) < 1e-200) f.z_bar = 0;
  if (below_cutoff || std::abs(f.p) < 1e-200) f.p = 0;
  // Without a trace h_old is h: a feature whose h has just changed stays until the next time.
  return f.z != 0 || f.z_bar != 0 || f.p != 0 || f.h_old != f.h;
}

void SwiftState::carry_out() {
  expected_ = std::max(change_.size(), expected_ / 2);
  most_u_ = 0;
  std::size_t kept = 0;
  for (std::size_t n = 0; n < listed_; ++n) {
    const std::uint32_t j = resting_features_[n];
    Feature& f = features_[j];
    if (f.slot != resting) continue;
    const double s = change_.apply(f.p, f.s);
    if (!may_rest(sigma_ * f.p, s)) {
      wake(j);  // and is settled below
      continue;
    }
    f.s = s;
    if (settle(f)) {
      resting_features_[kept++] = j;
      most_u_ = std::max(most_u_, std::abs(f.p) * f.s);
    } else {
      f.slot = untraced;
    }
  }
  std::size_t still = 0;
  for (std::size_t i = 0; i < moving_; ++i) {
    const std::uint32_t j = moving_features_[i];
    Feature& f = features_[j];
    f.p = moving_p_[i];
    f.s = moving_s_[i];
    if (!settle(f)) {
      f.slot = untraced;
    } else if (may_rest(f.p, f.s)) {
      f.slot = resting;
      resting_features_[kept++] = j;
      most_u_ = std::max(most_u_, std::abs(f.p) * f.s);
    } else {
      moving_features_[still] = j;
      moving_p_[still] = f.p;
      moving_s_[still] = f.s;
      f.slot = static_cast<std::uint32_t>(still++);
    }
  }
  std::fill(moving_p_.begin() + static_cast<std::ptrdiff_t>(still),
            moving_p_.begin() + static_cast<std::ptrdiff_t>(moving_), 0.0);
  moving_ = still;
  listed_ = rested_ = kept;
  sigma_ = per_sigma_ = 1;
  C_ = C_before_ = 0;
  change_ = {};
  passed_ = 0;
}

}  // namespace bellwether
