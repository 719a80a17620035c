#include <bellwether/model/episodes.h>

#include <algorithm>

#include <bellwether/core/support/rng.h>

namespace bellwether {

const std::vector<Segment>& Episodes::split(const StepBlock& steps) {
  segments_.clear();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto restart = steps.restart.empty() ? Restart::none : static_cast<Restart>(steps.restart[i]);
    const bool begins = !inside_ || restart != Restart::none;
    const bool jumps = restart == Restart::jump;
    const bool cut = length_ >= std::max<std::uint64_t>(1000, steps_ / 50);
    if (begins || cut) {
      ++unit_;
      length_ = 0;
      if (begins) ++begun_;
      if (jumps) ++jumps_;
    }
    if (begins || cut || segments_.empty()) {
      segments_.push_back(
          {.first = i, .unit = unit_ - 1, .begins = begins, .unit_begins = begins || cut, .jumps = jumps});
    }
    ++segments_.back().count;
    ++length_;
    ++steps_;
    inside_ = steps.discount[i] > 0;
    if (!inside_) ++ended_;
  }
  return segments_;
}

std::uint64_t Episodes::halves(std::uint64_t number) const { return Rng(seed_, number, Purpose::evaluation, 1).bits(); }

bool Episodes::in_share(std::uint64_t number, double share) const {
  return share > 0 && Rng(seed_, number, Purpose::evaluation, 2).uniform() < share;
}

void Episodes::absorb(const Episodes& other) {
  unit_ += other.unit_;
  begun_ += other.begun_;
  ended_ += other.ended_;
  steps_ += other.steps_;
  jumps_ += other.jumps_;
  length_ = other.length_;
  inside_ = other.inside_;
}

}  // namespace bellwether
