#pragma once

#include <string_view>

#include <hdf5.h>

#include <bellwether/core/support/shared_library.h>

namespace bellwether {

/// The functions and constants of HDF5 that are used, under their own names.
class Hdf5Library {
 public:
  explicit Hdf5Library(std::string_view needed_by);

 private:
  SharedLibrary library_;

 public:
  BELLWETHER_LOADED(H5open);
  BELLWETHER_LOADED(H5get_libversion);
  BELLWETHER_LOADED(H5Eget_auto2);
  BELLWETHER_LOADED(H5Eset_auto2);
  BELLWETHER_LOADED(H5Idec_ref);
  BELLWETHER_LOADED(H5Iget_type);
  BELLWETHER_LOADED(H5Iget_file_id);
  BELLWETHER_LOADED(H5Literate);
  BELLWETHER_LOADED(H5Oopen);
  BELLWETHER_LOADED(H5Fis_hdf5);
  BELLWETHER_LOADED(H5Fopen);
  BELLWETHER_LOADED(H5Fget_filesize);
  BELLWETHER_LOADED(H5Pcreate);
  BELLWETHER_LOADED(H5Pget_mdc_config);
  BELLWETHER_LOADED(H5Pset_mdc_config);
  BELLWETHER_LOADED(H5Pset_elink_cb);
  BELLWETHER_LOADED(H5Pget_layout);
  BELLWETHER_LOADED(H5Pget_chunk);
  BELLWETHER_LOADED(H5Pget_external_count);
  BELLWETHER_LOADED(H5P_CLS_FILE_ACCESS_ID_g);
  BELLWETHER_LOADED(H5P_CLS_LINK_ACCESS_ID_g);
  BELLWETHER_LOADED(H5P_CLS_DATASET_ACCESS_ID_g);
  BELLWETHER_LOADED(H5Dopen2);
  BELLWETHER_LOADED(H5Dget_space);
  BELLWETHER_LOADED(H5Dget_type);
  BELLWETHER_LOADED(H5Dget_create_plist);
  BELLWETHER_LOADED(H5Dget_storage_size);
  BELLWETHER_LOADED(H5Dread);
  BELLWETHER_LOADED(H5Screate_simple);
  BELLWETHER_LOADED(H5Sget_simple_extent_dims);
  BELLWETHER_LOADED(H5Sselect_hyperslab);
  BELLWETHER_LOADED(H5Tequal);
  BELLWETHER_LOADED(H5Tget_class);
  BELLWETHER_LOADED(H5Tget_order);
  BELLWETHER_LOADED(H5Tget_precision);
  BELLWETHER_LOADED(H5Tget_sign);
  BELLWETHER_LOADED(H5Tget_size);
  BELLWETHER_LOADED(H5Tget_super);
  BELLWETHER_LOADED(H5T_IEEE_F32BE_g);
  BELLWETHER_LOADED(H5T_IEEE_F32LE_g);
  BELLWETHER_LOADED(H5T_IEEE_F64BE_g);
  BELLWETHER_LOADED(H5T_IEEE_F64LE_g);
};

/// HDF5, which the first call loads. Throws IoError, which names the file that needs it, when that fails.
const Hdf5Library& hdf5(std::string_view needed_by = {});

}  // namespace bellwether
