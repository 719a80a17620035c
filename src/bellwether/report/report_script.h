#pragma once

#include <string_view>

namespace bellwether {

/// The script of the pages, as web/ bundles it, and its SHA-256 hash in base64. Both are empty when Node.js was missing
/// at the build, which writes their sources. They are a library of their own, `bellwether_pages`: programs that write
/// no page need not have them.
std::string_view report_script();
std::string_view report_script_hash();

}  // namespace bellwether
