#pragma once

#include <string>
#include <vector>

#include "manual/declarations.h"

namespace bellwether::cli {

/// The manual page bellwether(1), in the language of man(7).
std::string man_page(const std::vector<Command>& commands, const std::string& about);

}  // namespace bellwether::cli
