#pragma once

#include <cstdint>
#include <vector>

#include <bellwether/data/steps.h>

namespace bellwether {

/// Consecutive steps of a block that belong to one unit. A unit that spans blocks is a segment in each of them.
struct Segment {
  std::size_t first = 0;     // index of its first step in the block
  std::size_t count = 0;     // steps, at least one
  std::uint64_t unit = 0;    // the unit of resampling it belongs to
  bool begins = false;       // its first step begins an episode
  bool unit_begins = false;  // its first step begins a unit
  bool jumps = false;        // it begins one only because its first step does not continue the one before
};

/// Splits steps into episodes, and into units that are held out or resampled as a whole. This is the one place that
/// decides where episodes begin: after a discount of 0, at a `restart`, and with the first step of all.
///
/// A unit is an episode. But an episode that is longer than 1000 steps and than a fiftieth of all steps so far is cut,
/// so that experience without ends has units too; neighbouring units are then not quite independent.
///
///     Episodes episodes(/*seed=*/1);
///     for (const Segment& s : episodes.split(block))
///       if (!episodes.in_share(s.unit, 0.1)) learner->learn(block.view(0).slice(s.first, s.count));  // hold out a
///       tenth
///
/// `Model` does this for you and shows its counts (Model::episodes).
class Episodes {
 public:
  /// The seed decides which units are held out and resampled, never where episodes begin.
  explicit Episodes(std::uint64_t seed) : seed_(seed) {}

  /// The segments of the next steps, in order. They are valid until the next call.
  const std::vector<Segment>& split(const StepBlock& steps);

  /// Bit i says whether the i-th of up to 64 random halves contains this unit: a fair coin that depends on the seed and
  /// the numbers only, so nothing has to be stored, and a second pass finds the same halves.
  std::uint64_t halves(std::uint64_t number) const;

  /// Whether a unit belongs to a random share of all units: with 0.1, about a tenth of them do. Independent of
  /// `halves`.
  bool in_share(std::uint64_t number, double share) const;

  std::uint64_t units() const { return unit_; }   // units begun
  std::uint64_t begun() const { return begun_; }  // episodes begun
  std::uint64_t ended() const { return ended_; }  // with a discount of 0; the others were cut short, or go on
  std::uint64_t steps() const { return steps_; }  // steps seen

  /// Of the episodes begun, those of which nothing says that they begin there (Restart::jump).
  std::uint64_t jumps() const { return jumps_; }

  /// Adds the counts of episodes that were split elsewhere, and continues from where `other` is.
  void absorb(const Episodes& other);

  /// All that is kept, for saving (core/state.h); the seed is the owner's to remember.
  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.unit_, self.length_, self.begun_, self.ended_, self.steps_, self.inside_, self.jumps_);
  }

 private:
  std::uint64_t seed_;
  std::uint64_t unit_ = 0;    // units so far; the current one is unit_ - 1
  std::uint64_t length_ = 0;  // steps of the current unit
  std::uint64_t begun_ = 0;   // episodes; units that are cut off from a long one do not count
  std::uint64_t ended_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t jumps_ = 0;
  bool inside_ = false;  // the last step did not end its episode
  std::vector<Segment> segments_;
};

}  // namespace bellwether
