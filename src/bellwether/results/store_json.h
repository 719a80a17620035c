#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <bellwether/core/params/params.h>

/// Lists in one cell of a table, as JSON, which SQLite and pandas can read. The functions that read throw
/// std::runtime_error when the text is something else.
namespace bellwether {

/// {"alpha":"0.1","lambda":"0"}: values stay text, digit for digit; order is kept.
std::string json_of(const Settings& settings);
Settings settings_of(const std::string& json);

/// ["relative","rmse"]
std::string json_of(const std::vector<std::string>& words);
std::vector<std::string> words_of(const std::string& json);

/// [0,50,100]
std::string json_of(const std::vector<std::uint64_t>& numbers);
std::vector<std::uint64_t> numbers_of(const std::string& json);

}  // namespace bellwether
