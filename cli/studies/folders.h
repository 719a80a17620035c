#pragma once

#include <string>

namespace bellwether::cli {

/// Where true values are kept from one run of the program to the next; empty where there is no such place.
std::string cache_folder();

}  // namespace bellwether::cli
