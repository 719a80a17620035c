#include <bellwether/data/log_source.h>

#include <filesystem>

namespace bellwether {

bool is_stream(const LogSource& source) {
  namespace fs = std::filesystem;
  if (!source.is_file()) return source.once;
  std::error_code failed;
  const fs::file_type type = fs::status(source.name, failed).type();
  return source.name == "-" || type == fs::file_type::fifo || type == fs::file_type::character;
}

std::unique_ptr<TableReader> open_log_table(const LogSource& source, const TableOptions& options) {
  return source.is_file() ? open_table(source.name, options) : source.open(options);
}

}  // namespace bellwether
