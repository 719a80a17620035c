#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bellwether::testing {

/// Writes HDF5 files for tests of their readers. Creates the groups on the path of an array.
class Hdf5Writer {
 public:
  explicit Hdf5Writer(const std::string& path);
  ~Hdf5Writer();
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  void group(const std::string& path);
  void numbers(const std::string& path, const std::vector<std::uint64_t>& shape, const std::vector<double>& values);
  void texts(const std::string& path, std::uint64_t count);

  /// What readers must not follow: a name for an object of the same file, a link to one of another file, an array whose
  /// numbers are in another file, and one that says it has so many numbers and stores none.
  void link(const std::string& path, const std::string& target);
  void external_link(const std::string& path, const std::string& file, const std::string& target);
  void virtual_numbers(const std::string& path, std::uint64_t count, const std::string& file,
                       const std::string& target);
  void declared_numbers(const std::string& path, std::uint64_t count);

  /// An episode in Minari's layout: rewards 0, 1, ..., n-1, and observations 0, 1, ... in rows of `width` numbers.
  void episode(int number, std::uint64_t n, std::uint64_t width);

 private:
  std::int64_t file_;
  std::int64_t links_;
};

}  // namespace bellwether::testing
