#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <bellwether/core/params/params.h>

namespace bellwether {

/// One map of a description: its name and its parameters.
struct FeaturePart {
  std::string name;
  std::vector<std::string> variables;  // that it is made of; empty: it depends on the map
  Settings settings;
};

/// Reads `name(variable key=value) + name + ...`: any number of variables and settings, separated by spaces or commas;
/// empty parentheses may be left out. A comma after a setting belongs to it unless a space follows: groups=1,2. Quotes
/// stand around names of variables that hold anything else: "day of week". Throws InvalidArgument, quoting the
/// description, when it is not of that form.
std::vector<FeaturePart> parse_description(std::string_view description);

/// The name of a variable as a description spells it: in quotes, if it needs them.
std::string spelled(const std::string& variable);

/// Adds settings from elsewhere, such as a command line: `name.key` goes to the part of that name, `key` to the only
/// part there is. Throws InvalidArgument when it is not clear whose setting it is.
void add_settings(std::vector<FeaturePart>& parts, const Settings& settings);

}  // namespace bellwether
