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

/// What a study measures: the size of everything that is stored about its runs follows from it.
struct StudyShape {
  std::vector<std::string> metrics;  // at least one, all different
  std::vector<std::uint64_t> at;
};

StudyShape shape_of(const std::string& metrics, const std::string& at);

}  // namespace bellwether
