#include <filesystem>

#include <bellwether/data/file_ending.h>
#include <bellwether/data/hdf5/minari.h>
#include <bellwether/data/hdf5/table_process.h>
#include <bellwether/data/numpy/numpy_table.h>
#include <bellwether/data/table.h>
#include <bellwether/data/text/text_table.h>

namespace bellwether {

std::unique_ptr<TableReader> open_table(const std::string& path, const TableOptions& options) {
  const FileEnding ending = file_ending(path);
  std::error_code no_matter;  // a path that cannot be inspected cannot be opened either, and that gives the message
  if (ending == FileEnding::hdf5 || std::filesystem::is_directory(path, no_matter)) {
    return hdf5_command().empty() ? open_minari(path, options) : open_minari_by(hdf5_command(), path, options);
  }
  if (ending == FileEnding::numpy) return open_numpy_table(path, options);
  return open_text_table(Lines(path, options), options);
}

}  // namespace bellwether
