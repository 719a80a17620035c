#pragma once

#include <cstddef>

/// How binary files store numbers.
namespace bellwether {

struct NumberType {
  char kind = 'f';          // f: floating point, i: signed, u: unsigned, b: boolean, where any byte but 0 means 1
  std::size_t size = 8;     // bytes: 1, 2, 4 or 8; for f 4 or 8; for b 1
  bool big_endian = false;  // only if size > 1

  bool integer() const { return kind != 'f'; }
};

/// Groups of adjacent numbers that begin a fixed distance apart.
struct NumberGroups {
  std::size_t count = 1;
  std::size_t size = 0;         // numbers in a group
  std::size_t from_stride = 0;  // bytes from one group to the next
  std::size_t to_stride = 0;    // the same in doubles
};

/// Converts groups of stored numbers to doubles. Integers beyond 2^53 lose their last digits.
void convert_numbers(NumberType type, const char* from, double* to, NumberGroups groups);

}  // namespace bellwether
