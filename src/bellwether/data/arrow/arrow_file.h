#pragma once

#include <memory>
#include <string>

#include <bellwether/data/table.h>

namespace bellwether {

/// Whether a folder is a Minari dataset that is stored as Arrow or Parquet: data/0, data/1, ... hold a file each.
bool is_arrow_dataset(const std::string& folder);

/// Opens the table in a Parquet file, an Arrow IPC file or stream (Feather 2), or the folder of such a Minari dataset,
/// whose rows are as in hdf5/minari.h. Arrow itself reads it, by a module (cli/arrow/module.cpp) that is looked for
/// beside the program and in the folder of its modules, and loaded then; the environment variable BELLWETHER_ARROW
/// names another one. Columns are those of arrow_table.h.
///
/// Throws InvalidArgument when there is no such module, with the line of Python that converts the file, and when the
/// file is not of its format; IoError when it cannot be read.
std::unique_ptr<TableReader> open_arrow_file(const std::string& path, const TableOptions& options = {});

}  // namespace bellwether
