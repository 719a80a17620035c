#include <bellwether/data/log_file.h>

#include <filesystem>

#include <bellwether/data/numpy/npz_steps.h>
#include <bellwether/data/text/sparse_text_reader.h>
#include <bellwether/data/text/text_table.h>

namespace bellwether {

bool is_stream(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::file_type type = fs::status(path, failed).type();
  return path == "-" || type == fs::file_type::fifo || type == fs::file_type::character;
}

LogFile::LogFile(std::string path, TableOptions options) : path_(std::move(path)), options_(std::move(options)) {
  if (is_stream(path_)) stream_.emplace(path_, options_);
  if (stream_ ? is_sparse_text(*stream_) : is_sparse_text(path_)) holds_ = Content::sparse_rows;
  else if (!stream_ && bellwether::holds_steps(path_)) holds_ = Content::arrays;
}

std::unique_ptr<StepReader> LogFile::steps(std::optional<std::size_t> dim) {
  if (holds_ == Content::arrays) return open_npz_steps(path_, options_);
  return stream_ ? open_sparse(std::move(*stream_), options_, dim) : open_sparse(path_, options_, dim);
}

std::unique_ptr<TableReader> LogFile::table() {
  return stream_ ? open_text_table(std::move(*stream_), options_) : open_table(path_, options_);
}

}  // namespace bellwether
