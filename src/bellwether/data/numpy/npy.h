#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include <bellwether/data/numpy/npy_header.h>

/// NumPy's format of arrays, .npy.
namespace bellwether {

/// An array whose rows (elements along the first dimension) are read in order, as numbers of type `double`, in constant
/// memory. All integers of up to 53 bits and all floating-point numbers of 32 and 64 bits keep their value; of larger
/// integers the last digits are lost. Records have the numbers of their fields side by side.
///
/// What can be read: floating point of 4 and 8 bytes, integers and truth values, of either byte order, in C order, and
/// records of these. Everything else (objects, texts, complex numbers, dates, Fortran order) has an `objection`: an
/// archive may hold such arrays beside those that are wanted.
class NpyReader {
 public:
  /// `owner` is what messages call it: "weights.npy", "log.npz: array 'x'". Throws InvalidArgument when the bytes are
  /// no array, IoError when they are damaged or end before it does.
  NpyReader(std::unique_ptr<ByteSource> bytes, std::string owner);

  const NpyHeader& header() const { return header_; }
  const std::string& owner() const { return owner_; }

  std::size_t rank() const { return header_.shape.size(); }

  /// The length of the first dimension; 1 for an array without dimensions.
  std::uint64_t rows() const { return header_.shape.empty() ? 1 : header_.shape[0]; }

  /// Numbers in a row: the product of the other dimensions, times those of a record.
  std::size_t width() const { return row_elements_ * element_width_; }

  /// All numbers are integers.
  bool of_integers() const;

  /// Why no numbers can be read from it, in a line that begins with the owner; empty when they can.
  std::string objection() const;

  /// The next `rows` rows, `rows * width()` numbers. Throws InvalidArgument when there is an objection, IoError
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

/// Writes an array of 8-byte floating-point numbers in C order, as np.load reads it: version 1.0. The product of
/// `shape` is the count of `values`. Whether all went well is in the state of the stream.
void write_npy(std::ostream& out, std::span<const double> values, std::span<const std::size_t> shape);

}  // namespace bellwether
