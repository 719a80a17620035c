// Minari datasets, read within this process. Faults inside the HDF5 library, which is not ours, are told apart by
// scripts/fuzz: the program reads such files in another process.
#include <bellwether/data/hdf5/hdf5_table.h>

#include "fuzz/inputs.h"
#include "fuzz/target.h"

namespace bellwether::fuzz {

const Registered hdf5_target({.name = "hdf5", .run = [](const std::string& bytes) {
                                read_rows(*open_hdf5_table(as_file(bytes, ".hdf5"), options_for(bytes)));
                              }});

}  // namespace bellwether::fuzz
