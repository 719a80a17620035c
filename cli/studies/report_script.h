#pragma once

#include <string_view>

namespace bellwether::cli {

/// The script of the page of a report, as web/ bundles it, and its SHA-256 hash in base64. Both are empty when the
/// program was built without Node.js. Their sources are written by the build.
std::string_view report_script();
std::string_view report_script_hash();

}  // namespace bellwether::cli
