#include <bellwether/learners/least_squares/equations/value_scale.h>

#include <algorithm>

namespace bellwether {
namespace {

/// What a stretch counts beside the one after it.
constexpr double memory = 0.9;

}  // namespace

/// Takes up the steps in the sums of the stretch.
void ValueScale::sum_up() {
  double G = 0;
  for (std::size_t t = steps_.size(); t-- > 0;) {
    const Step& s = steps_[t];
    const bool goes_on = t + 1 < steps_.size() && steps_[t + 1].follows != 0;
    const double error = s.reward + s.gn * s.next_value - s.value;
    G = s.reward + s.gn * (goes_on ? G : s.next_value);
    sums_.noise += error * error;
    sums_.returns += G * G;
    sums_.features += s.square;
    sums_.fourths += s.fourth;
  }
  sums_.count += static_cast<double>(steps_.size());
  steps_.clear();
}

void ValueScale::end_stretch() {
  sum_up();
  const double count = std::max(1.0, sums_.count);
  noise_ = memory * noise_ + sums_.noise / count;
  returns_ = memory * returns_ + sums_.returns / count;
  features_ = memory * features_ + sums_.features / count;
  fourths_ = memory * fourths_ + sums_.fourths / count;
  weight_ = memory * weight_ + 1;
  ++stretches_;
  sums_ = {};
}

double ValueScale::damping(double share) const {
  const double most = features();
  if (stretches_ <= 1) return 1e-3 * most;
  const double ratio = returns_ > 0 ? share * noise_ / returns_ : 0;
  return most * std::clamp(ratio, 1e-8, 1.0);
}

}  // namespace bellwether
