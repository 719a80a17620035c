#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <bellwether/core/params/params.h>

namespace bellwether {

/// One map of a description: its name and its parameters.
struct FeaturePart {
  std::string name;
  Settings settings;
};

/// Reads `name(key=value key=value) + name + ...`; empty parentheses may be left out. Throws
/// InvalidArgument, quoting the description, when it is not of that form.
std::vector<FeaturePart> parse_description(std::string_view description);

/// Adds settings from elsewhere, such as a command line: `name.key` goes to the part of that name, `key` to the only
/// part there is. Throws InvalidArgument when it is not clear whose setting it is.
void add_settings(std::vector<FeaturePart>& parts, const Settings& settings);

}  // namespace bellwether
