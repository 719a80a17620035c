#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <bellwether/data/numpy/number_type.h>

/// The part of HDF5 that readers of datasets need: groups with members, and arrays of numbers in them. The HDF5 library
/// must not be used by several threads at once.
namespace bellwether {

/// While it lives, HDF5 prints no messages of its own; failures are exceptions.
class Hdf5Silence {
 public:
  Hdf5Silence();
  ~Hdf5Silence();
  Hdf5Silence(const Hdf5Silence&) = delete;
  Hdf5Silence& operator=(const Hdf5Silence&) = delete;

 private:
  int (*report_)(std::int64_t, void*) = nullptr;
  void* data_ = nullptr;
};

/// An open file, group or array, or none.
class Hdf5Object {
 public:
  Hdf5Object() = default;
  explicit Hdf5Object(std::int64_t id) : id_(id) {}
  Hdf5Object(Hdf5Object&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Hdf5Object& operator=(Hdf5Object&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Hdf5Object();

  std::int64_t id() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }
  bool is_group() const;
  bool is_array() const;

  /// The names of the members of a group or file, in alphabetical order.
  std::vector<std::string> members() const;

  /// The object with this name or path in a group or file; none when it does not exist or cannot be opened. Throws
  /// InvalidArgument when a link leads to another file.
  Hdf5Object open(const std::string& name) const;

  /// The same for arrays, and faster.
  Hdf5Object open_array(const std::string& name) const;

 private:
  std::int64_t id_ = -1;
};

/// Throws IoError when the file cannot be read or is damaged, InvalidArgument when it is empty or something else.
Hdf5Object open_hdf5(const std::string& path);

/// An array whose rows are elements along the first dimension.
class Hdf5Array {
 public:
  /// `label` is the name used in messages: file and path. Throws IoError when the array cannot be opened or says that
  /// it has more numbers than there can be, InvalidArgument when its numbers are in other files.
  Hdf5Array(Hdf5Object array, std::string label);

  const std::string& label() const { return label_; }
  bool of_numbers() const { return type_.has_value(); }  // integers, float32, float64, booleans
  std::size_t rank() const { return rank_; }
  std::uint64_t rows() const { return rows_; }    // 1 when the rank is 0
  std::uint64_t width() const { return width_; }  // numbers in a row

  /// Reads rows first .. first+count-1 as doubles: `count * width()` numbers. Throws IoError.
  void read(std::uint64_t first, std::size_t count, double* to);

 private:
  Hdf5Object array_;
  std::string label_;
  Hdf5Object file_type_, space_;
  std::optional<NumberType> type_;
  std::vector<char> bytes_;  // as read
  std::size_t rank_ = 0;
  std::uint64_t rows_ = 1;
  std::uint64_t width_ = 1;
};

}  // namespace bellwether
