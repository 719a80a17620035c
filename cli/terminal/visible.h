#pragma once

#include <string>
#include <string_view>

namespace bellwether::cli {

/// The text with its control characters made visible, as in JSON: \u001b; those that reverse text, too. Names and cells
/// come from files, and a terminal obeys escape sequences wherever they come from. Line feeds, tabs, and the two
/// sequences of `bold` stay.
std::string visible(std::string_view text);

}  // namespace bellwether::cli
