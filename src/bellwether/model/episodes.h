#pragma once

#include <cstdint>
#include <vector>

#include <bellwether/data/steps.h>

namespace bellwether {

/// A run of steps within a block that belong together.
struct Segment {
  std::size_t first = 0;
  std::size_t count = 0;
  std::uint64_t unit = 0;    // which unit of resampling it belongs to
  bool begins = false;       // an episode begins with its first step
  bool unit_begins = false;  // a unit does
};

/// Cuts steps into episodes, and into units that can be left out as a whole: for holding out and for resampling. A unit
/// is an episode. But one that goes on for longer than 1000 steps and a fiftieth of all steps so far is cut, so that
/// experience without ends has units too; neighbouring units are then not quite independent.
class Episodes {
 public:
  explicit Episodes(std::uint64_t seed) : seed_(seed) {}

  /// The segments of the next steps, in order. They stay until the next call.
  const std::vector<Segment>& split(const StepBlock& steps);

  /// Bit i tells whether the i-th of up to 64 halves of the units holds this one: a fair coin, the same for every
  /// reader of the same seed.
  std::uint64_t halves(std::uint64_t number) const;

  /// Whether a unit belongs to a random share of all.
  bool in_share(std::uint64_t number, double share) const;

  std::uint64_t units() const { return unit_; }
  std::uint64_t begun() const { return begun_; }
  std::uint64_t ended() const { return ended_; }
  std::uint64_t steps() const { return steps_; }

  /// Takes over the counts of others that have been split elsewhere.
  void absorb(const Episodes& other);

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.unit_, self.length_, self.begun_, self.ended_, self.steps_, self.inside_);
  }

 private:
  std::uint64_t seed_;
  std::uint64_t unit_ = 0;    // units so far; the current one is unit_ - 1
  std::uint64_t length_ = 0;  // of the current one
  std::uint64_t begun_ = 0;
  std::uint64_t ended_ = 0;
  std::uint64_t steps_ = 0;
  bool inside_ = false;  // an episode goes on
  std::vector<Segment> segments_;
};

}  // namespace bellwether
