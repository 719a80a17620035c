#pragma once

#include <string>

namespace bellwether::cli {

/// The command that this process was started with, as a shell would take it again.
std::string command_line();

}  // namespace bellwether::cli
