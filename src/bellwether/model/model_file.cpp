#include <bellwether/model/model_file.h>

#include <cstdint>

#include <zlib.h>

#include <fmt/format.h>

#include <bellwether/core/state.h>

namespace bellwether {
namespace {

constexpr std::string_view magic = "bellwether model";
constexpr std::uint32_t byte_order = 0x01020304;
constexpr std::uint32_t other_byte_order = 0x04030201;
constexpr std::size_t header_size = magic.size() + 4 + 4 + 8 + 8;

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));  // NOLINT: zlib's idea of a byte
}

}  // namespace

std::string model_file(std::string_view recipe, std::string_view state) {
  StateWriter head;
  head(model_format, byte_order, std::uint64_t{recipe.size()}, std::uint64_t{state.size()});
  std::string all(magic);
  all.reserve(header_size + recipe.size() + state.size() + 4);
  all.append(head.bytes()).append(recipe).append(state);
  StateWriter tail;
  tail(checksum(all));
  return all + tail.bytes();
}

ModelParts parse_model_file(std::string_view bytes, std::string_view name) {
  const auto reject = [name](const std::string& why) { throw InvalidArgument(fmt::format("{}: {}", name, why)); };
  if (!bytes.starts_with(magic)) reject(bytes.empty() ? "is empty, not a model" : "is not a model of Bellwether");
  if (bytes.size() < header_size) reject(fmt::format("is cut short: {} bytes are not a model", bytes.size()));
  std::uint32_t format = 0, order = 0;
  std::uint64_t recipe_size = 0, state_size = 0;
  StateReader head(bytes.substr(magic.size(), header_size - magic.size()));
  head(format, order, recipe_size, state_size);
  if (order == other_byte_order) reject("was written on a machine with another byte order");
  if (order != byte_order) reject("is damaged: its header makes no sense");
  if (format > model_format) {
    reject(fmt::format("was written by a later version of Bellwether (format {}; this one reads up to {})", format,
                       model_format));
  }
  if (format < model_format) {
    reject(fmt::format("was written by an earlier version of Bellwether (format {}; this one reads {}): learn it anew",
                       format, model_format));
  }
  const std::size_t rest = bytes.size() - header_size;
  const bool fits = recipe_size <= rest && state_size <= rest && recipe_size + state_size + 4 <= rest;
  if (!fits) reject(fmt::format("is cut short: it has {} bytes, its header says there are more", bytes.size()));
  if (recipe_size + state_size + 4 != rest) reject("is damaged: there is something after its end");
  std::uint32_t kept = 0;
  StateReader tail(bytes.substr(bytes.size() - 4));
  tail(kept);
  if (kept != checksum(bytes.substr(0, bytes.size() - 4))) reject("is damaged: its checksum differs");
  return {bytes.substr(header_size, recipe_size), bytes.substr(header_size + recipe_size, state_size)};
}

}  // namespace bellwether
