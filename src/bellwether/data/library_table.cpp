#include <bellwether/data/library_table.h>

#include <filesystem>

#include <bellwether/data/arrow/arrow_file.h>
#include <bellwether/data/file_ending.h>
#include <bellwether/data/hdf5/hdf5_table.h>

namespace bellwether {

namespace {

bool is_folder(const std::string& path) {
  std::error_code no_matter;  // a path that cannot be inspected cannot be opened either, and that gives the message
  return std::filesystem::is_directory(path, no_matter);
}

bool needs_arrow(const std::string& path) {
  return is_folder(path) ? is_arrow_dataset(path) : file_ending(path) == FileEnding::arrow;
}

}  // namespace

bool needs_library(const std::string& path) {
  return is_folder(path) || file_ending(path) == FileEnding::hdf5 || file_ending(path) == FileEnding::arrow;
}

std::string library_of(const std::string& path) { return needs_arrow(path) ? "Arrow" : "HDF5"; }

std::unique_ptr<TableReader> open_library_table(const std::string& path, const TableOptions& options) {
  return needs_arrow(path) ? open_arrow_file(path, options) : open_hdf5_table(path, options);
}

}  // namespace bellwether
