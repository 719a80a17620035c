#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bellwether {

/// A whole number with commas between groups of three digits: "1,234,567".
std::string grouped(std::uint64_t number);

/// The text with small letters in place of the capital ones of ASCII.
std::string lower_case(std::string_view text);

/// The text as a message of one line can hold it: a NUL byte, which would end the message, is written \u0000 as in
/// JSON, and the end of a line \u000a.
std::string in_one_line(std::string_view text);

}  // namespace bellwether
