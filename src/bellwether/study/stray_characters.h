#pragma once

#include <cstddef>
#include <string_view>

namespace bellwether {

/// The line of the first character beyond ASCII that is neither within quotes nor in a comment; 0 when there is none.
/// TOML has no use for them there. toml++ 3.3 asks whether they are white space, and for most of them reaches a point
/// that it declares unreachable. It also asks that of characters after a backslash in a text of several lines.
std::size_t line_of_stray_character(std::string_view text);

}  // namespace bellwether
