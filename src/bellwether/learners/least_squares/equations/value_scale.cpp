#include <bellwether/learners/least_squares/equations/value_scale.h>

#include <algorithm>

namespace bellwether {
namespace {

/// What a stretch counts beside the one after it.
constexpr double memory = 0.9;

}  // namespace

void ValueScale::end_stretch() {
  double noise = 0;
  double returns = 0;
  double features = 0;
  double fourths = 0;
  double G = 0;
  for (std::size_t t = steps_.size(); t-- > 0;) {
    const Step& s = steps_[t];
    const bool goes_on = t + 1 < steps_.size() && steps_[t + 1].follows != 0;
    const double error = s.reward + s.gn * s.next_value - s.value;
    G = s.reward + s.gn * (goes_on ? G : s.next_value);
    noise += error * error;
    returns += G * G;
    features += s.square;
    fourths += s.fourth;
  }
  const auto count = static_cast<double>(std::max<std::size_t>(1, steps_.size()));
  noise_ = memory * noise_ + noise / count;
  returns_ = memory * returns_ + returns / count;
  features_ = memory * features_ + features / count;
  fourths_ = memory * fourths_ + fourths / count;
  weight_ = memory * weight_ + 1;
  ++stretches_;
  steps_.clear();
}

double ValueScale::damping(double share) const {
  const double most = features();
  if (stretches_ <= 1) return 1e-3 * most;
  const double ratio = returns_ > 0 ? share * noise_ / returns_ : 0;
  return most * std::clamp(ratio, 1e-8, 1.0);
}

}  // namespace bellwether
