#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include <bellwether/core/domain.h>
#include <bellwether/core/params/entry.h>

namespace bellwether {

using DomainEntry = Entry<Domain>;  // core/params/entry.h

/// The domains by name, in alphabetical order. `bellwether list domains` prints them, docs/reference.md describes them:
///
///   baird          off-policy TD diverges on it                    7 states
///   boyan_chain    a walk down; features represent the values      12 states, or any other multiple of 4
///   collision      off-policy, features that cannot represent v    8 states
///   energy         a wind farm with storage and a market           continuous
///   garnet         random decision processes, one per instance     as many states as asked for
///   mountain_car   tile coding; on-policy or off-policy            continuous
///   random_walk    the classic, with three kinds of features       as many states as asked for
const std::vector<DomainEntry>& domains();

/// Makes a domain by name.
///
///     const auto chain = make_domain("boyan_chain");
///     const auto walk = make_domain("random_walk", {{"size", 5}, {"left", 0}});
///     const double middle = *walk->true_value(std::array{3.0});  // 0.5
///
/// Throws InvalidArgument when there is no such domain or parameter, or a value is out of range.
std::unique_ptr<Domain> make_domain(std::string_view name, const Settings& settings = {});

}  // namespace bellwether
