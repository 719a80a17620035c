#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bellwether {

/// The format that the name of a file indicates, in small or capital letters and with or without .gz.
enum class FileEnding : std::uint8_t {
  unknown,
  csv,
  tsv,
  json_lines /* or an array of objects */,
  sparse,
  numpy,
  hdf5,
  arrow
};

FileEnding file_ending(std::string_view path);

/// All endings that name a format, for messages: ".csv, .tsv, ...".
std::string known_endings();

}  // namespace bellwether
