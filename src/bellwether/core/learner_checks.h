#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <bellwether/core/batch.h>

/// The rules that learners and ensembles of learners share.
namespace bellwether {

/// These throw InvalidArgument: for no features at all; for a batch with another number of features; for starting
/// weights that are too many, too few, too late or not finite.
std::size_t checked_dim(std::size_t dim);
void check_batch(std::string_view type, std::size_t dim, const Batch& batch);
void check_start(std::string_view type, std::size_t dim, std::uint64_t steps, std::span<const double> w);

/// Throws InvalidArgument when learners that are to be merged have started from different weights.
void check_same_start(std::string_view type, std::span<const double> w, std::span<const double> other);

/// Errors, steps and traces beyond this are taken as divergence. The product of two such numbers and a feature below
/// the limit is finite, so an update that is allowed cannot overflow a weight.
inline constexpr double divergence_limit = 1e50;

/// True when every number is finite and below the divergence limit.
template <class... T>
bool bounded(T... numbers) {
  return ((numbers <= divergence_limit && numbers >= -divergence_limit) && ...);
}

}  // namespace bellwether
