#include <filesystem>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/data/file_ending.h>
#include <bellwether/data/hdf5/hdf5_table.h>
#include <bellwether/data/hdf5/table_process.h>
#include <bellwether/data/numpy/numpy_table.h>
#include <bellwether/data/table.h>
#include <bellwether/data/text/text_table.h>

namespace bellwether {

namespace {

/// Says how to convert a file of Parquet or Arrow.
[[noreturn]] void reject_arrow(const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) throw IoError(path + ": there is no such file");
  const bool parquet = path.ends_with("t") || path.ends_with("q");  // .parquet, .pq
  const std::string csv = std::filesystem::path(path).replace_extension(".csv").string();
  throw InvalidArgument(
      fmt::format("{0}: is not read as it is; this makes a CSV file of it: python3 -c \"import pandas; "
                  "pandas.read_{1}('{0}').to_csv('{2}', index=False)\"",
                  path, parquet ? "parquet" : "feather", csv));
}

}  // namespace

std::unique_ptr<TableReader> open_table(const std::string& path, const TableOptions& options) {
  const FileEnding ending = file_ending(path);
  std::error_code no_matter;  // a path that cannot be inspected cannot be opened either, and that gives the message
  if (ending == FileEnding::hdf5 || std::filesystem::is_directory(path, no_matter)) {
    return hdf5_command().empty() ? open_hdf5_table(path, options) : open_hdf5_by(hdf5_command(), path, options);
  }
  if (ending == FileEnding::arrow) reject_arrow(path);
  if (ending == FileEnding::numpy) return open_numpy_table(path, options);
  return open_text_table(Lines(path, options), options);
}

}  // namespace bellwether
