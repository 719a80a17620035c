#pragma once

#include <string>
#include <string_view>

namespace bellwether::cli {

/// Replaces the fields of requests that messages of the library name, in backticks, by the options of the program:
///
///     `discount`  `discount=0.99`  `skip_bad`        --discount  --discount 0.99  --skip-bad
std::string with_flags(std::string_view text);

}  // namespace bellwether::cli
