#pragma once

#include <string>

namespace bellwether::cli {

/// The folder in which true values are kept from one run of the program to the next; empty when there is none.
std::string cache_folder();

}  // namespace bellwether::cli
