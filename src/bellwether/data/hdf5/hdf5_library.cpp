#include <bellwether/data/hdf5/hdf5_library.h>

#include <fmt/format.h>

namespace bellwether {

Hdf5Library::Hdf5Library(std::string_view needed_by)
    : library_({"HDF5", "libhdf5-dev", "BELLWETHER_HDF5", {HDF5_SHARED_NAME, HDF5_SHARED_FILE}}, needed_by) {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  // Other versions have other types under the same names.
  if (major != H5_VERS_MAJOR || minor != H5_VERS_MINOR) {
    library_.reject(fmt::format("it is version {}.{}, not {}.{}", major, minor, H5_VERS_MAJOR, H5_VERS_MINOR));
  }
  H5open();
}

const Hdf5Library& hdf5(std::string_view needed_by) {
  static const Hdf5Library library(needed_by);
  return library;
}

}  // namespace bellwether
