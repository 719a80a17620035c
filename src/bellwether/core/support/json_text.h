#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace bellwether {

/// The text of a JSON value, in one line or with so many spaces for each level. JSON is UTF-8, but names of files may
/// be any bytes: those that are not UTF-8 become U+FFFD, where nlohmann's own `dump` would throw.
std::string json_text(const nlohmann::json& value, int indent = -1);
std::string json_text(const nlohmann::ordered_json& value, int indent = -1);

}  // namespace bellwether
