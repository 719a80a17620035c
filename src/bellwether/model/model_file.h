#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// The format of a model file:
///
///   "bellwether model"                16 bytes
///   format, byte order                4 bytes each
///   length of the recipe, of the state    8 bytes each
///   recipe                            JSON that says what the model is, also for other programs
///   state                             what was learned, as core/state.h writes it
///   checksum                          4 bytes: CRC-32 of everything before it
///
/// Numbers are little-endian, and floating-point numbers are IEEE 754: the file is the same on every machine.
namespace bellwether {

inline constexpr std::uint32_t model_format = 2;

/// The bytes of a file.
std::string model_file(std::string_view recipe, std::string_view state);

struct ModelParts {
  std::string_view recipe, state;
};

/// The parts of a file. Throws InvalidArgument that begins with `name` and says what is wrong.
ModelParts parse_model_file(std::string_view bytes, std::string_view name);

}  // namespace bellwether
