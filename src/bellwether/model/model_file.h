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

/// The bytes of a file, or the first of them where it is no model. Throws IoError when it cannot be read.
std::string read_model_file(const std::string& path);

/// Whether a file begins as a model does. False when it cannot be read, and for pipes and devices.
bool begins_as_model(const std::string& path);

/// Throws InvalidArgument when there is a file at the path that is neither empty nor a model: someone mistook its name,
/// and a model that is written there would destroy it.
void reject_replacing_what_is_no_model(std::string_view who, const std::string& path);

}  // namespace bellwether
