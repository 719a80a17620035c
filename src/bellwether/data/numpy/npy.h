#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include <bellwether/data/numpy/npy_header.h>

/// NumPy's array format, .npy.
namespace bellwether {

/// An array whose rows (elements along the first dimension) are read in order, as doubles, in constant memory. Integers
/// of up to 53 bits and floating-point numbers of 32 and 64 bits keep their value; larger integers lose their last
/// digits. A record is read as the numbers of its fields, side by side.
///
/// It reads floating-point numbers of 4 and 8 bytes, integers and booleans, in either byte order, in C order, and
/// records of these. Anything else (objects, strings, complex numbers, dates, Fortran order) has an `objection`, since
/// an archive may hold such arrays beside the wanted ones.
class NpyReader {
 public:
  /// `owner` is the name used in messages: "weights.npy", "log.npz: array 'x'". Throws InvalidArgument when the bytes
  /// are not an array, IoError when they are damaged or end before the array does.
  NpyReader(std::unique_ptr<ByteSource> bytes, std::string owner);

  const NpyHeader& header() const { return header_; }
  const std::string& owner() const { return owner_; }

  std::size_t rank() const { return header_.shape.size(); }

  /// The length of the first dimension; 1 for an array without dimensions.
  std::uint64_t rows() const { return header_.shape.empty() ? 1 : header_.shape[0]; }

  /// Numbers in a row: the product of the other dimensions, times the numbers of a record.
  std::size_t width() const { return row_elements_ * element_width_; }

  /// Whether all numbers are integers.
  bool of_integers() const;

  /// Why its numbers cannot be read, in a line that begins with the owner; empty when they can.
  std::string objection() const;

  /// Reads the next `rows` rows: `rows * width()` numbers. Throws InvalidArgument when there is an objection, IoError
  /// when the bytes turn out to be damaged or fewer than the header says.
  void read(std::size_t rows, double* to);

 private:
  void convert(const char* elements, std::size_t count, double* to) const;

  std::unique_ptr<ByteSource> bytes_;
  std::string owner_;
  NpyHeader header_;
  std::size_t row_elements_ = 1;
  std::size_t element_width_ = 0;
  std::vector<char> buffer_;
};

/// Writes an array of doubles in C order, which np.load reads (version 1.0). The product of `shape` is the number of
/// `values`. The state of the stream tells whether writing succeeded.
void write_npy(std::ostream& out, std::span<const double> values, std::span<const std::size_t> shape);

}  // namespace bellwether
