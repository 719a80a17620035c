#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include <bellwether/data/log/log_columns.h>
#include <bellwether/data/order/row_sorter.h>
#include <bellwether/data/table.h>

/// Whether the rows of a log are in order: those of an episode together, and in the order of their time.
namespace bellwether {

/// What tells episodes apart: the environment and the name of the episode, as numbers.
using EpisodeKey = std::pair<double, double>;

struct EpisodeKeyHash {
  std::size_t operator()(const EpisodeKey& key) const {
    const std::size_t h = std::hash<double>()(key.first);
    return std::hash<double>()(key.second) ^ (h + 0x9e3779b97f4a7c15U + (h << 6U) + (h >> 2U));
  }
};

/// Which rows are remembered of how many episodes, at most: about 100 bytes each.
inline constexpr std::size_t most_episodes_in_memory = std::size_t{1} << 20U;

/// Where a row belongs.
struct RowPlace {
  EpisodeKey key;
  double time = 0;      // infinite where the cell is empty; 0 where there is no such column
  bool closed = false;  // its episode goes no further: it ended, was cut short, or the row is the last observation
};

/// The columns that tell the order of rows.
class OrderColumns {
 public:
  explicit OrderColumns(const LogColumns& columns);

  /// Whether there is something to order rows by.
  bool tell() const { return tell_; }
  bool timed() const { return cell(Time) >= 0; }
  const std::vector<ColumnRequest>& requests() const { return requests_; }

  /// The place of a row whose cells begin with those of the requests.
  RowPlace place(const double* cells) const;

 private:
  enum Cell : std::uint8_t { Env, Episode, Time, Done, Terminated, Truncated, Discount };
  int cell(Cell which) const { return cells_[which]; }

  std::vector<ColumnRequest> requests_;
  std::array<int, 7> cells_{};  // -1: there is no such column
  std::vector<int> flags_;      // those of done, terminated and truncated that there are
  bool tell_ = false;
};

/// Follows the rows of a log and finds out whether they are out of order: whether an episode goes on after rows of
/// another, or time goes backwards within an episode. An episode that was closed does not go on: where its name comes
/// again it is another one, as in logs of several runs that number their episodes alike; unless time goes backwards
/// then without starting anew: rows of its beginning come after those of its end.
///
/// Memory is bounded. Of the last `most_open` episodes that are not closed it knows at once whether one goes on; of all
/// others, with `exact`, at the end, from a sorted list of them.
class OrderCheck {
 public:
  OrderCheck(const LogColumns& columns, bool exact, std::size_t most_open = most_episodes_in_memory);

  const OrderColumns& columns() const { return columns_; }

  /// The next row, whose cells begin with those of `columns().requests()`. False when it is out of order.
  bool add(const double* cells);

  /// There are no more rows. False when some were out of order.
  bool finish();

 private:
  void end_stretch();

  OrderColumns columns_;
  std::size_t most_open_;
  bool ordered_ = true;
  bool begun_ = false;
  RowPlace last_;
  double first_time_ = 0;                                // of the first row of its episode
  std::unordered_set<EpisodeKey, EpisodeKeyHash> open_;  // episodes that are not closed and have had other rows after
  std::unique_ptr<RowSorter> stretches_;                 // exact: environment, episode, number, closed, times
};

/// Reads a table to find out whether its rows are in order. True also when it has no column that tells.
bool rows_in_order(TableReader& table, const LogColumns& columns);

}  // namespace bellwether
