#include <bellwether/data/log/log_steps.h>

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include <bellwether/data/file_ending.h>
#include <bellwether/data/order/checked_table.h>
#include <bellwether/data/order/regrouped_table.h>
#include <bellwether/data/table_steps.h>

namespace bellwether {
namespace {

bool needs_hdf5(const LogSource& source) {
  std::error_code failed;
  return source.is_file() &&
         (file_ending(source.name) == FileEnding::hdf5 || std::filesystem::is_directory(source.name, failed));
}

}  // namespace

std::unique_ptr<StepReader> steps_of(std::unique_ptr<TableReader> table, const StepFormat& format,
                                     const TableOptions& options, bool sorted) {
  check_group(format.columns.state, table->columns(), table->name());
  if (sorted) table = std::make_unique<RegroupedTable>(std::move(table), format.columns, options.sort_memory);
  return std::make_unique<TableSteps>(std::move(table), format.columns, format.map, options.bad_rows, format.variables,
                                      format.keep_states, format.stream);
}

LogSteps::LogSteps(std::vector<LogSource> files, TableOptions options, StepFormat format,
                   std::unique_ptr<StepReader> first, unsigned threads, std::vector<bool> in_order)
    : files_(std::move(files)),
      options_(std::move(options)),
      format_(std::move(format)),
      first_(std::move(first)),
      threads_(std::any_of(files_.begin(), files_.end(), is_stream) ? 0 : threads),
      orders_(files_.size(), Order::unknown) {
  for (std::size_t i = 0; i < in_order.size(); ++i) orders_[i] = in_order[i] ? Order::in_order : Order::to_sort;
  // The HDF5 library is not made for several threads at once.
  if (std::any_of(files_.begin(), files_.end(), needs_hdf5)) threads_ = std::min(threads_, 1U);
}

std::unique_ptr<StepReader> LogSteps::open(std::size_t file) {
  LogFile log(files_[file], options_);
  if (!format_.columns.state.empty()) {
    auto table = log.table();
    const bool tells = OrderColumns(format_.columns).tell();
    if (is_stream(files_[file])) {
      if (tells) table = std::make_unique<CheckedTable>(std::move(table), format_.columns);
      orders_[file] = Order::in_order;
    }
    if (orders_[file] == Order::unknown) {
      const bool in_order = !tells || rows_in_order(*open_log_table(files_[file], options_), format_.columns);
      orders_[file] = in_order ? Order::in_order : Order::to_sort;
    }
    return steps_of(std::move(table), format_, options_, orders_[file] == Order::to_sort);
  }
  if (!log.holds_steps()) {
    throw InvalidArgument(
        fmt::format("{}: is a table, but the model learned from steps with ready-made features", files_[file].name));
  }
  auto reader = log.steps(format_.dim);
  check_features(*reader, format_.layout, format_.dim);
  return reader;
}

/// Opens the current file, and as many after it as threads can read ahead.
void LogSteps::open_ahead() {
  while (open_.size() < std::max(1U, threads_) && file_ + open_.size() < files_.size()) {
    const std::size_t file = file_ + open_.size();
    open_.emplace_back([this, file] { return file == 0 && first_ ? std::move(first_) : open(file); }, first_block_);
  }
}

void LogSteps::close() {
  skipped_ = skipped();
  first_skipped_ = first_skipped();
  without_end_ = without_end();
  outside_ = outside();
  first_outside_ = first_outside();
  block_ = nullptr;
  open_.pop_front();
  ++file_;
  begun_ = false;
}

const StepBlock* LogSteps::next() {
  if (peeked_) {
    peeked_ = false;
    return &block_->steps;
  }
  for (;;) {
    open_ahead();
    if (open_.empty()) return nullptr;
    for (FileSteps& file : open_) {
      if (threads_ > 0) file.read_ahead();
    }
    block_ = &open_.front().next();
    if (!block_->last) break;
    close();
  }
  StepBlock& steps = block_->steps;
  if (file_ > 0 && !begun_ && steps.size() > 0) steps.restart_first();
  begun_ = begun_ || steps.size() > 0;
  return &steps;
}

const StepBlock* LogSteps::peek() {
  const StepBlock* block = next();
  while (block != nullptr && block->size() == 0) block = next();
  peeked_ = block != nullptr;
  return block;
}

void LogSteps::rewind() {
  if (std::any_of(files_.begin(), files_.end(), is_stream)) {
    throw InvalidArgument(
        fmt::format("{}: a stream can be read only once, not in several passes", files_.front().name));
  }
  block_ = nullptr;
  open_.clear();
  first_.reset();
  begun_ = peeked_ = false;
  skipped_ = without_end_ = outside_ = 0;
  file_ = 0;
  first_block_ = FileSteps::largest_block;
}

std::optional<double> LogSteps::fraction() const {
  const std::optional<double> here = block_ != nullptr ? block_->fraction : 0;
  if (!here) return std::nullopt;
  return (static_cast<double>(file_) + *here) / static_cast<double>(files_.size());
}

std::uint64_t LogSteps::skipped() const { return skipped_ + (block_ != nullptr ? block_->skipped : 0); }

std::string LogSteps::first_skipped() const {
  return first_skipped_.empty() && block_ != nullptr ? block_->first_skipped : first_skipped_;
}

std::uint64_t LogSteps::without_end() const { return without_end_ + (block_ != nullptr ? block_->without_end : 0); }

std::uint64_t LogSteps::outside() const { return outside_ + (block_ != nullptr ? block_->outside : 0); }

std::string LogSteps::first_outside() const {
  return first_outside_.empty() && block_ != nullptr ? block_->first_outside : first_outside_;
}

bool LogSteps::sorted() const {
  const auto end = orders_.begin() + static_cast<std::ptrdiff_t>(std::min(file_ + 1, files_.size()));
  return std::find(orders_.begin(), end, Order::to_sort) != end;
}

std::string LogSteps::reader_state() const { return open_.empty() ? "" : open_.front().reader_state(); }

void LogSteps::continue_from(const std::string& reader_state) {
  if (reader_state.empty()) return;
  open_ahead();
  open_.front().continue_from(reader_state);
}

}  // namespace bellwether
