#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <bellwether/core/features.h>
#include <bellwether/core/state.h>
#include <bellwether/linalg/simd/eight_kernels.h>
#include <bellwether/linalg/simd/kernels.h>
#include <bellwether/traces/follower.h>
#include <bellwether/traces/motion.h>
#include <bellwether/traces/touched_entries.h>

namespace bellwether {

/// A decaying vector e, and N vectors v_0 .. v_{N-1} that follow it: v_i += a e.
///
/// With dense features every operation is a plain loop. With sparse ones it costs O(active), although e has many more
/// entries than a step has active features, because operations on all of e are postponed:
///
///   e   = sigma * E                   decay:      sigma *= factor
///   v_i = s_i * (V_i + c_i * E)       v_i += a e: c_i += a sigma / s_i
///                                     e_j += y:   E_j += y / sigma, V_ij -= c_i y / sigma   (v_i stays as it is)
///                                     v_i *= s:   s_i *= s
///                                     v_ij *= s:  V_ij = s (V_ij + c_i E_j) - c_i E_j
///
/// This is exact up to rounding, which the division by sigma amplifies. So the postponed operations are carried out
/// (O(touched), once in many steps) before sigma leaves [1e-3, 1e3]; entries of e below 1e-200 then become zero.
///
/// With Real = Eight it holds eight vectors v_i side by side, one in each lane; with Entry = Eight also eight traces,
/// which decay alike. Every lane has the bits of a trace on its own.
template <std::size_t N, class Real = double, class Entry = double>
class FollowedTrace {
 public:
  explicit FollowedTrace(std::size_t dim) : e_(dim, Entry{}), touched_(dim) {
    for (Follower<Real>& v : followers_) v.raw.assign(dim, Real{});
  }

  /// e = f e + y x
  template <class X>
  void move(const MotionOf<Entry>& m, const X& x) {
    decay(m.f);
    add(x, m.y);
  }

  /// e = f e + y x, then v_0 += a e + b x
  template <class X>
  void move_and_follow(const MotionOf<Entry>& m, const X& x, const Real& a, const Real& b) {
    decay(m.f);
    add(x, m.y, [raw = followers_[0].raw.data(), b](std::size_t j, double value) { raw[j] += b * value; });
    follow(a);
  }
  void move_and_follow(const MotionOf<Entry>& m, const DenseView& x, const Real& a, const Real& b) {
    move(m, x);
    follow(a);
    add_to(b, x);
  }

  /// e_j = max(f e_j, y x_j)
  template <class X>
  void replace(const Motion& m, const X& x) {
    decay(m.f);
    replace_by(x, m.y);
  }

  /// e_j *= s_j for the entries that s stores
  template <class X>
  void scale_trace(const X& s) {
    become_sparse();
    raise(s, [](const Entry& e, double value) { return value * e - e; });
  }
  void scale_trace(const DenseView& s) {
    become_dense();
    kernels::multiply(s.values, e_.data(), s.size);
  }

  /// e.x
  template <class X>
  Entry dot_trace(const X& x) const {
    return sigma_ * kernels::dot(x, e_.data());
  }

  /// v_I.x and e.x
  template <std::size_t I = 0, class X>
  std::pair<Real, Entry> dots(const X& x) const {
    const Follower<Real>& v = followers_[I];
    Real own{};
    Entry shared{};
    x.for_each([&, raw = v.raw.data(), e = e_.data()](std::size_t j, double value) {
      own += value * raw[j];
      shared += value * e[j];
    });
    return {scaled<I>(own + v.c * shared), sigma_ * shared};
  }
  template <std::size_t I = 0>
  std::pair<Real, Entry> dots(const DenseView& x) const {
    return {dot<I>(x), dot_trace(x)};
  }

  /// v_I.x
  template <std::size_t I = 0, class X>
  Real dot(const X& x) const {
    return dots<I>(x).first;
  }
  template <std::size_t I = 0>
  Real dot(const DenseView& x) const {
    const Follower<Real>& v = followers_[I];
    const Real own = kernels::dot(x, v.raw.data());
    return scaled<I>(dense_ ? own : own + v.c * kernels::dot(x, e_.data()));
  }

  /// v_I += a e
  template <std::size_t I = 0>
  void follow(const Real& a) {
    Follower<Real>& v = followers_[I];
    if (dense_) return kernels::axpy(a, e_.data(), v.raw.data(), e_.size());
    v.c += unscaled<I>(a * sigma_);
    // A trace to which nothing was added may be tiny and `a` large in proportion: an entry that comes next would drown.
    if (idle_) carry_out_apart();
  }

  /// v_I += a x
  template <std::size_t I = 0, class X>
  void add_to(const Real& a, const X& x) {
    kernels::axpy(unscaled<I>(a), x, followers_[I].raw.data());
  }

  /// v_Ij *= s_j for the entries that s stores
  template <std::size_t I = 0, class X>
  void scale_entries(const X& s) {
    s.for_each([raw = followers_[I].raw.data(), c = followers_[I].c, e = e_.data()](std::size_t j, double value) {
      const double owed = c * e[j];
      raw[j] = value * (raw[j] + owed) - owed;
    });
  }
  template <std::size_t I = 0>
  void scale_entries(const DenseView& s) {
    become_dense();
    kernels::multiply(s.values, followers_[I].raw.data(), s.size);
  }

  /// v_I *= s, for I > 0. With sparse features O(1), but O(d) once the factors multiply to less than 1e-150.
  template <std::size_t I>
  void scale(const Real& s) {
    static_assert(I > 0);
    Follower<Real>& v = followers_[I];
    if (dense_) return kernels::scale(s, v.raw.data(), v.raw.size());
    v.scale *= s;
    if (v.scale_is_extreme()) v.take_up_scale(e_);
  }

  /// True when the trace was just recomputed from its pieces (always, with dense features): the moment to replace
  /// scalars kept by recursion, such as |e|^2, by their definition.
  bool fresh() const { return fresh_; }

  /// Calls `f(j, e_j)` for every entry of e that may be non-zero.
  template <class F>
  void for_each(F&& f) const {
    if (dense_) {
      for (std::size_t j = 0; j < e_.size(); ++j) f(j, trace_at(j));
    } else {
      for (const std::uint32_t j : touched_.list()) f(std::size_t{j}, trace_at(j));
    }
  }

  /// e, written out. Allocates.
  std::vector<Entry> trace() const {
    std::vector<Entry> all(e_.size());
    for_each([&](std::size_t j, const Entry& e) { all[j] = e; });
    return all;
  }

  Entry trace_at(std::size_t j) const { return sigma_ * e_[j]; }

  template <std::size_t I = 0>
  Real at(std::size_t j) const {
    return scaled<I>(followers_[I].raw[j] + followers_[I].c * e_[j]);
  }

  /// e.b by its definition, b being the trace of `other`; |e|^2 when that is this one.
  template <std::size_t M, class R, class E>
  E dot_trace(const FollowedTrace<M, R, E>& other) const {
    if (dense_ && other.dense_) return sigma_ * other.sigma_ * kernels::dot(e_.data(), other.e_.data(), e_.size());
    E sum{};
    for_each([&](std::size_t j, const Entry& e) { sum += e * other.trace_at(j); });
    return sum;
  }
  Entry squared_norm() const { return dot_trace(*this); }

  /// e.v_I by its definition, v_I being a follower of `other`.
  template <std::size_t I, std::size_t M, class R, class E>
  R dot_follower(const FollowedTrace<M, R, E>& other) const {
    if (dense_ && other.dense_) return sigma_ * kernels::dot(e_.data(), other.followers_[I].raw.data(), e_.size());
    R sum{};
    for_each([&](std::size_t j, const Entry& e) { sum += e * other.template at<I>(j); });
    return sum;
  }

  /// An upper bound of max_j |e_j| / max_j |x_j| over the features seen.
  Entry mass() const { return mass_; }

  /// What `mass` will be after a move. Ask before it: what is not finite would stay in what the v_i are made of.
  Entry mass_after(const MotionOf<Entry>& m) const { return magnitude(m.f) * mass_ + magnitude(m.y); }

  template <std::size_t I = 0>
  void read(std::span<Real> v) const {
    for (std::size_t j = 0; j < v.size(); ++j) v[j] = at<I>(j);
  }

  /// v_I = v
  template <std::size_t I = 0>
  void assign(std::span<const double> v) {
    Follower<Real>& f = followers_[I];
    for (std::size_t j = 0; j < v.size(); ++j) f.raw[j] = unscaled<I>(same<Real>(v[j])) - f.c * e_[j];
  }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit.fixed(self.e_);
    visit(self.followers_, self.sigma_, self.mass_, self.dense_, self.fresh_, self.idle_, self.touched_);
  }

 private:
  template <std::size_t, class, class>
  friend class FollowedTrace;

  /// s_I x and x / s_I. As v_0 is never scaled, it is spared the division, on which the next step would wait.
  template <std::size_t I>
  Real scaled(const Real& x) const {
    if constexpr (I == 0) return x;
    else return followers_[I].scale * x;
  }
  template <std::size_t I>
  Real unscaled(const Real& x) const {
    if constexpr (I == 0) return x;
    else return x / followers_[I].scale;
  }

  /// e *= factor
  void decay(double factor) {
    fresh_ = dense_;
    mass_ *= magnitude(factor);
    sigma_ *= factor;
    if (dense_) return;
    if (factor == 0) return forget();
    const double size = magnitude(sigma_);
    if (size < 1e-3 || size > 1e3) carry_out();
  }

  /// e += y x
  template <class X, class Also = DoNothing>
  void add(const X& x, const Entry& y, const Also& also = {}) {
    mass_ += magnitude(y);
    become_sparse();
    idle_ = x.size == 0;
    const Entry step = y / sigma_;
    if (is_empty()) return start(x, step, also);
    raise(
        x, [step](const Entry&, double value) { return step * value; }, also);
  }
  void add(const DenseView& x, const Entry& y) {
    mass_ += magnitude(y);
    become_dense();
    kernels::scale_axpy(sigma_, y, x.values, e_.data(), x.size);
    sigma_ = 1;
  }

  /// e_j = max(e_j, y x_j)
  template <class X>
  void replace_by(const X& x, double y) {
    mass_ += magnitude(y);
    become_sparse();
    raise(x, [step = y / sigma_](double e, double value) {
      const double change = step * value - e;
      return change > 0 ? change : 0.0;
    });
  }
  void replace_by(const DenseView& x, double y) {
    mass_ += magnitude(y);
    become_dense();
    for (std::size_t j = 0; j < x.size; ++j) e_[j] = std::fmax(sigma_ * e_[j], y * x.values[j]);
    sigma_ = 1;
  }

  /// Where the V_i are, and the c_i.
  auto copies() {
    std::pair<std::array<Real*, N>, std::array<Real, N>> all;
    for (std::size_t i = 0; i < N; ++i) {
      all.first[i] = followers_[i].raw.data();
      all.second[i] = followers_[i].c;
    }
    return all;
  }

  /// E_j += change(j, x_j) for the entries that x stores, with every v_i held.
  template <class X, class Change, class Also = DoNothing>
  void raise(const X& x, const Change& change, const Also& also = {}) {
    const auto [raw, c] = copies();
    auto touched = touched_.cursor();
    x.for_each([change, also, &touched, raw = raw, c = c, e = e_.data()](std::size_t j, double value) {
      const Entry by = change(e[j], value);
      e[j] += by;
      for (std::size_t i = 0; i < N; ++i) raw[i][j] -= c[i] * by;
      also(j, value);
      touched.add(j);
    });
    touched_.end(touched);
  }

  /// Whether e is zero and no v_i is owed anything. Eight lanes are not asked: it would cost more than it saves.
  bool is_empty() const {
    return std::is_same_v<Real, double> && touched_.list().empty() &&
           std::ranges::all_of(followers_, [](const auto& v) { return all(v.c == 0); });
  }

  /// E = step x after an empty trace: there is nothing to read, and the v_i stay as they are.
  template <class X, class Also>
  void start(const X& x, const Entry& step, const Also& also) {
    auto touched = touched_.cursor();
    x.for_each([=, &touched, e = e_.data()](std::size_t j, double value) {
      e[j] = step * value;
      also(j, value);
      touched.add(j);
    });
    touched_.end(touched);
  }

  void end_pass() {
    for (Follower<Real>& v : followers_) v.c = Real{};
    sigma_ = 1;
    fresh_ = true;
  }

  /// Carries out what was postponed, apart from the loop over steps, which is fast while it is small. With eight lanes
  /// it is part of that loop, which is compiled for the best instructions.
  void carry_out() {
    if constexpr (std::is_same_v<Real, double>) carry_out_apart();
    else renormalise();
  }
  [[gnu::noinline]] void carry_out_apart() { renormalise(); }

  /// Every v_i takes up what it is owed, and e its factor. Entries of e below 1e-200 become zero.
  void renormalise() {
    const auto [raw, c] = copies();
    touched_.filter([raw = raw, c = c, sigma = sigma_, e = e_.data()](std::size_t j) {
      for (std::size_t i = 0; i < N; ++i) raw[i][j] += c[i] * e[j];
      const Entry next = sigma * e[j];
      const auto tiny = magnitude(next) < 1e-200;
      e[j] = choose(tiny, Entry{}, next);
      return !all(tiny);
    });
    end_pass();
  }

  /// The same when the factor is 0. With lambda = 0 this happens in every step.
  void forget() {
    const auto [raw, c] = copies();
    touched_.clear([raw = raw, c = c, e = e_.data()](std::size_t j) {
      for (std::size_t i = 0; i < N; ++i) raw[i][j] += c[i] * e[j];
      e[j] = Entry{};
    });
    end_pass();
  }

  void become_sparse() {
    if (dense_) change_to_sparse();
  }
  [[gnu::noinline]] void change_to_sparse() {
    dense_ = false;
    kernels::scale(sigma_, e_.data(), e_.size());
    touched_.assign_where([this](std::size_t j) { return !all(e_[j] == 0); });
    end_pass();
  }

  void become_dense() {
    if (!dense_) change_to_dense();
  }
  [[gnu::noinline]] void change_to_dense() {
    dense_ = true;
    for (Follower<Real>& v : followers_) v.put_together(e_);
    fresh_ = true;
  }

  std::vector<Entry> e_;
  std::array<Follower<Real>, N> followers_;
  double sigma_ = 1;
  Entry mass_{};
  bool dense_ = false;
  bool fresh_ = false;
  bool idle_ = false;       // the row last added had no features
  TouchedEntries touched_;  // where e may be non-zero
};

}  // namespace bellwether
