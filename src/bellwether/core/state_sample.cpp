#include <bellwether/core/state_sample.h>

#include <algorithm>
#include <cassert>

namespace bellwether {
namespace {

/// The finaliser fmix64 of MurmurHash3: a bijection whose results look random.
std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ number >> 33U) * 0xff51afd7ed558ccdU;
  number = (number ^ number >> 33U) * 0xc4ceb9fe1a85ec53U;
  return number ^ number >> 33U;
}

}  // namespace

void StateSample::add(std::span<const double> state) {
  assert(state.size() == variables_);
  const std::uint64_t number = mixed(added_++);
  if (number > threshold_) return;
  if (numbers_.size() == most) {
    threshold_ /= 2;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < most; ++i) {
      if (numbers_[i] > threshold_) continue;
      numbers_[kept] = numbers_[i];
      std::copy_n(states_.begin() + static_cast<std::ptrdiff_t>(i * variables_), variables_,
                  states_.begin() + static_cast<std::ptrdiff_t>(kept * variables_));
      ++kept;
    }
    numbers_.resize(kept);
    states_.resize(kept * variables_);
    if (number > threshold_) return;
  }
  numbers_.push_back(number);
  states_.insert(states_.end(), state.begin(), state.end());
}

}  // namespace bellwether
