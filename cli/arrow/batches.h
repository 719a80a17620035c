#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <arrow/api.h>

/// Files of Arrow as streams of record batches. Batches are checked before they are handed on: their lengths, their
/// offsets, and whether texts are UTF-8.
namespace bellwether::arrow_module {

struct Opened {
  std::shared_ptr<arrow::RecordBatchReader> batches;
  std::uint64_t rows = 0;  // 0 when it is not known
};

/// A Parquet file, an Arrow IPC file or stream, or the folder of a Minari dataset; the first bytes of a file tell
/// which.
arrow::Result<Opened> open_batches(const std::string& path);

/// A file, one row group or batch after another.
arrow::Result<Opened> open_file(const std::string& path);

/// A Minari dataset that is stored as Arrow or Parquet: a folder data/0, data/1, ... for each episode, with a file
/// whose last row is padded where there is an observation only. Such cells become missing, and a column `episode` is
/// added. An episode is held in memory at a time.
arrow::Result<Opened> open_dataset(const std::string& folder);

}  // namespace bellwether::arrow_module
