#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// The file that a model is kept in:
///
///   "bellwether model"                16 bytes
///   format, byte order                4 bytes each
///   length of the recipe, of the state    8 bytes each
///   recipe                            JSON: what the model is, for programs that do not know the rest
///   state                             what was learned, as core/state.h writes it
///   checksum                          4 bytes: CRC-32 of all before
///
/// Numbers are little-endian, floating-point numbers IEEE 754: the same file on every machine there is a program for.
namespace bellwether {

inline constexpr std::uint32_t model_format = 1;

std::string model_file(std::string_view recipe, std::string_view state);

struct ModelParts {
  std::string_view recipe, state;
};

/// The parts of a file's bytes. Throws InvalidArgument that begins with `name` and says what is wrong.
ModelParts parse_model_file(std::string_view bytes, std::string_view name);

}  // namespace bellwether
