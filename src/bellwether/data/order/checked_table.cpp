#include <bellwether/data/order/checked_table.h>

#include <fmt/format.h>

namespace bellwether {

void CheckedTable::select(std::vector<ColumnRequest> requests) {
  wanted_ = requests.size();
  const auto& more = check_.columns().requests();
  requests.insert(requests.end(), more.begin(), more.end());
  table_->select(std::move(requests));
}

bool CheckedTable::read(TableBlock& block, std::size_t rows) {
  block.clear(wanted_);
  return failure_.guard([&] { return read_rows(block, rows); }, [&] { return block.rows > 0; });
}

bool CheckedTable::read_rows(TableBlock& block, std::size_t rows) {
  const bool some = table_->read(rows_, rows);
  if (!some) return false;
  for (std::size_t i = 0; i < rows_.rows; ++i) {
    if (!check_.add(rows_[i] + wanted_)) {
      throw InvalidArgument(
          fmt::format("{}: row {} goes on with an episode that rows of another one, or of a later time, have "
                      "interrupted: a stream is learned from as it comes; write it to a file and learn from that",
                      name(), rows_.row[i]));
    }
    block.cells.insert(block.cells.end(), rows_[i], rows_[i] + wanted_);
    block.row.push_back(rows_.row[i]);
    ++block.rows;
  }
  return true;
}

}  // namespace bellwether
