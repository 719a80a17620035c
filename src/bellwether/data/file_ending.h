#pragma once

#include <cstdint>
#include <string_view>

namespace bellwether {

/// What the name of a file promises, in small or capital letters and with or without a further .gz.
enum class FileEnding : std::uint8_t { unknown, csv, tsv, json_lines, sparse, numpy, hdf5 };

FileEnding file_ending(std::string_view path);

}  // namespace bellwether
