#pragma once

#include <optional>
#include <string>
#include <vector>

#include <bellwether/data/bytes/zip.h>
#include <bellwether/data/numpy/npy.h>

namespace bellwether {

/// The arrays of an .npz file, as np.savez, np.savez_compressed and scipy.sparse.save_npz write them: a zip archive of
/// .npy files. Each array is a stream of its own, so that arrays can be read side by side while memory stays the same
/// whatever the size of the file.
class NpzArchive {
 public:
  /// Throws IoError when the file can not be read or is damaged, InvalidArgument when it is something else.
  explicit NpzArchive(const std::string& path);

  const std::string& name() const { return zip_.name(); }

  /// The names of the arrays, in the order of the file. Members that are no arrays are left out.
  const std::vector<std::string>& arrays() const { return arrays_; }
  bool has(const std::string& array) const;

  /// A reader at the first row of an array. Messages call it "log.npz: array 'x'". Throws InvalidArgument when there is
  /// no such array, IoError when it is damaged.
  NpyReader open(const std::string& array) const;

 private:
  ZipArchive zip_;
  std::vector<std::string> arrays_;
};

}  // namespace bellwether
