#pragma once

#include <cstdint>
#include <string>

namespace bellwether {

/// A whole number with commas between groups of three digits: "1,234,567".
std::string grouped(std::uint64_t number);

}  // namespace bellwether
