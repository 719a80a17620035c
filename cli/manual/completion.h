#pragma once

#include <string>
#include <vector>

#include "manual/declarations.h"

/// Scripts that let a shell complete commands, options, and the names of learners, domains, feature maps and studies.
/// They hold all names, so that completing starts no program.
namespace bellwether::cli {

std::string bash_completion(const std::vector<Command>& commands);
std::string zsh_completion(const std::vector<Command>& commands);
std::string fish_completion(const std::vector<Command>& commands);

}  // namespace bellwether::cli
