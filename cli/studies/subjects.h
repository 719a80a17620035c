#pragma once

#include <string>
#include <utility>
#include <vector>

namespace bellwether::cli {

/// What can be reproduced: a name, and the studies it stands for.
const std::vector<std::pair<std::string, std::vector<std::string>>>& subjects();

/// Their names, and "all".
std::vector<std::string> names_of_subjects();

}  // namespace bellwether::cli
