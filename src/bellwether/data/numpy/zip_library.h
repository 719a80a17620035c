#pragma once

#include <string_view>

#include <zip.h>

#include <bellwether/core/support/shared_library.h>

namespace bellwether {

/// The functions of libzip that are used, under their own names.
class ZipLibrary {
 public:
  explicit ZipLibrary(std::string_view needed_by);

 private:
  SharedLibrary library_;

 public:
  BELLWETHER_LOADED(zip_open);
  BELLWETHER_LOADED(zip_discard);
  BELLWETHER_LOADED(zip_strerror);
  BELLWETHER_LOADED(zip_get_num_entries);
  BELLWETHER_LOADED(zip_get_name);
  BELLWETHER_LOADED(zip_stat_index);
  BELLWETHER_LOADED(zip_fopen_index);
  BELLWETHER_LOADED(zip_fread);
  BELLWETHER_LOADED(zip_fclose);
  BELLWETHER_LOADED(zip_file_strerror);
  BELLWETHER_LOADED(zip_error_init_with_code);
  BELLWETHER_LOADED(zip_error_strerror);
  BELLWETHER_LOADED(zip_error_fini);
};

/// libzip, which the first call loads. Throws IoError, which names the file that needs it, when that fails.
const ZipLibrary& libzip(std::string_view needed_by = {});

}  // namespace bellwether
