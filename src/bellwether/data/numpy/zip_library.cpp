#include <bellwether/data/numpy/zip_library.h>

namespace bellwether {

ZipLibrary::ZipLibrary(std::string_view needed_by)
    : library_({"libzip", "libzip-dev", "BELLWETHER_LIBZIP", {LIBZIP_SHARED_NAME, LIBZIP_SHARED_FILE}}, needed_by) {}

const ZipLibrary& libzip(std::string_view needed_by) {
  static const ZipLibrary library(needed_by);
  return library;
}

}  // namespace bellwether
