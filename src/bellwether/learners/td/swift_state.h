#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <bellwether/core/state.h>

namespace bellwether {

/// The change of s = exp(-beta) by several steps beta += q p / exp(beta), with the same p and one q after another.
///
/// With u = p s, a step is s *= exp(-q u), so u becomes u exp(-q u): the same function of u for every feature. Several
/// steps are its powers in u,
///
///   s (1 + c_1 u + c_2 u^2 + c_3 u^3 + c_4 u^4)
///
/// exact to rounding while |u| (sum of |q|) < 2^-11, whose fifth power is below 3e-17.
class SmallChange {
 public:
  static constexpr double limit = 0x1p-11;

  /// One more step.
  void add(double q) {
    // u (1 + c_1 u + ..) exp(-q u (1 + c_1 u + ..)), by powers of u
    const double q2 = q * q / 2;
    const double q3 = q * q2 / 3;
    c4_ += -2 * (c3_ + c1_ * c2_) * q + 3 * (c1_ * c1_ + c2_) * q2 - 4 * c1_ * q3 + q * q3 / 4;
    c3_ += -(c1_ * c1_ + 2 * c2_) * q + 3 * c1_ * q2 - q3;
    c2_ += -2 * c1_ * q + q2;
    c1_ -= q;
    size_ += std::abs(q);
  }

  /// The sum of |q|.
  double size() const { return size_; }

  double apply(double p, double s) const {
    const double u = p * s;
    return s + s * (u * (c1_ + u * (c2_ + u * (c3_ + u * c4_))));
  }

  static constexpr auto state() {
    return std::tuple{&SmallChange::c1_, &SmallChange::c2_, &SmallChange::c3_, &SmallChange::c4_, &SmallChange::size_};
  }

 private:
  double c1_ = 0;
  double c2_ = 0;
  double c3_ = 0;
  double c4_ = 0;
  double size_ = 0;
};

/// What SwiftTD keeps for every feature. In a step, all of it changes for every feature that has a trace:
///
///   w += D z;  h_old = h;  h += D z_bar;  beta += a p / exp(beta), clipped;  z, z_bar, p *= decay
///
/// Yet a step costs little for a feature that is not active in it.
///
/// **Traces, w and h are postponed**, as in traces/followed_trace.h: z = sigma Z and w = W + C Z, and the same for p,
/// z_bar and h, where sigma is the product of the decays and C the sum of the D sigma. A feature that is not active
/// keeps Z, W and the like: only the scalars change.
///
/// **Step sizes** are kept as s = exp(-beta). Those that **move** are changed in every step, by one loop that touches
/// nothing but P and s: s *= exp(-q P s) with q = a sigma. The others **rest**: their changes are postponed as well, as
/// a SmallChange. None may rest so close to a bound that it could reach it.
///
/// What is postponed is carried out before sigma leaves [1e-3, 1e3], before the changes of resting features are no
/// longer small, and when this costs less than going on. Then it is decided anew which features rest.
class SwiftState {
 public:
  /// Step sizes begin with `step_size` and stay within `least` and `largest`. Traces with |z| < cutoff exp(beta) are
  /// set to zero when changes are carried out.
  SwiftState(std::size_t dim, double step_size, double least, double largest, double cutoff);

  std::size_t dim() const { return features_.size(); }

  /// The letters of a feature, nothing postponed.
  struct Letters {
    double w;
    double z;
    double z_bar;
    double p;
    double h;
    double h_old;
    double s;  // exp(-beta)
  };

  /// The letters of feature j, which has a trace from now on.
  Letters visit(std::size_t j) {
    Feature& f = features_[j];
    if (f.slot >= resting) wake(j);
    return {.w = f.w + C_ * f.z,
            .z = sigma_ * f.z,
            .z_bar = sigma_ * f.z_bar,
            .p = sigma_ * moving_p_[f.slot],
            .h = f.h + C_ * f.z_bar,
            .h_old = h_old(f),
            .s = moving_s_[f.slot]};
  }

  /// Changes feature j, after `visit` and before `advance`. h_old is that of the next step.
  void put(std::size_t j, const Letters& letters) {
    Feature& f = features_[j];
    f.z = letters.z * per_sigma_;
    f.w = letters.w - C_ * f.z;
    f.z_bar = letters.z_bar * per_sigma_;
    f.h = letters.h - C_ * f.z_bar;
    f.h_old = letters.h_old;
    f.put_at = now_ + 1;
    moving_p_[f.slot] = letters.p * per_sigma_;
    moving_s_[f.slot] = std::min(letters.s, high_);
  }

  /// The change that is written above, for every feature.
  void advance(double D, double a, double decay);

  /// z, z_bar and p become zero.
  void cut();

  /// Carries out what is postponed.
  void carry_out();

  /// w.x
  template <class X>
  double value(const X& x) const {
    double own = 0;
    double shared = 0;
    x.for_each([&, f = features_.data()](std::size_t j, double value) {
      own += value * f[j].w;
      shared += value * f[j].z;
    });
    return own + C_ * shared;
  }
  double weight(std::size_t j) const { return features_[j].w + C_ * features_[j].z; }
  void set_weight(std::size_t j, double w) { features_[j].w = w - C_ * features_[j].z; }

  /// exp(-beta_j)
  double inverse_step_size(std::size_t j) const {
    const Feature& f = features_[j];
    return f.slot < resting ? moving_s_[f.slot] : change_.apply(f.p, f.s);
  }

  /// The number of features with a trace.
  std::size_t traced() const { return moving_ + rested_; }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit.fixed(self.features_, self.moving_p_, self.moving_s_);
    visit(self.moving_, self.listed_, self.rested_);
    visit.require(self.listed_ <= self.dim() && self.rested_ <= self.listed_ &&
                  self.moving_ <= self.dim() - self.rested_);
    visit(std::span(self.moving_features_.data(), self.moving_),
          std::span(self.resting_features_.data(), self.listed_));
    visit.require(self.lists_are_consistent());
    visit(self.now_, self.sigma_, self.per_sigma_, self.C_, self.C_before_, self.change_, self.expected_, self.most_u_,
          self.passed_);
  }

 private:
  static constexpr std::uint32_t untraced = 0xffff'ffff;
  static constexpr std::uint32_t resting = 0xffff'fffe;

  /// One cache line. P and s of a feature whose step size moves are in `moving_p_` and `moving_s_`.
  struct alignas(64) Feature {
    double w;              // W
    double z;              // Z
    double z_bar;          // Z_bar
    double h;              // H
    double h_old;          // of the step after the one when it was put
    double p;              // P
    double s;              // when changes were last carried out
    std::uint32_t slot;    // its place among those that move, or `resting`, or `untraced`
    std::uint32_t put_at;  // the step after the one when it was put

    static constexpr auto state() {
      return std::tuple{&Feature::w, &Feature::z, &Feature::z_bar, &Feature::h,     &Feature::h_old,
                        &Feature::p, &Feature::s, &Feature::slot,  &Feature::put_at};
    }
  };

  /// Whether lists and slots agree, so that no list can overflow.
  bool lists_are_consistent() const;

  double h_old(const Feature& f) const { return f.put_at == now_ ? f.h_old : f.h + C_before_ * f.z_bar; }

  /// Feature j moves from now on.
  void wake(std::size_t j);

  /// Whether a feature with these P and s may rest.
  bool may_rest(double p, double s) const;

  /// Gives a feature what it is owed, apart from s. Returns whether there is a reason to keep it among those with a
  /// trace.
  bool settle(Feature& f) const;

  std::vector<Feature> features_;
  std::vector<std::uint32_t> moving_features_;   // the first moving_
  std::vector<double> moving_p_;                 // P of these, then zeros
  std::vector<double> moving_s_;                 // s of these
  std::vector<std::uint32_t> resting_features_;  // the first listed_, some of which were woken
  std::size_t moving_ = 0;
  std::size_t listed_ = 0;
  std::size_t rested_ = 0;  // the number of resting features

  double low_;   // of s
  double high_;  // of s
  double cutoff_;
  std::uint32_t now_ = 1;  // the step; a feature that was not put in the last one has another put_at
  double sigma_ = 1;
  double per_sigma_ = 1;  // 1 / sigma
  double C_ = 0;
  double C_before_ = 0;       // C a step before
  SmallChange change_;        // of resting features
  double expected_ = 0;       // what the size of `change_` will be, by experience
  double most_u_ = 0;         // no |P s| of a resting feature is larger
  std::uint64_t passed_ = 0;  // how often a step size was moved since changes were last carried out
};

}  // namespace bellwether
