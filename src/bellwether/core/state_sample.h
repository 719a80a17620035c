#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace bellwether {

/// A random sample of up to 8192 states, each a row of numbers, of however many there are: what a figure or a quantile
/// needs of a log that is too long to keep.
///
///     StateSample sample(/*variables=*/2);
///     for (const std::vector<double>& state : states) sample.add(state);
///     for (std::size_t i = 0; i < sample.size(); ++i) std::printf("%g\n", sample[i][0]);
///
/// Whatever the order of the states, and whatever period they have, each is in the sample with the same probability.
/// Which ones are depends on their numbers only, so the same states give the same sample.
class StateSample {
 public:
  static constexpr std::size_t most = 8192;  // states that are kept

  explicit StateSample(std::size_t variables) : variables_(variables) {}

  /// Adds a state, which has one number for each variable.
  void add(std::span<const double> state);

  /// How many states are in the sample, and how many were added; the former are all of them up to `most`.
  std::size_t size() const { return numbers_.size(); }
  std::uint64_t added() const { return added_; }

  /// A state of the sample, in the order in which they were added. Valid until the next `add`.
  std::span<const double> operator[](std::size_t i) const {
    return std::span<const double>(states_).subspan(i * variables_, variables_);
  }

 private:
  std::size_t variables_;
  std::uint64_t added_ = 0;
  std::uint64_t threshold_ = ~std::uint64_t{0};  // states whose random number is at most this are in the sample
  std::vector<std::uint64_t> numbers_;           // the random numbers of the states in the sample
  std::vector<double> states_;                   // one after another
};

}  // namespace bellwether
