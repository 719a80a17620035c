#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Whole files: read at once, and written so that nobody ever sees half of one (output_file.h).
namespace bellwether {

/// The content of a file. One that does not begin like this is not read to its end, which a device may not have. Throws
/// IoError when it cannot be read.
std::string read_file(const std::string& path, std::string_view beginning = "");

/// Writes an OutputFile at once.
void write_file(const std::string& path, std::string_view bytes);

/// Throws InvalidArgument when an output is one of the inputs, or the same file as another output. Empty paths are
/// outputs that are not wanted, and "-" is a stream, which cannot be overwritten.
void reject_overwriting(std::string_view who, std::vector<std::string> inputs, const std::vector<std::string>& outputs);

}  // namespace bellwether
