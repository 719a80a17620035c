#pragma once

#include <memory>
#include <string>

#include <bellwether/data/table.h>

namespace bellwether {

/// Whether a file, or the folder of a Minari dataset, is read by a foreign library: HDF5 or Arrow.
bool needs_library(const std::string& path);

/// "HDF5" or "Arrow", for a path that needs one.
std::string library_of(const std::string& path);

/// Opens the table in such a file within the process (hdf5/hdf5_table.h, arrow/arrow_file.h).
std::unique_ptr<TableReader> open_library_table(const std::string& path, const TableOptions& options = {});

}  // namespace bellwether
