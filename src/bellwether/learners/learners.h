#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include <bellwether/core/learner.h>
#include <bellwether/core/params/entry.h>

namespace bellwether {

using LearnerEntry = Entry<Learner, std::size_t>;  // core/params/entry.h

/// The learners by name, family by family; `make` takes the settings and the number of features. `bellwether list
/// learners` prints them, docs/reference.md describes them, docs/guide.md helps to choose. In short:
///
///   nothing to tune, d up to 200       lstd               O(d^2) a step
///   nothing to tune                    lstd_stream        O(active features) a step, some hundred times
///   nothing to tune, memory O(d)       atd_compensated    O(d) a step for a fixed rank
///   one answer from all steps          lstd_krylov        stores the steps, solves when it is asked for weights
///   as fast as possible                true_online_td     O(active features) a step; alpha has to be tuned
///   off-policy, as fast as possible    tdrc, gtd, vtrace  the same; plain td may diverge there
const std::vector<LearnerEntry>& learners();

/// Makes a learner of `dim` features by name, whose weights start from zero (Learner::start_from).
///
///     const auto learner = make_learner("td", 4, {{"alpha", 0.05}, {"lambda", 0.5}});
///
/// Memory is allocated here: a few vectors of d numbers for the fast ones, d^2 numbers for `lstd`, `atd_full`, `ilstd`.
///
/// Throws InvalidArgument when there is no such learner or parameter, when a value is out of range, or when the memory
/// is not there.
std::unique_ptr<Learner> make_learner(std::string_view name, std::size_t dim, const Settings& settings = {});

/// The bytes that a learner takes at least when it is made with these settings.
double least_bytes(std::string_view name, std::size_t dim, const Settings& settings = {});

/// Throws InvalidArgument when so many learners, and `beside` bytes more, do not fit into the memory that is free
/// (core/support/memory.h). Nothing is allocated.
void require_memory_for(std::size_t learners, std::string_view name, std::size_t dim, const Settings& settings = {},
                        double beside = 0);

}  // namespace bellwether
