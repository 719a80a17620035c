#pragma once

#include <string>

namespace bellwether {

/// The folder in which true values are kept from one run of a program to the next: $BELLWETHER_CACHE, or else
/// ~/.cache/bellwether; empty when there is none.
std::string cache_folder();

/// What files of results say about where they were written: "AMD EPYC, 2 cores".
std::string machine_text();

}  // namespace bellwether
