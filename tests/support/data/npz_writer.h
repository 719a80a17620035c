#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bellwether::testing {

/// An array as the bytes of an .npy file: numbers of the type `dtype`, such as "<f8", as bytes.
std::string npy_bytes(const std::string& dtype, const std::string& shape, const std::string& bytes, int version = 1,
                      bool fortran_order = false);

/// Numbers as an .npy file of doubles, one-dimensional or with `width` columns.
std::string npy_of(const std::vector<double>& numbers, std::size_t width = 0);

/// Numbers as an .npy file of 64-bit integers.
std::string npy_of_integers(const std::vector<std::int64_t>& numbers);

enum class ZipKind : std::uint8_t { stored, deflated, stored_zip64 };

/// Writes zip archives, independently of the library that reads them.
class ZipWriter {
 public:
  explicit ZipWriter(ZipKind kind = ZipKind::stored) : kind_(kind) {}

  ZipWriter& add(const std::string& name, const std::string& bytes);
  ZipWriter& array(const std::string& name, const std::vector<double>& numbers, std::size_t width = 0) {
    return add(name + ".npy", npy_of(numbers, width));
  }
  ZipWriter& integers(const std::string& name, const std::vector<std::int64_t>& numbers) {
    return add(name + ".npy", npy_of_integers(numbers));
  }

  /// The archive, with a comment at its end.
  std::string bytes(const std::string& comment = "") const;

 private:
  ZipKind kind_;
  std::string members_, directory_;
  std::uint64_t count_ = 0;
};

}  // namespace bellwether::testing
