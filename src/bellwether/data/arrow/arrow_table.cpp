#include <bellwether/data/arrow/arrow_table.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/data/arrow/arrow_column.h>
#include <bellwether/data/arrow/arrow_handle.h>
#include <bellwether/data/bad_cells.h>
#include <bellwether/data/cells.h>

namespace bellwether {

namespace {

class ArrowTable final : public TableReader {
 public:
  ArrowTable(ArrowArrayStream& stream, std::string name, const TableOptions& options, std::uint64_t rows)
      : stream_(stream), name_(std::move(name)), options_(options), bad_(options.bad_rows), rows_(rows) {
    if (!stream_ || stream_->get_schema == nullptr || stream_->get_next == nullptr) {
      throw InvalidArgument(name_ + ": the stream of arrays was released before it was read");
    }
    ArrowHandle<ArrowSchema> schema;
    require(stream_->get_schema(stream_.get(), schema.get()));
    if (!schema) throw InvalidArgument(name_ + ": the stream of arrays has no schema");
    fetch();
    explained([&] { found_ = arrow_columns(*schema, batches_.empty() ? nullptr : &*batches_.front()); });
    for (const ArrowColumn& column : found_.columns) columns_.push_back(column.name());
    reject_repeated_columns(name_, columns_);
    for (std::size_t i = 0; i < columns_.size(); ++i) indices_.emplace(columns_[i], i);
  }

  const std::string& name() const override { return name_; }
  const std::vector<std::string>& columns() const override { return columns_; }
  std::uint64_t skipped() const override { return bad_.skipped(); }
  std::string first_skipped() const override { return bad_.first(); }

  std::optional<double> fraction() const override {
    if (rows_ == 0) return std::nullopt;
    return std::min(1.0, static_cast<double>(read_) / static_cast<double>(rows_));
  }

  void select(std::vector<ColumnRequest> requests) override;
  std::vector<bool> hold_text(const std::vector<std::string>& names, std::size_t rows) override;
  bool read(TableBlock& block, std::size_t rows) override;

 private:
  struct Selected {
    ColumnRequest request;
    CellCheck check;
    ArrowColumn column;
  };

  /// Calls `f`, whose InvalidArgument does not know the name of the table.
  template <class F>
  void explained(F&& f) const {
    try {
      f();
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(fmt::format("{}: {}", name_, error.what()));
    }
  }

  void require(int error);
  bool fetch();
  bool has_rows();
  void append_rows(TableBlock& block, std::size_t most);
  std::size_t column_index(const std::string& name) const;
  void read_numbers(std::size_t c, TableBlock& block);
  void read_texts(TableBlock& block);
  double number_cell(const Selected& selected, std::int64_t position, double value) const;
  std::string objection(std::size_t row, std::size_t c, const TableBlock& block);

  ArrowHandle<ArrowArrayStream> stream_;
  std::string name_;
  TableOptions options_;
  BadCells bad_;
  std::uint64_t rows_;  // in the stream, if that is known
  ArrowColumns found_;
  std::vector<std::string> columns_;
  std::unordered_map<std::string_view, std::size_t> indices_;  // of the columns
  std::vector<Selected> selected_;
  std::vector<std::size_t> texts_;               // selected columns of texts, in the order of the columns
  std::deque<ArrowHandle<ArrowArray>> batches_;  // that have rows; the first is being read
  std::size_t first_ = 0;                        // of the rows of the block that are being appended
  bool attached_ = false;                        // the selected columns to the first batch
  std::int64_t position_ = 0;                    // the next row in it
  std::uint64_t read_ = 0;                       // rows so far
  bool over_ = false;                            // no more batches will come
};

/// Throws IoError when the producer reports one.
void ArrowTable::require(int error) {
  if (error == 0) return;
  const char* const why = stream_->get_last_error == nullptr ? nullptr : stream_->get_last_error(stream_.get());
  throw IoError(fmt::format("{}: {}", name_, why == nullptr ? std::strerror(error) : why));  // NOLINT: of errno.h
}

/// Waits for a further batch that has rows; false when there is none.
bool ArrowTable::fetch() {
  while (!over_ && !options_.interrupted()) {
    ArrowHandle<ArrowArray> batch;
    require(stream_->get_next(stream_.get(), batch.get()));
    over_ = !batch;
    if (over_ || batch->length == 0) continue;
    if (batch->length < 0) throw InvalidArgument(fmt::format("{}: an array has {} rows", name_, batch->length));
    batches_.push_back(std::move(batch));
    return true;
  }
  return false;
}

std::size_t ArrowTable::column_index(const std::string& name) const {
  const auto found = indices_.find(name);
  if (found != indices_.end()) return found->second;
  for (const auto& [column, objection] : found_.unreadable) {
    const bool within = name.starts_with(column + ".") || name.starts_with(column + "/");
    if (name == column || within) throw InvalidArgument(fmt::format("{}: {}", name_, objection));
  }
  reject_column(name_, name, columns_);
}

void ArrowTable::select(std::vector<ColumnRequest> requests) {
  selected_.clear();
  texts_.clear();
  attached_ = false;
  std::vector<std::size_t> indices;
  for (ColumnRequest& request : requests) {
    indices.push_back(column_index(request.name));
    const ArrowColumn& column = found_.columns[indices.back()];
    const bool text = column.type().is_text();
    if (request.kind == CellKind::category && !text && column.type().kind != ArrowType::Kind::nothing) {
      throw InvalidArgument(
          fmt::format("{}: column '{}' holds numbers; it was text in the data before", name_, request.name));
    }
    if (text) texts_.push_back(selected_.size());
    request.decimal = options_.decimal;
    const CellCheck check(request);
    selected_.push_back({std::move(request), check, column});
  }
  std::stable_sort(texts_.begin(), texts_.end(), [&](std::size_t a, std::size_t b) { return indices[a] < indices[b]; });
}

std::vector<bool> ArrowTable::hold_text(const std::vector<std::string>& names, std::size_t rows) {
  std::int64_t at_hand = -position_;
  for (const auto& batch : batches_) at_hand += batch->length;
  while (at_hand < static_cast<std::int64_t>(rows) && fetch()) at_hand += batches_.back()->length;
  std::vector<bool> hold;
  for (const std::string& name : names) {
    ArrowColumn column = found_.columns[column_index(name)];
    const ColumnRequest form{.name = name, .kind = CellKind::form, .may_be_empty = true, .decimal = options_.decimal};
    std::size_t seen = 0, filled = 0, texts = 0;
    for (const auto& batch : batches_) {
      if (!column.type().is_text() || seen == rows) break;
      const std::int64_t first = batch.operator->() == batches_.front().operator->() ? position_ : 0;
      const std::size_t count = std::min(rows - seen, static_cast<std::size_t>(batch->length - first));
      explained([&] {
        column.attach(*batch);
        for (const std::int64_t position : column.locate(first, count)) {
          const double cell = position < 0 ? NAN : parse_cell(column.text(position), form, name_, 0);
          filled += std::isnan(cell) ? 0 : 1;
          texts += cell == 1 ? 1 : 0;
        }
      });
      seen += count;
    }
    hold.push_back(10 * texts > filled);
  }
  return hold;
}

bool ArrowTable::read(TableBlock& block, std::size_t rows) {
  block.clear(selected_.size());
  while (block.rows < rows && has_rows()) append_rows(block, rows - block.rows);
  if (read_ == 0 && over_) throw InvalidArgument(name_ + ": has columns but no rows");
  return block.rows > 0;
}

/// Whether there are rows left, in the first batch.
bool ArrowTable::has_rows() {
  if (!batches_.empty() && position_ == batches_.front()->length) {
    batches_.pop_front();
    position_ = 0;
    attached_ = false;
  }
  return !batches_.empty() || fetch();
}

/// Reads rows of the batch at hand, at most so many. Bad ones are left out.
void ArrowTable::append_rows(TableBlock& block, std::size_t most) {
  const ArrowArray& batch = *batches_.front();
  const std::size_t n = std::min(most, static_cast<std::size_t>(batch.length - position_));
  first_ = block.rows;
  block.rows += n;
  block.cells.resize(block.rows * block.columns);
  for (std::size_t i = 0; i < n; ++i) block.row.push_back(read_ + i + 1);
  explained([&] {
    for (Selected& selected : selected_) {
      if (!attached_) selected.column.attach(batch);
      selected.column.locate(position_, n);
    }
  });
  attached_ = true;
  for (std::size_t c = 0; c < selected_.size(); ++c) {
    if (!selected_[c].column.type().is_text()) read_numbers(c, block);
  }
  read_texts(block);
  bad_.drop_rows(block, [&](std::size_t row, std::size_t c) { return objection(row, c, block); });
  position_ += static_cast<std::int64_t>(n);
  read_ += n;
}

/// The cell of a number: itself, the index of its text, or for an integer that a double cannot hold, its label.
double ArrowTable::number_cell(const Selected& selected, std::int64_t position, double value) const {
  constexpr double exact = 9007199254740992;  // 2^53
  const ArrowColumn& column = selected.column;
  if (selected.request.texts) return kept_text(column.shown(position), selected.request);
  const bool integer = column.type().kind == ArrowType::Kind::number && column.type().number.integer();
  const bool long_label = selected.request.kind == CellKind::label && integer && std::abs(value) >= exact;
  return long_label ? label_number(column.shown(position)) : value;
}

void ArrowTable::read_numbers(std::size_t c, TableBlock& block) {
  const Selected& selected = selected_[c];
  selected.column.numbers(block.cells.data() + first_ * block.columns + c, block.columns);
  const bool converts = selected.request.texts || selected.request.kind == CellKind::label;
  for (std::size_t i = first_; i < block.rows; ++i) {
    double& cell = block.cells[i * block.columns + c];
    const std::int64_t position = selected.column.positions()[i - first_];
    const bool empty = selected.request.may_be_empty && position == ArrowColumn::missing;
    if (!empty && (position == ArrowColumn::other_width || !selected.check.accepts(cell))) bad_.add(i, c);
    else if (converts && !std::isnan(cell)) cell = number_cell(selected, position, cell);
  }
}

/// Row by row: categories get their numbers in the order in which a file of text would have them.
void ArrowTable::read_texts(TableBlock& block) {
  for (std::size_t i = first_; !texts_.empty() && i < block.rows; ++i) {
    for (const std::size_t c : texts_) {
      const Selected& selected = selected_[c];
      const std::int64_t position = selected.column.positions()[i - first_];
      double& cell = block.cells[i * block.columns + c];
      cell = NAN;
      if (position == ArrowColumn::missing && selected.request.may_be_empty) continue;
      std::string_view text;
      if (position >= 0) explained([&] { text = selected.column.text(position); });
      try {
        if (position < 0) bad_.add(i, c);
        else cell = parse_cell(text, selected.request, name_, block.row[i]);
      } catch (const InvalidArgument&) {
        bad_.add(i, c);
      }
    }
  }
}

/// What is wrong with a cell of the block.
std::string ArrowTable::objection(std::size_t row, std::size_t c, const TableBlock& block) {
  const Selected& selected = selected_[c];
  const std::int64_t position = selected.column.positions()[row - first_];
  const std::string where = location(name_, block.row[row], selected.request.name);
  if (position == ArrowColumn::missing) return where + " is empty";
  if (position == ArrowColumn::other_width) {
    return fmt::format("{}: mixed dimensions: row {}: {}", name_, block.row[row],
                       selected.column.width_objection(position_ + static_cast<std::int64_t>(row - first_)));
  }
  if (!selected.column.type().is_text()) return selected.check.objection(where, block[row][c]);
  try {
    parse_cell(selected.column.text(position), selected.request, name_, block.row[row]);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return {};
}

}  // namespace

std::unique_ptr<TableReader> arrow_table(ArrowArrayStream& stream, std::string name, const TableOptions& options,
                                         std::uint64_t rows) {
  return std::make_unique<ArrowTable>(stream, std::move(name), options, rows);
}

}  // namespace bellwether
