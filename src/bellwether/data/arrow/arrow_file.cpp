#include <bellwether/data/arrow/arrow_file.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/support/shared_library.h>
#include <bellwether/data/arrow/arrow_module.h>
#include <bellwether/data/arrow/arrow_table.h>

namespace bellwether {

namespace {

namespace fs = std::filesystem;

constexpr const char* module_variable = "BELLWETHER_ARROW";

/// Where the module is; empty where it has not been built. It is beside the program, or where it was installed to.
std::vector<std::string> module_files() {
  std::error_code failed;
  std::vector<std::string> found;
  const fs::path here = fs::read_symlink("/proc/self/exe", failed).parent_path();
  for (const fs::path& folder : {here, here / BELLWETHER_MODULE_FOLDER}) {
    if (const fs::path file = folder / "bellwether_arrow.so"; fs::exists(file, failed)) found.push_back(file.string());
  }
  return found;
}

/// Says how to convert a file where Arrow cannot be used.
[[noreturn]] void reject_without_module(const std::string& path) {
  constexpr const char* build = "`make parquet` builds the program with Arrow, which reads it";
  std::error_code failed;
  if (fs::is_directory(path, failed)) {
    throw InvalidArgument(
        fmt::format("{}: is a Minari dataset that is stored as Arrow and is not read as it is: {}; or "
                    "minari.create_dataset_from_buffers(..., data_format='hdf5') stores it as HDF5",
                    path, build));
  }
  const bool parquet = path.ends_with("t") || path.ends_with("q");  // .parquet, .pq
  const std::string csv = fs::path(path).replace_extension(".csv").string();
  throw InvalidArgument(
      fmt::format("{0}: is not read as it is; this makes a CSV file of it: python3 -c \"import pandas; "
                  "pandas.read_{1}('{0}').to_csv('{2}', index=False)\"; or {3}",
                  path, parquet ? "parquet" : "feather", csv, build));
}

bellwether_arrow_opener* opener(const std::string& path) {
  const std::vector<std::string> files = module_files();
  const bool chosen = std::getenv(module_variable) != nullptr;  // NOLINT(concurrency-mt-unsafe): nothing sets variables
  if (files.empty() && !chosen) reject_without_module(path);
  static const SharedLibrary library({"Arrow", "it with `make parquet`", module_variable, files}, path);
  return library.find<bellwether_arrow_opener*>("bellwether_arrow_open");
}

}  // namespace

bool is_arrow_dataset(const std::string& folder) {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(fs::path(folder) / "data", failed)) {
    const std::string name = entry.path().filename().string();
    const bool number = std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (number && entry.is_directory(failed)) return true;
  }
  return false;
}

std::unique_ptr<TableReader> open_arrow_file(const std::string& path, const TableOptions& options) {
  std::error_code failed;
  if (!fs::exists(path, failed)) throw IoError(path + ": cannot open: there is no such file");
  ArrowArrayStream stream{};
  std::uint64_t rows = 0;
  char why[500] = "";
  const int error = opener(path)(path.c_str(), &stream, &rows, why, sizeof why);
  if (error == EINVAL) throw InvalidArgument(fmt::format("{}: {}", path, why));
  if (error != 0) throw IoError(fmt::format("{}: {}", path, why));
  return arrow_table(stream, path, options, rows);
}

}  // namespace bellwether
