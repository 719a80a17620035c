#pragma once

#include <array>
#include <cstdint>

namespace bellwether {

/// What a sequence of random numbers is for. Each purpose has its own sequence, so that drawing more noise features,
/// for instance, does not change the trajectory.
enum class Purpose : std::uint64_t { trajectory = 0, features = 1, learner = 2, evaluation = 3, noise = 4 };

/// Counter-based random numbers (Philox 4x64-10, Salmon et al. 2011, doi:10.1145/2063384.2063405).
///
///   n-th draw of run r = Philox(key = (seed, r), counter = (n / 4, purpose, moment))[n mod 4]
///
/// `moment` is for numbers that belong to a point in time and can be drawn in any order (features/noise.h).
/// There is no state to seed, share or lock: a run's numbers do not depend on threads, ranks or the order of work.
class Rng {
 public:
  explicit Rng(std::uint64_t seed, std::uint64_t run = 0, Purpose purpose = Purpose::trajectory,
               std::uint64_t moment = 0)
      : seed_(seed), run_(run), purpose_(purpose), moment_(moment) {}

  /// 64 uniformly random bits.
  std::uint64_t bits() {
    const std::uint64_t lane = drawn_ % 4;
    if (lane == 0) refill();
    ++drawn_;
    return block_[lane];
  }

  /// Uniform in [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(bits() >> 11U) * 0x1p-53; }

  /// Uniform in {0, ..., n-1}, n > 0. The bias is below n / 2^53.
  std::uint64_t below(std::uint64_t n) { return static_cast<std::uint64_t>(uniform() * static_cast<double>(n)); }

  /// Normal with mean 0 and variance 1. The number itself is computed by multiplication and division only, so that
  /// every processor draws the same bits; the C library's logarithm only decides when to draw again.
  double normal();

  /// The number of draws so far: the n of the formula above.
  std::uint64_t drawn() const { return drawn_; }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.drawn_, self.block_);
  }

 private:
  void refill();

  std::uint64_t seed_;
  std::uint64_t run_;
  Purpose purpose_;
  std::uint64_t moment_;
  std::uint64_t drawn_ = 0;
  std::array<std::uint64_t, 4> block_{};
};

}  // namespace bellwether
