#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <bellwether/data/arrow/arrow_abi.h>

namespace bellwether::testing {

/// An Arrow array and its type, made by hand. Buffers are bytes; one that is not there is null.
struct ArrowNode {
  std::string format, name;
  std::int64_t length = 0;
  std::vector<std::optional<std::string>> buffers = {};
  std::vector<ArrowNode> children = {};
  std::shared_ptr<ArrowNode> dictionary = {};
  std::int64_t offset = 0;
  std::int64_t null_count = 0;

  /// The same with some values missing, given by a bit for each value, from the beginning of the buffers.
  ArrowNode valid(const std::vector<bool>& bits) const;

  /// The rows from `first` on, as a producer slices: without touching buffers and children.
  ArrowNode slice(std::int64_t first, std::int64_t rows) const;
};

/// Numbers as bytes.
template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// An array of numbers of the type that the format says.
template <class T>
ArrowNode arrow_numbers(const std::string& name, const std::string& format, const std::vector<T>& values) {
  return {format, name, static_cast<std::int64_t>(values.size()), {std::nullopt, bytes_of(values)}};
}

/// Bits, the first of which is the lowest.
std::string bits_of(const std::vector<bool>& values);

/// Texts with offsets of 32 bits.
ArrowNode arrow_texts(const std::string& name, const std::vector<std::string>& texts);

/// Rows with these columns.
ArrowNode arrow_rows(const std::vector<ArrowNode>& columns);

/// A stream of batches, whose type is that of the first. After them it fails, where there is an `error`. `released`
/// counts how many of its arrays, schemas and streams have been released.
ArrowArrayStream arrow_stream(const std::vector<ArrowNode>& batches, const std::string& error = "",
                              int* released = nullptr);

}  // namespace bellwether::testing
