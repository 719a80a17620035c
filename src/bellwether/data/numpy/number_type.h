#pragma once

#include <cstddef>

/// Numbers of binary files, as they are stored.
namespace bellwether {

struct NumberType {
  char kind = 'f';          // f: floating point, i: signed, u: unsigned, b: 0 or 1, or another byte that is taken as 1
  std::size_t size = 8;     // bytes: 1, 2, 4 or 8; of floating-point numbers 4 or 8; of truth values 1
  bool big_endian = false;  // only where size > 1

  bool integer() const { return kind != 'f'; }
};

/// Groups of numbers that begin a fixed distance apart: bytes in a file, or doubles.
template <class T>
struct Strided {
  T* first;
  std::size_t stride;
};

/// `groups` groups of `count` numbers side by side, as doubles. Integers beyond 2^53 lose their last digits.
void convert_numbers(NumberType type, Strided<const char> from, Strided<double> to, std::size_t groups,
                     std::size_t count);

}  // namespace bellwether
