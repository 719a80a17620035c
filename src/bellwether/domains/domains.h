#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include <bellwether/core/domain.h>
#include <bellwether/core/params/entry.h>

namespace bellwether {

using DomainEntry = Entry<Domain>;

/// The domains by name, in alphabetical order. `bellwether list domains` prints them, docs/reference.md describes them.
const std::vector<DomainEntry>& domains();

/// Makes a domain by name.
///
///     const auto chain = make_domain("boyan_chain");
///     const auto walk = make_domain("random_walk", {{"states", 19}});
///
/// Throws InvalidArgument when there is no such domain or parameter, or a value is out of range.
std::unique_ptr<Domain> make_domain(std::string_view name, const Settings& settings = {});

}  // namespace bellwether
