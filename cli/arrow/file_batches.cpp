#include <algorithm>
#include <cstring>
#include <exception>
#include <functional>
#include <utility>

#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <parquet/arrow/reader.h>
#include <parquet/file_reader.h>
#include <parquet/properties.h>

#include "batches.h"

namespace bellwether::arrow_module {

namespace {

using Batch = std::shared_ptr<arrow::RecordBatch>;
using File = std::shared_ptr<arrow::io::ReadableFile>;

/// Batches that a function gives; null after the last one.
class CheckedBatches final : public arrow::RecordBatchReader {
 public:
  CheckedBatches(std::shared_ptr<arrow::Schema> schema, std::function<arrow::Result<Batch>()> next)
      : schema_(std::move(schema)), next_(std::move(next)) {}

  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  arrow::Status ReadNext(Batch* batch) override {
    try {
      ARROW_ASSIGN_OR_RAISE(*batch, next_());
      return *batch == nullptr ? arrow::Status::OK() : (*batch)->ValidateFull();
    } catch (const std::exception& error) {
      return arrow::Status::IOError(error.what());
    }
  }

 private:
  std::shared_ptr<arrow::Schema> schema_;
  std::function<arrow::Result<Batch>()> next_;
};

arrow::Result<Opened> open_parquet(const File& file) {
  auto* const pool = arrow::system_memory_pool();
  parquet::ArrowReaderProperties properties(false);  // one thread
  properties.set_pre_buffer(false);
  parquet::arrow::FileReaderBuilder builder;
  ARROW_RETURN_NOT_OK(builder.Open(file));
  std::unique_ptr<parquet::arrow::FileReader> made;
  ARROW_RETURN_NOT_OK(builder.memory_pool(pool)->properties(properties)->Build(&made));
  std::shared_ptr<parquet::arrow::FileReader> reader(std::move(made));
  const std::int64_t rows = reader->parquet_reader()->metadata()->num_rows();
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::RecordBatchReader> batches, reader->GetRecordBatchReader());
  auto next = [reader, batches]() -> arrow::Result<Batch> { return batches->Next(); };
  return Opened{std::make_shared<CheckedBatches>(batches->schema(), std::move(next)),
                static_cast<std::uint64_t>(std::max<std::int64_t>(rows, 0))};
}

arrow::ipc::IpcReadOptions ipc_options() {
  arrow::ipc::IpcReadOptions options = arrow::ipc::IpcReadOptions::Defaults();
  options.memory_pool = arrow::system_memory_pool();
  options.use_threads = false;
  return options;
}

arrow::Result<Opened> open_ipc_file(const File& file) {
  ARROW_ASSIGN_OR_RAISE(auto reader, arrow::ipc::RecordBatchFileReader::Open(file, ipc_options()));
  ARROW_ASSIGN_OR_RAISE(const std::int64_t rows, reader->CountRows());
  auto next = [reader, i = 0]() mutable -> arrow::Result<Batch> {
    if (i == reader->num_record_batches()) return Batch();
    return reader->ReadRecordBatch(i++);
  };
  return Opened{std::make_shared<CheckedBatches>(reader->schema(), std::move(next)),
                static_cast<std::uint64_t>(std::max<std::int64_t>(rows, 0))};
}

arrow::Result<Opened> open_ipc_stream(const File& file) {
  ARROW_RETURN_NOT_OK(file->Seek(0));
  ARROW_ASSIGN_OR_RAISE(auto reader, arrow::ipc::RecordBatchStreamReader::Open(file, ipc_options()));
  auto next = [reader]() -> arrow::Result<Batch> { return reader->Next(); };
  return Opened{std::make_shared<CheckedBatches>(reader->schema(), std::move(next))};
}

}  // namespace

arrow::Result<Opened> open_file(const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const File file, arrow::io::ReadableFile::Open(path, arrow::system_memory_pool()));
  char mark[8] = {};
  ARROW_ASSIGN_OR_RAISE(const std::int64_t size, file->ReadAt(0, sizeof mark, mark));
  const auto begins_with = [&](const char* text) {
    const std::size_t length = std::strlen(text);
    return static_cast<std::size_t>(size) >= length && std::memcmp(mark, text, length) == 0;
  };
  if (begins_with("PAR1")) return open_parquet(file);
  if (begins_with("ARROW1")) return open_ipc_file(file);
  if (begins_with("\xff\xff\xff\xff")) return open_ipc_stream(file);
  return arrow::Status::Invalid(begins_with("FEA1") ? "is Feather 1, which is not read; pandas writes Feather 2"
                                                    : "is neither Parquet nor Arrow");
}

}  // namespace bellwether::arrow_module
