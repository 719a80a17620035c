#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <bellwether/core/feature_map.h>
#include <bellwether/data/file_steps.h>
#include <bellwether/data/log/log_columns.h>
#include <bellwether/data/log/log_file.h>
#include <bellwether/data/steps.h>

namespace bellwether {

/// How a log becomes steps.
struct StepFormat {
  LogColumns columns;                     // without state columns: the log holds steps with ready-made features
  std::shared_ptr<const FeatureMap> map;  // null: the state columns are the features
  Layout layout = Layout::dense;          // of the features
  std::size_t dim = 1;                    // number of features
  std::vector<Variable> variables = {};   // with the ranges that the map was made for; empty without a map
  bool keep_states = false;               // blocks have the states that were read for them (StepBlock::states)
  bool stream = false;                    // it cannot be read again, so what comes before a bad row matters
};

/// The steps of one table, which must have the columns of the format. Its rows must be in order
/// (data/order/row_order.h) unless `sorted` says that they have to be sorted.
std::unique_ptr<StepReader> steps_of(std::unique_ptr<TableReader> table, const StepFormat& format,
                                     const TableOptions& options, bool sorted);

/// The steps of one or more logs, one log after another, in blocks. The first blocks of a log are small and each is
/// twice as long as the one before, so that what is learned from little data can be judged as well. Every log begins
/// with a new episode.
///
/// Where the rows of an episode are not together, or not in the order of their time, they are sorted; where somebody
/// else has not found out, the log is read once more for that. A stream is read once: a row out of order is an error.
///
/// With threads, blocks are read ahead: the log of the next block by one thread, and the logs after it by as many as
/// are left. The blocks do not depend on their number, nor do the errors: that of an earlier log comes first.
class LogSteps {
 public:
  /// `first` reads the first file, if somebody had to open it already, and `in_order` says of each file whether its
  /// rows are in order, if that is known. Up to `threads` threads read ahead; a stream is read by the caller. Throws
  /// InvalidArgument when a file does not fit the format, when its first block is due.
  LogSteps(std::vector<LogSource> files, TableOptions options, StepFormat format,
           std::unique_ptr<StepReader> first = nullptr, unsigned threads = 0, std::vector<bool> in_order = {});
  LogSteps(const LogSteps&) = delete;  // its threads know where it is
  LogSteps& operator=(const LogSteps&) = delete;

  /// The next block of steps; null at the end. A stream may return a block without steps when nothing has arrived for
  /// a while.
  const StepBlock* next();

  /// The block that `next` will return, but one that has steps.
  const StepBlock* peek();

  /// Goes back to the beginning. Throws InvalidArgument for a stream, which has none.
  void rewind();

  /// How much of all files has been read, up to the last block; nothing for a stream.
  std::optional<double> fraction() const;

  // All of these, too, are of the blocks that have been returned, however far the threads are.
  std::uint64_t skipped() const;      // bad rows
  std::string first_skipped() const;  // what was wrong with the first
  std::uint64_t without_end() const;  // steps whose next state is not in the data

  /// Rows whose state is beyond the ranges that features were made for, and where the first is.
  std::uint64_t outside() const;
  std::string first_outside() const;

  /// How many files have had a block returned, or have been read to their end.
  std::size_t files_begun() const { return std::min(files_.size(), file_ + (block_ != nullptr ? 1 : 0)); }

  /// Whether rows of some file had to be sorted.
  bool sorted() const;

  /// What has been read of the current file but has not become a step yet, and a reader that continues from there.
  std::string reader_state() const;
  void continue_from(const std::string& reader_state);

 private:
  std::unique_ptr<StepReader> open(std::size_t file);
  void open_ahead();
  void close();

  std::vector<LogSource> files_;
  TableOptions options_;
  StepFormat format_;
  std::unique_ptr<StepReader> first_;  // of the first file, until it is read
  unsigned threads_;
  enum class Order : std::uint8_t { unknown, in_order, to_sort };
  std::vector<Order> orders_;  // of each file; written by the thread that opens it
  std::size_t first_block_ = FileSteps::first_block;
  std::size_t file_ = 0;                                       // the index of the current file
  FileSteps::Block* block_ = nullptr;                          // the last block of it
  bool begun_ = false;                                         // it has had steps
  bool peeked_ = false;                                        // `block_` has yet to be returned
  std::uint64_t skipped_ = 0, without_end_ = 0, outside_ = 0;  // of files that have been read to their end
  std::string first_skipped_, first_outside_;
  std::deque<FileSteps> open_;  // the current file and those that are read ahead
};

}  // namespace bellwether
