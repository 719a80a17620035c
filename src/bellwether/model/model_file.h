#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// The format of a model file:
///
///   "bellwether model"                16 bytes
///   format, byte order                4 bytes each
///   length of the recipe, of the state, of the state as it is stored    8 bytes each
///   recipe                            JSON that says what the model is, also for other programs
///   state                             what was learned, as core/state.h writes it, compressed
///   checksum                          4 bytes: CRC-32 of everything before it
///
/// The state is stored as a zlib stream of its bytes in another order: bytes 0, 8, 16, ..., then 1, 9, 17, ... and so
/// on. Most of it are numbers of eight bytes whose first or last bytes are alike.
///
/// Numbers are little-endian, and floating-point numbers are IEEE 754: the file is the same on every machine.
namespace bellwether {

inline constexpr std::uint32_t model_format = 4;

/// The bytes of a file.
std::string model_file(std::string_view recipe, std::string_view state);

struct ModelParts {
  std::string_view recipe;
  std::string state;
};

/// The parts of a file. Throws InvalidArgument that begins with `name` and says what is wrong.
ModelParts parse_model_file(std::string_view bytes, std::string_view name);

}  // namespace bellwether
