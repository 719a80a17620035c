#pragma once

#include <type_traits>
#include <utility>

#include <bellwether/traces/followed_trace.h>

namespace bellwether {

/// a.b of two traces after both have moved, a = f_a a + y_a x and b = f_b b + y_b x, from what it was before:
///
///   a.b = f_a f_b a.b + y_b a.x + y_a b.x - y_a y_b x.x            a.x and b.x are those after the move
template <std::size_t M, class R, std::size_t N, class S, class Entry, class X>
Entry moved_product(const Entry& ab, const FollowedTrace<M, R>& a, const Motion& m, const FollowedTrace<N, S, Entry>& b,
                    const MotionOf<Entry>& n, const X& x) {
  return m.f * n.f * ab + n.y * a.dot_trace(x) + m.y * b.dot_trace(x) - m.y * n.y * kernels::squared_norm(x);
}

/// The inner product a.v of a trace a with v, the I-th follower of a trace b, for gradient TD methods. With sparse
/// features it is followed by recursion, which costs O(active), and taken from its definition whenever a is fresh:
///
///   a, b move:                    a.v = f_a a.v + y_a x.v          and a.b as above
///   v = k v + p b + q x + ...:    a.v = k a.v + p a.b + q a.x + ...
///
/// With dense features the definition is as cheap, and is used at every step. `Real` and `Entry` are those of b.
template <std::size_t I, class Real = double, class Entry = double>
class TraceProduct {
 public:
  /// a.v after the traces moved, m and n being their motions; xv = x.v.
  template <std::size_t M, class R, std::size_t N, class X>
  Real move(const FollowedTrace<M, R>& a, const Motion& m, const FollowedTrace<N, Real, Entry>& b,
            const MotionOf<Entry>& n, const X& x, const Real& xv) {
    av_ = a.fresh() ? a.template dot_follower<I>(b) : m.f * av_ + m.y * xv;
    if constexpr (recursive<X>) ab_ = a.fresh() ? a.dot_trace(b) : moved_product(ab_, a, m, b, n, x);
    return av_;
  }

  /// v has become k v + p b + sum q x over pairs (q, x).
  template <std::size_t M, class R, class... X>
  void follow(const FollowedTrace<M, R>& a, const Real& k, const Real& p, const std::pair<Real, X>&... qx) {
    if constexpr ((recursive<X> && ...)) av_ = k * av_ + p * ab_ + (... + (qx.first * a.dot_trace(qx.second)));
  }

  static constexpr auto state() { return std::tuple{&TraceProduct::av_, &TraceProduct::ab_}; }

 private:
  template <class X>
  static constexpr bool recursive = !std::is_same_v<X, DenseView>;

  Real av_{};
  Entry ab_{};
};

}  // namespace bellwether
