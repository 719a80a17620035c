#include <bellwether/data/log/log_source.h>

#include <filesystem>
#include <utility>
#include <vector>

namespace bellwether {
namespace {

/// A table that is open only while somebody reads it: a source may be able to have one reader at a time, and whoever
/// looks at the columns of a table may open it again before reading it.
class ReopenedTable final : public TableReader {
 public:
  ReopenedTable(const LogSource& source, const TableOptions& options) : open_(source.open), options_(options) {
    const auto table = open_(options_);
    name_ = table->name();
    columns_ = table->columns();
  }

  const std::string& name() const override { return name_; }
  const std::vector<std::string>& columns() const override { return columns_; }
  void select(std::vector<ColumnRequest> requests) override {
    table_ = open_(options_);
    table_->select(std::move(requests));
  }
  std::vector<bool> hold_text(const std::vector<std::string>& names, std::size_t rows) override {
    return open_(options_)->hold_text(names, rows);
  }
  bool read(TableBlock& block, std::size_t rows) override { return table_->read(block, rows); }
  std::optional<double> fraction() const override { return table_ ? table_->fraction() : 0; }
  std::uint64_t skipped() const override { return table_ ? table_->skipped() : 0; }
  std::string first_skipped() const override { return table_ ? table_->first_skipped() : ""; }
  bool rows_missing(std::uint64_t before, std::uint64_t after) const override {
    return table_->rows_missing(before, after);
  }

 private:
  LogSource::Open open_;
  TableOptions options_;
  std::string name_;
  std::vector<std::string> columns_;
  std::unique_ptr<TableReader> table_;  // while it is read
};

}  // namespace

bool is_stream(const LogSource& source) {
  namespace fs = std::filesystem;
  if (!source.is_file()) return source.once;
  std::error_code failed;
  const fs::file_type type = fs::status(source.name, failed).type();
  return source.name == "-" || type == fs::file_type::fifo || type == fs::file_type::character;
}

std::unique_ptr<TableReader> open_log_table(const LogSource& source, const TableOptions& options) {
  if (source.is_file()) return open_table(source.name, options);
  if (source.once) return source.open(options);
  return std::make_unique<ReopenedTable>(source, options);
}

}  // namespace bellwether
