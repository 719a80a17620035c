#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <bellwether/core/features.h>
#include <bellwether/core/state.h>
#include <bellwether/linalg/simd/eight_kernels.h>
#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {

/// How a trace moves in a step: e = f e + y x.
template <class Entry>
struct MotionOf {
  double f;
  Entry y;
};
using Motion = MotionOf<double>;

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
  explicit FollowedTrace(std::size_t dim) : e_(dim, Entry{}), touched_(dim + 1), marked_(dim, 0) {
    for (Follower& v : followers_) v.raw.assign(dim, Real{});
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
    add(x, m.y, [raw = followers_[0].raw.data(), step = b / followers_[0].scale](std::size_t j, double value) {
      raw[j] += step * value;
    });
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
    const Follower& v = followers_[I];
    Real own{};
    Entry shared{};
    x.for_each([&, raw = v.raw.data(), e = e_.data()](std::size_t j, double value) {
      own += value * raw[j];
      shared += value * e[j];
    });
    return {v.scale * (own + v.c * shared), sigma_ * shared};
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
    const Follower& v = followers_[I];
    const Real own = kernels::dot(x, v.raw.data());
    return v.scale * (dense_ ? own : own + v.c * kernels::dot(x, e_.data()));
  }

  /// v_I += a e
  template <std::size_t I = 0>
  void follow(const Real& a) {
    Follower& v = followers_[I];
    if (dense_) return kernels::axpy(a, e_.data(), v.raw.data(), e_.size());
    v.c += a * sigma_ / v.scale;
    // A trace to which nothing was added may be tiny and `a` large in proportion: an entry that comes next would drown.
    if (idle_) carry_out_apart();
  }

  /// v_I += a x
  template <std::size_t I = 0, class X>
  void add_to(const Real& a, const X& x) {
    kernels::axpy(a / followers_[I].scale, x, followers_[I].raw.data());
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

  /// v_I *= s. With sparse features O(1), but O(d) once the factors multiply to less than 1e-150, and so for s = 0.
  template <std::size_t I = 0>
  void scale(const Real& s) {
    Follower& v = followers_[I];
    if (dense_) return kernels::scale(s, v.raw.data(), v.raw.size());
    v.scale *= s;
    const Real size = magnitude(v.scale);
    if (any_less(size, same<Real>(1e-150)) || any_less(same<Real>(1e150), size)) take_up_scale(v);
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
      for (const std::uint32_t j : touched()) f(std::size_t{j}, trace_at(j));
    }
  }

  /// e, written out. Allocates.
  std::vector<Entry> trace() const {
    std::vector<Entry> all(e_.size());
    for (std::size_t j = 0; j < e_.size(); ++j) all[j] = trace_at(j);
    return all;
  }

  Entry trace_at(std::size_t j) const { return sigma_ * e_[j]; }

  template <std::size_t I = 0>
  Real at(std::size_t j) const {
    return followers_[I].scale * (followers_[I].raw[j] + followers_[I].c * e_[j]);
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

  /// What `mass` will be after a move. Ask before it: with sparse features a move writes to what the v_i are made of,
  /// and what is not finite would stay there.
  Entry mass_after(const MotionOf<Entry>& m) const { return magnitude(m.f) * mass_ + magnitude(m.y); }

  template <std::size_t I = 0>
  void read(std::span<Real> v) const {
    for (std::size_t j = 0; j < v.size(); ++j) v[j] = at<I>(j);
  }

  /// v_I = v
  template <std::size_t I = 0>
  void assign(std::span<const double> v) {
    Follower& f = followers_[I];
    for (std::size_t j = 0; j < v.size(); ++j) f.raw[j] = same<Real>(v[j]) / f.scale - f.c * e_[j];
  }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit.fixed(self.e_, self.marked_);
    visit(self.followers_, self.sigma_, self.mass_, self.dense_, self.fresh_, self.idle_, self.count_);
    visit.require(std::count(self.marked_.begin(), self.marked_.end(), 1) == static_cast<std::ptrdiff_t>(self.count_));
    visit(std::span(self.touched_.data(), self.count_));
    visit.require(all_below(self.e_.size(), self.touched()));
  }

 private:
  template <std::size_t, class, class>
  friend class FollowedTrace;

  struct Follower {
    std::vector<Real> raw;
    Real c{};
    Real scale = same<Real>(1);

    static constexpr auto state() { return std::tuple{&Follower::raw, &Follower::c, &Follower::scale}; }
  };

  /// What `raise` does with an entry besides.
  struct Nothing {
    void operator()(std::size_t, double) const {}
  };

  /// e *= factor
  void decay(double factor) {
    fresh_ = dense_;
    mass_ *= magnitude(factor);
    sigma_ *= factor;
    if (dense_) return;
    const double size = magnitude(sigma_);
    if (size < 1e-3 || size > 1e3) carry_out();
  }

  /// e += y x
  template <class X, class Also = Nothing>
  void add(const X& x, const Entry& y, const Also& also = {}) {
    mass_ += magnitude(y);
    become_sparse();
    idle_ = x.size == 0;
    raise(
        x, [step = y / sigma_](const Entry&, double value) { return step * value; }, also);
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

  /// E_j += change(j, x_j) for the entries that x stores, with every v_i held. It works with copies of what it needs: a
  /// number written through a pointer could otherwise be one of them, and all would be read again for every entry.
  /// There is no branch on whether an entry is new, since that cannot be predicted.
  template <class X, class Change, class Also = Nothing>
  void raise(const X& x, const Change& change, const Also& also = {}) {
    const auto [raw, c] = copies();
    std::size_t count = count_;
    x.for_each([change, also, &count, raw = raw, c = c, e = e_.data(), marked = marked_.data(),
                touched = touched_.data()](std::size_t j, double value) {
      const Entry by = change(e[j], value);
      e[j] += by;
      for (std::size_t i = 0; i < N; ++i) raw[i][j] -= c[i] * by;
      also(j, value);
      touched[count] = static_cast<std::uint32_t>(j);
      count += marked[j] == 0 ? 1 : 0;
      marked[j] = 1;
    });
    count_ = count;
  }

  void touch(std::size_t j) {
    marked_[j] = 1;
    touched_[count_++] = static_cast<std::uint32_t>(j);
  }

  std::span<const std::uint32_t> touched() const { return {touched_.data(), count_}; }

  void end_pass() {
    for (Follower& v : followers_) v.c = Real{};
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

  /// Every v_i takes up what it is owed, and e its factor. Entries of e below 1e-200, such as all of them when the
  /// factor is 0, become zero.
  void renormalise() {
    const auto [raw, c] = copies();
    count_ = [raw = raw, c = c, sigma = sigma_, count = count_, e = e_.data(), marked = marked_.data(),
              touched = touched_.data()] {
      std::size_t kept = 0;
      for (std::size_t n = 0; n < count; ++n) {
        const std::size_t j = touched[n];
        for (std::size_t i = 0; i < N; ++i) raw[i][j] += c[i] * e[j];
        const Entry next = sigma * e[j];
        const auto tiny = magnitude(next) < 1e-200;
        e[j] = choose(tiny, Entry{}, next);
        touched[kept] = touched[n];
        marked[j] = all(tiny) ? 0 : 1;
        kept += marked[j];
      }
      return kept;
    }();
    end_pass();
  }

  /// v takes up its factor where that is extreme.
  [[gnu::noinline]] void take_up_scale(Follower& v) {
    const Real size = magnitude(v.scale);
    const auto harmless = (same<Real>(1e-150) <= size) & (size <= 1e150);
    for (std::size_t j = 0; j < v.raw.size(); ++j) {
      v.raw[j] = choose(harmless, v.raw[j], v.scale * (v.raw[j] + v.c * e_[j]));
    }
    v.scale = choose(harmless, v.scale, same<Real>(1));
    v.c = choose(harmless, v.c, Real{});
  }

  void become_sparse() {
    if (dense_) change_to_sparse();
  }
  [[gnu::noinline]] void change_to_sparse() {
    dense_ = false;
    kernels::scale(sigma_, e_.data(), e_.size());
    count_ = 0;
    for (std::size_t j = 0; j < e_.size(); ++j) {
      marked_[j] = 0;
      if (!all(e_[j] == 0)) touch(j);
    }
    end_pass();
  }

  void become_dense() {
    if (!dense_) change_to_dense();
  }
  [[gnu::noinline]] void change_to_dense() {
    dense_ = true;
    for (Follower& v : followers_) {
      for (std::size_t j = 0; j < v.raw.size(); ++j) v.raw[j] = v.scale * (v.raw[j] + v.c * e_[j]);
      v.scale = same<Real>(1);
      v.c = Real{};
    }
    fresh_ = true;
  }

  std::vector<Entry> e_;
  std::array<Follower, N> followers_;
  double sigma_ = 1;
  Entry mass_{};
  bool dense_ = false;
  bool fresh_ = false;
  bool idle_ = false;                   // the row last added had no features
  std::vector<std::uint32_t> touched_;  // the first count_ are the indices where e may be non-zero
  std::vector<std::uint8_t> marked_;    // 1 for those indices
  std::size_t count_ = 0;
};

}  // namespace bellwether
