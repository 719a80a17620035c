#pragma once

#include <cstdint>

#include <bellwether/core/batch.h>

namespace bellwether::testing {

/// Random steps for tests. The numbers are a function of the options, so the same experience is available as dense,
/// sparse and (if all values are 0 or 1) binary features.
struct Experience {
  std::size_t dim = 8;
  std::size_t steps = 200;
  std::size_t active = 3;          // non-zero features of a state
  bool binary = false;             // values 1 instead of uniform in [-1, 1)
  bool non_negative = false;       // values in [0, 1)
  bool off_policy = false;         // rho in {0, 0.5, 1, 1.5, 2}, pi in (0, 1)
  bool state_dependent = false;    // random interest and lambda factors
  double discount = 0.9;           // of a transition that does not end the episode
  bool random_discount = false;    // uniform in [0, 1) instead
  double end_probability = 0.05;   // of a discount of 0
  double restart_probability = 0;  // of a truncation
  double feature_scale = 1;        // multiplies all values of features, unless these are binary
  double reward_scale = 1;         // multiplies all rewards
  std::uint64_t seed = 1;

  BatchBuffer as(Layout layout) const;
};

/// The largest |a_j - b_j|.
double max_difference(const std::vector<double>& a, const std::vector<double>& b);

/// The largest |a_j|.
double max_size(const std::vector<double>& a);

}  // namespace bellwether::testing
