#pragma once

#include <cstdint>
#include <vector>

#include <bellwether/data/steps.h>

namespace bellwether {

/// Consecutive steps of a block that belong to one unit.
struct Segment {
  std::size_t first = 0;
  std::size_t count = 0;
  std::uint64_t unit = 0;    // the unit of resampling it belongs to
  bool begins = false;       // its first step begins an episode
  bool unit_begins = false;  // its first step begins a unit
};

/// Splits steps into episodes, and into units that are held out or resampled as a whole. This is the one place that
/// decides where episodes begin: after a discount of 0, at a `restart`, and with the first step of all.
///
/// A unit is an episode. But an episode that is longer than 1000 steps and than a fiftieth of all steps so far is cut,
/// so that experience without ends has units too; neighbouring units are then not quite independent.
class Episodes {
 public:
  explicit Episodes(std::uint64_t seed) : seed_(seed) {}

  /// The segments of the next steps, in order. They are valid until the next call.
  const std::vector<Segment>& split(const StepBlock& steps);

  /// Bit i says whether the i-th of up to 64 random halves contains this unit: a fair coin that depends on the seed and
  /// the numbers only.
  std::uint64_t halves(std::uint64_t number) const;

  /// Whether a unit belongs to a random share of all units.
  bool in_share(std::uint64_t number, double share) const;

  std::uint64_t units() const { return unit_; }
  std::uint64_t begun() const { return begun_; }
  std::uint64_t ended() const { return ended_; }
  std::uint64_t steps() const { return steps_; }

  /// Adds the counts of episodes that were split elsewhere.
  void absorb(const Episodes& other);

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.unit_, self.length_, self.begun_, self.ended_, self.steps_, self.inside_);
  }

 private:
  std::uint64_t seed_;
  std::uint64_t unit_ = 0;    // units so far; the current one is unit_ - 1
  std::uint64_t length_ = 0;  // steps of the current unit
  std::uint64_t begun_ = 0;
  std::uint64_t ended_ = 0;
  std::uint64_t steps_ = 0;
  bool inside_ = false;  // the last step did not end its episode
  std::vector<Segment> segments_;
};

}  // namespace bellwether
