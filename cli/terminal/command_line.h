#pragma once

#include <string>

namespace bellwether::cli {

/// The command that started this process, quoted so that a shell can run it again.
std::string command_line();

}  // namespace bellwether::cli
