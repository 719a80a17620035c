#pragma once

#include <cstdint>

#include <bellwether/core/batch.h>

namespace bellwether::bench {

/// Steps as logs of people and things give them: a state is a list of categories, such as who it is, what was shown and
/// when, each hashed to one of `dim` features, and a constant. Categories are as frequent as words: the k-th with
/// probability 1/k, of 200,000 in each field. Half of the fields stay the same throughout an episode, the others change
/// at every second step; episodes have 50 steps, in the mean. Sparse states have values between 0.5 and 1.5 in place of
/// ones. The last step ends an episode.
BatchBuffer hashed(Layout layout, std::size_t dim, std::size_t active, std::size_t steps, double discount,
                   std::uint64_t seed);

}  // namespace bellwether::bench
