#include <bellwether/model/model_file.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <utility>

#include <zlib.h>

#include <fmt/format.h>

#include <bellwether/core/files/files.h>
#include <bellwether/core/state.h>
#include <bellwether/core/support/memory.h>

namespace bellwether {
namespace {

constexpr std::string_view magic = "bellwether model";
constexpr std::uint32_t byte_order = 0x01020304;
constexpr std::uint32_t other_byte_order = 0x04030201;
constexpr std::size_t header_size = magic.size() + 4 + 4 + 8 + 8 + 8;
constexpr std::size_t word = 8;  // bytes

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));  // NOLINT: zlib's idea of a byte
}

/// Where the bytes at place k of each word begin, when bytes are ordered by their place in a word.
std::size_t plane_begin(std::size_t size, std::size_t k) { return k * (size / word) + std::min(k, size % word); }

std::string by_word(const std::string& ordered) {
  std::string bytes(ordered.size(), '\0');
  for (std::size_t k = 0; k < word; ++k) {
    std::size_t from = plane_begin(ordered.size(), k);
    for (std::size_t i = k; i < bytes.size(); i += word) bytes[i] = ordered[from++];
  }
  return bytes;
}

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): zlib's idea of a byte
/// Appends the bytes, ordered by their place in a word and compressed. A state may fill half of the memory, so neither
/// step makes a copy of it.
void append_compressed(std::string_view bytes, std::string& out) {
  constexpr int level = 4;  // more takes several times as long for little
  constexpr std::size_t chunk = 1 << 16;
  z_stream stream{};
  bool done = deflateInit(&stream, level) == Z_OK;
  const std::unique_ptr<z_stream, int (*)(z_stream*)> freed(&stream, deflateEnd);
  std::string ordered, stored(chunk, '\0');
  const auto deflate_ordered = [&](int flush) {
    stream.next_in = reinterpret_cast<Bytef*>(ordered.data());
    stream.avail_in = static_cast<uInt>(ordered.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(stored.data());
      stream.avail_out = static_cast<uInt>(stored.size());
      done = done && deflate(&stream, flush) != Z_STREAM_ERROR;
      out.append(stored, 0, stored.size() - stream.avail_out);
    } while (done && stream.avail_out == 0);
    ordered.clear();
  };
  for (std::size_t k = 0; k < word && done; ++k) {
    for (std::size_t i = k; i < bytes.size(); i += word) {
      ordered.push_back(bytes[i]);
      if (ordered.size() == chunk) deflate_ordered(Z_NO_FLUSH);
    }
  }
  deflate_ordered(Z_FINISH);
  if (!done) throw IoError("a model could not be compressed: there is not enough memory");
}

/// Nothing when the bytes are not a compressed state of this size.
std::optional<std::string> decompressed(std::string_view stored, std::uint64_t size, std::string_view name) {
  constexpr std::uint64_t most = 1100;  // zlib stores a byte for at most 1032 bytes, and a few for the rest
  if (size / most > stored.size()) return std::nullopt;
  require_memory(2.0 * static_cast<double>(size), fmt::format("the state of {}", name), "take a machine with more");
  std::string ordered(size, '\0');
  uLongf found = size;
  if (uncompress(reinterpret_cast<Bytef*>(ordered.data()), &found, reinterpret_cast<const Bytef*>(stored.data()),
                 stored.size()) != Z_OK ||
      found != size) {
    return std::nullopt;
  }
  return by_word(ordered);
}
// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)

}  // namespace

std::string model_file(std::string_view recipe, std::string_view state) {
  const auto head = [&](std::uint64_t stored) {
    StateWriter out;
    out(model_format, byte_order, std::uint64_t{recipe.size()}, std::uint64_t{state.size()}, stored);
    return out.take();
  };
  std::string all(magic);
  all.append(head(0)).append(recipe);
  const std::size_t before = all.size();
  append_compressed(state, all);
  all.replace(magic.size(), header_size - magic.size(), head(all.size() - before));
  StateWriter tail;
  tail(checksum(all));
  return all.append(tail.bytes());
}

ModelParts parse_model_file(std::string_view bytes, std::string_view name) {
  const auto reject = [name](const std::string& why) { throw InvalidArgument(fmt::format("{}: {}", name, why)); };
  if (!bytes.starts_with(magic)) reject(bytes.empty() ? "is empty, not a model" : "is not a model of Bellwether");
  if (bytes.size() < header_size) reject(fmt::format("is cut short: {} bytes are not a model", bytes.size()));
  std::uint32_t format = 0, order = 0;
  std::uint64_t recipe_size = 0, state_size = 0, stored_size = 0;
  StateReader head(bytes.substr(magic.size(), header_size - magic.size()));
  head(format, order, recipe_size, state_size, stored_size);
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
  const bool fits = recipe_size <= rest && stored_size <= rest && recipe_size + stored_size + 4 <= rest;
  if (!fits) reject(fmt::format("is cut short: it has {} bytes, its header says there are more", bytes.size()));
  if (recipe_size + stored_size + 4 != rest) reject("is damaged: there is something after its end");
  std::uint32_t kept = 0;
  StateReader tail(bytes.substr(bytes.size() - 4));
  tail(kept);
  if (kept != checksum(bytes.substr(0, bytes.size() - 4))) reject("is damaged: its checksum differs");
  auto state = decompressed(bytes.substr(header_size + recipe_size, stored_size), state_size, name);
  if (!state) reject("is damaged: its state cannot be decompressed");
  return {bytes.substr(header_size, recipe_size), std::move(*state)};
}

std::string read_model_file(const std::string& path) { return read_file(path, magic); }

bool begins_as_model(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return false;
  std::string beginning(magic.size(), '\0');
  std::ifstream(path, std::ios::binary).read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  return beginning == magic;
}

void reject_replacing_what_is_no_model(std::string_view who, const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed) || std::filesystem::file_size(path, failed) == 0) return;
  if (begins_as_model(path)) return;
  throw InvalidArgument(fmt::format(
      "{}: {} is not a model of Bellwether and would be overwritten; remove it, or take another name", who, path));
}

}  // namespace bellwether
