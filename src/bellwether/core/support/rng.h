#pragma once

#include <array>
#include <cstdint>

namespace bellwether {

/// What a sequence of random numbers is for. Each purpose has its own sequence, so that drawing more noise features,
/// for instance, does not change the trajectory. Numbers of your own that should not disturb those of the library come
/// from a seed of your own.
enum class Purpose : std::uint64_t { trajectory = 0, features = 1, learner = 2, evaluation = 3, noise = 4 };

/// Counter-based random numbers (Philox 4x64-10, Salmon et al. 2011, doi:10.1145/2063384.2063405).
///
///   n-th draw of run r = Philox(key = (seed, r), counter = (n / 4, purpose, moment))[n mod 4]
///
/// `moment` is for numbers that belong to a point in time and can be drawn in any order, as those of noise features.
/// There is no state to seed, share or lock: a run's numbers do not depend on threads, ranks or the order of work, and
/// are the same bits on every x86-64 processor. A generator is cheap to make, so make one wherever one is needed:
///
///     for (std::uint64_t run = 0; run < 30; ++run) {
///       Rng rng(/*seed=*/1, run);          // independent of the other runs
///       domain->start(rng, state);
///     }
///
/// A copy continues with the same numbers as the original.
class Rng {
 public:
  explicit Rng(std::uint64_t seed, std::uint64_t run = 0, Purpose purpose = Purpose::trajectory,
               std::uint64_t moment = 0)
      : seed_(seed), run_(run), purpose_(purpose), moment_(moment) {}

  /// 64 uniformly random bits. Philox makes four of these at a time; three draws of four are a load.
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
  double normal();  // about 1.4 pairs of uniform numbers on average

  /// The number of draws so far: the n of the formula above. `normal` may take any even number of them.
  std::uint64_t drawn() const { return drawn_; }

  /// How far it has come, for saving (core/state.h). Seed, run, purpose and moment are the owner's to remember.
  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.drawn_, self.block_);
  }

 private:
  void refill();  // makes the block of draws 4 floor(n / 4), ..., + 3

  std::uint64_t seed_;
  std::uint64_t run_;
  Purpose purpose_;
  std::uint64_t moment_;
  std::uint64_t drawn_ = 0;
  std::array<std::uint64_t, 4> block_{};  // nothing of use while drawn_ is a multiple of 4
};

}  // namespace bellwether
