#include <bellwether/data/file_ending.h>
#include <bellwether/data/library_table.h>
#include <bellwether/data/numpy/numpy_table.h>
#include <bellwether/data/process/table_process.h>
#include <bellwether/data/table.h>
#include <bellwether/data/text/text_table.h>

namespace bellwether {

std::unique_ptr<TableReader> open_table(const std::string& path, const TableOptions& options) {
  if (needs_library(path)) {
    const std::vector<std::string>& command = apart_command();
    return command.empty() ? open_library_table(path, options) : open_table_apart(command, path, options);
  }
  if (file_ending(path) == FileEnding::numpy) return open_numpy_table(path, options);
  return open_text_table(Lines(path, options), options);
}

}  // namespace bellwether
