#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <bellwether/data/numpy/npy.h>

struct zip;

namespace bellwether {

/// The arrays of an .npz file, as np.savez, np.savez_compressed and scipy.sparse.save_npz write them: a zip archive of
/// .npy files, which libzip reads. Members may be stored or deflated and of any size (zip64). Each array is a stream of
/// its own, decompressed while it is read, so that arrays can be read side by side and memory does not grow with the
/// file.
///
/// A damaged file is an IoError: at once when the list of members and the headers of the members disagree, or when the
/// header of an array does not fit its size; otherwise with the last row of the array, when the checksum is compared.
class NpzArchive {
 public:
  /// Throws IoError when the file cannot be read or is damaged, InvalidArgument when it is not a zip archive.
  explicit NpzArchive(const std::string& path);

  const std::string& name() const { return name_; }

  /// The names of the arrays, in the order of the file. Members that are not arrays are left out.
  const std::vector<std::string>& arrays() const { return arrays_; }
  bool has(const std::string& array) const;

  /// A reader at the first row of an array, which may outlive the archive. Messages call it "log.npz: array 'x'".
  /// Throws InvalidArgument when there is no such array or it is encrypted or compressed by another method, IoError
  /// when it is damaged.
  NpyReader open(const std::string& array) const;

 private:
  std::string name_;
  std::shared_ptr<zip> zip_;
  std::vector<std::string> arrays_;
  std::vector<std::uint64_t> members_;  // of each array: its index in the archive
};

}  // namespace bellwether
