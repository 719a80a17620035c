#include <bellwether/data/log/log_file.h>

#include <bellwether/data/numpy/npz_steps.h>
#include <bellwether/data/text/sparse_text_reader.h>
#include <bellwether/data/text/text_table.h>

namespace bellwether {

LogFile::LogFile(LogSource source, TableOptions options) : source_(std::move(source)), options_(std::move(options)) {
  if (!source_.is_file()) return;
  const std::string& path = source_.name;
  if (is_stream(path)) stream_.emplace(path, options_);
  if (stream_ ? is_sparse_text(*stream_) : is_sparse_text(path)) holds_ = Content::sparse_rows;
  else if (!stream_ && bellwether::holds_steps(path)) holds_ = Content::arrays;
}

std::unique_ptr<StepReader> LogFile::steps(std::optional<std::size_t> dim) {
  if (holds_ == Content::arrays) return open_npz_steps(source_.name, options_);
  return stream_ ? open_sparse(std::move(*stream_), options_, dim) : open_sparse(source_.name, options_, dim);
}

std::unique_ptr<TableReader> LogFile::table() {
  return stream_ ? open_text_table(std::move(*stream_), options_) : open_log_table(source_, options_);
}

}  // namespace bellwether
