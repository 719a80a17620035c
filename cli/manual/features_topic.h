#pragma once

#include <string>

namespace bellwether::cli {

/// How features are described to `run` and `learn`: the text of `bellwether help features`.
std::string features_topic();

}  // namespace bellwether::cli
