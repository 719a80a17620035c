// What reads Parquet and Arrow files: a module that the library loads for the first of them (data/arrow/arrow_file.h).
#include <cerrno>
#include <cstdio>
#include <exception>
#include <string>

#include <arrow/api.h>
#include <arrow/c/bridge.h>
#include <arrow/util/io_util.h>

#include <bellwether/data/arrow/arrow_module.h>

#include "batches.h"

namespace {

using bellwether::arrow_module::Opened;

int number_of(const arrow::Status& status) {
  if (status.IsOutOfMemory()) return ENOMEM;
  return status.IsIOError() && arrow::internal::ErrnoFromStatus(status) != 0 ? EIO : EINVAL;
}

arrow::Status open(const char* path, ArrowArrayStream* stream, std::uint64_t* rows) {
  ARROW_ASSIGN_OR_RAISE(Opened opened, bellwether::arrow_module::open_batches(path));
  *rows = opened.rows;
  return arrow::ExportRecordBatchReader(std::move(opened.batches), stream);
}

}  // namespace

extern "C" int bellwether_arrow_open(const char* path, ArrowArrayStream* stream, std::uint64_t* rows, char* why,
                                     std::size_t size) {
  int error = EINVAL;
  std::string message;
  try {
    const arrow::Status status = open(path, stream, rows);
    if (status.ok()) return 0;
    error = number_of(status);
    message = status.message();
  } catch (const std::exception& exception) {
    message = exception.what();
  }
  std::snprintf(why, size, "%s", message.c_str());
  return error;
}
