#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <bellwether/data/arrow/arrow_abi.h>
#include <bellwether/data/arrow/arrow_type.h>

/// Values in the buffers of Arrow arrays, which are read where they are. Positions count from the beginning of the
/// buffers: the offset of the array is part of them.
namespace bellwether::arrow_values {

/// Whether an array is what its type says: its numbers of buffers and children, and their lengths. Returns what is
/// wrong with it; nothing when it can be read. The lengths of buffers are not known to anybody but the producer.
std::string objection_to(const ArrowArray& array, const ArrowType& type);

/// Whether the value is there: bit `at` of the first buffer.
bool valid(const ArrowArray& array, std::int64_t at);

/// A signed or unsigned integer of up to eight bytes; numbers from 2^63 on are negative.
std::int64_t integer(const ArrowArray& array, NumberType type, std::int64_t at);

/// The offsets before and after a list or a text.
struct Extent {
  std::int64_t begin, end;
};
Extent extent(const ArrowArray& array, const ArrowType& type, std::int64_t at);

/// Writes the numbers at `count` positions, each `step` after the one before, to cells that are `stride` apart. Times
/// become seconds. Of a type that is not text.
void numbers(const ArrowArray& array, const ArrowType& type, std::int64_t at, std::int64_t step, std::size_t count,
             double* to, std::size_t stride);

/// A text; it lies in the buffers. Throws InvalidArgument when its place cannot be.
std::string_view text(const ArrowArray& array, const ArrowType& type, std::int64_t at);

/// A number as people write it: an integer with all its digits, a moment as a date and time.
std::string shown(const ArrowArray& array, const ArrowType& type, std::int64_t at);

}  // namespace bellwether::arrow_values
