#pragma once

#include <cstddef>
#include <tuple>
#include <vector>

#include <bellwether/linalg/simd/eight.h>

namespace bellwether {

/// A vector v = scale (raw + c E) that follows a trace e = sigma E (traces/followed_trace.h).
template <class Real>
struct Follower {
  std::vector<Real> raw;
  Real c{};
  Real scale = same<Real>(1);

  /// v, with nothing postponed: raw is v.
  template <class Entry>
  void put_together(const std::vector<Entry>& E) {
    for (std::size_t j = 0; j < raw.size(); ++j) raw[j] = scale * (raw[j] + c * E[j]);
    scale = same<Real>(1);
    c = Real{};
  }

  bool scale_is_extreme() const {
    const Real size = magnitude(scale);
    return any_less(size, same<Real>(1e-150)) || any_less(same<Real>(1e150), size);
  }

  /// raw takes up the scale where that is extreme.
  template <class Entry>
  [[gnu::noinline]] void take_up_scale(const std::vector<Entry>& E) {
    const Real size = magnitude(scale);
    const auto harmless = (same<Real>(1e-150) <= size) & (size <= 1e150);
    for (std::size_t j = 0; j < raw.size(); ++j) {
      raw[j] = choose(harmless, raw[j], scale * (raw[j] + c * E[j]));
    }
    scale = choose(harmless, scale, same<Real>(1));
    c = choose(harmless, c, Real{});
  }

  static constexpr auto state() { return std::tuple{&Follower::raw, &Follower::c, &Follower::scale}; }
};

}  // namespace bellwether
