#pragma once

#include <string>
#include <string_view>

namespace bellwether::cli {

/// The page of a report as web/ builds it, waiting for its data; empty when the program was built without Node.js. Its
/// source is written by the build.
std::string_view report_template();

/// The page with data in it (report/report_data.h).
std::string report_page(std::string_view page, const std::string& data);

}  // namespace bellwether::cli
