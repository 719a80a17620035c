#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <bellwether/data/bytes/byte_source.h>
#include <bellwether/data/numpy/number_type.h>

/// The header of an .npy file: "\x93NUMPY", a version (1.0, 2.0 or 3.0), the length of the text, and a Python
/// dictionary as text,
///
///     {'descr': '<f8', 'fortran_order': False, 'shape': (1000, 4), }
///
/// where `descr` is the type of an element, or a list of (name, type) or (name, type, shape) for records.
namespace bellwether {

/// A field of an element: one or more numbers of one type.
struct NpyField {
  std::string name;  // nested fields: "outer/inner"; empty when elements are not records
  NumberType type;
  std::size_t offset = 0;  // bytes from the beginning of the element
  std::size_t count = 1;   // numbers
  bool scalar = true;      // one number, as opposed to an array of one
};

struct NpyHeader {
  std::string dtype;  // as written
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
  std::size_t element_size = 0;     // bytes
  bool records = false;             // elements have named fields
  std::vector<NpyField> fields;     // the fields of numbers; a single one without a name when elements are not records
  std::vector<std::string> others;  // names of the fields that do not hold numbers
  std::uint64_t bytes = 0;          // of the header

  /// The number of elements. The number of their bytes fits 63 bits.
  std::uint64_t elements() const;

  /// The bytes of the header and of all elements.
  std::uint64_t file_size() const;
};

/// Reads a header; the numbers come next. Messages begin with `owner`. Throws InvalidArgument when there is no header,
/// IoError when it is damaged. An array that does not hold numbers is not an error: it has no fields.
NpyHeader read_npy_header(ByteSource& bytes, const std::string& owner);

}  // namespace bellwether
