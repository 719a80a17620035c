#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <bellwether/data/bytes/byte_source.h>
#include <bellwether/data/numpy/number_type.h>

/// What stands before the numbers of an .npy file: "\x93NUMPY", a version (1.0, 2.0 or 3.0), the length of the text,
/// and a Python dictionary as text,
///
///     {'descr': '<f8', 'fortran_order': False, 'shape': (1000, 4), }
///
/// where `descr` is the type of an element, or a list of (name, type) or (name, type, shape) for records.
namespace bellwether {

/// Numbers that lie side by side in an element.
struct NpyField {
  std::string name;  // what is inside of something else: "outer/inner"; empty for arrays that hold no records
  NumberType type;
  std::size_t offset = 0;  // bytes from the beginning of the element
  std::size_t count = 1;   // numbers
  bool scalar = true;      // one number, and not an array of one
};

struct NpyHeader {
  std::string dtype;  // as it is written
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
  std::size_t element_size = 0;     // bytes
  bool records = false;             // elements have fields with names
  std::vector<NpyField> fields;     // those of numbers; one without a name when there are no records
  std::vector<std::string> others;  // fields of records that hold something else
  std::uint64_t bytes = 0;          // that the header takes

  /// Elements of the array. Their bytes can be counted in 64 bits.
  std::uint64_t elements() const;

  /// Bytes of the header and all elements together.
  std::uint64_t file_size() const;
};

/// Reads a header, so that the numbers come next. Throws InvalidArgument, its message beginning with `owner`, when
/// there is none, IoError when it is damaged. An array of something else than numbers is no error: it has no fields.
NpyHeader read_npy_header(ByteSource& bytes, const std::string& owner);

}  // namespace bellwether
