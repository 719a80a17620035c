#include <bellwether/data/log_steps.h>

#include <algorithm>

#include <fmt/format.h>

#include <bellwether/core/state.h>
#include <bellwether/data/table_steps.h>

namespace bellwether {

std::unique_ptr<StepReader> steps_of(std::unique_ptr<TableReader> table, const StepFormat& format) {
  check_group(format.columns.state, table->columns(), table->name());
  return std::make_unique<TableSteps>(std::move(table), format.columns, format.map);
}

LogSteps::LogSteps(std::vector<std::string> files, TableOptions options, StepFormat format,
                   std::unique_ptr<StepReader> first)
    : files_(std::move(files)), options_(std::move(options)), format_(std::move(format)), reader_(std::move(first)) {}

void LogSteps::open(std::size_t file) {
  LogFile log(files_[file], options_);
  if (!format_.columns.state.empty()) {
    reader_ = steps_of(log.table(), format_);
  } else if (log.holds_steps()) {
    reader_ = log.steps(format_.dim);
    check_features(*reader_, format_.layout, format_.dim);
  } else {
    throw InvalidArgument(
        fmt::format("{}: is a table, but the model learned from steps with ready-made features", files_[file]));
  }
  file_ = file;
  begun_ = false;
}

void LogSteps::close() {
  skipped_ = skipped();
  first_skipped_ = first_skipped();
  without_end_ = without_end();
  reader_.reset();
}

const StepBlock* LogSteps::next() {
  if (peeked_) {
    peeked_ = false;
    return &steps_;
  }
  if (!reader_ && file_ == 0) open(0);
  while (reader_) {
    if (reader_->read(steps_, block_)) {
      if (steps_.size() > 0) {
        block_ = std::min(2 * block_, largest_block);
        if (file_ > 0 && !begun_) steps_.restart_first();
        begun_ = true;
      }
      return &steps_;
    }
    close();
    ++file_;
    if (file_ < files_.size()) open(file_);
  }
  return nullptr;
}

const StepBlock* LogSteps::peek() {
  const StepBlock* block = next();
  while (block != nullptr && block->size() == 0) block = next();
  peeked_ = block != nullptr;
  return block;
}

void LogSteps::rewind() {
  if (std::any_of(files_.begin(), files_.end(), is_stream)) {
    throw InvalidArgument(fmt::format("{}: a stream can be read only once, not in several passes", files_.front()));
  }
  reader_.reset();
  peeked_ = false;
  skipped_ = without_end_ = 0;
  file_ = 0;
  block_ = largest_block;
}

std::optional<double> LogSteps::fraction() const {
  if (!reader_) return static_cast<double>(file_) / static_cast<double>(files_.size());
  const auto here = reader_->fraction();
  if (!here) return std::nullopt;
  return (static_cast<double>(file_) + *here) / static_cast<double>(files_.size());
}

std::uint64_t LogSteps::skipped() const { return skipped_ + (reader_ ? reader_->skipped() : 0); }

std::string LogSteps::first_skipped() const {
  return first_skipped_.empty() && reader_ ? reader_->first_skipped() : first_skipped_;
}

std::uint64_t LogSteps::without_end() const { return without_end_ + (reader_ ? reader_->without_end() : 0); }

std::string LogSteps::reader_state() const {
  StateWriter out;
  if (reader_) reader_->save(out);
  return out.take();
}

void LogSteps::continue_from(const std::string& reader_state) {
  if (reader_state.empty()) return;
  if (!reader_) open(0);
  StateReader in(reader_state);
  reader_->load(in);
}

}  // namespace bellwether
