#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <bellwether/core/feature_map.h>
#include <bellwether/core/state.h>
#include <bellwether/data/log_columns.h>
#include <bellwether/data/steps.h>

namespace bellwether {

/// Steps out of the rows of a log. What a row means is told by LogColumns; a step needs the state after, which may be
/// in the next row, so that one row can be waiting for it when a block ends.
class TableSteps final : public StepReader {
 public:
  /// The columns are those of find_columns. Without a map the state columns are the features, dense.
  TableSteps(std::unique_ptr<TableReader> table, LogColumns columns, std::shared_ptr<const FeatureMap> map);

  /// What a log's rows are asked for: first the state, then the state after, then the rewards, then the rest.
  static std::vector<ColumnRequest> requests(const LogColumns& columns);

  const std::string& name() const override { return table_->name(); }
  Layout layout() const override { return map_ ? map_->layout() : Layout::dense; }
  std::size_t dim() const override { return map_ ? map_->dim() : columns_.state.size(); }
  bool read(StepBlock& block, std::size_t steps) override;
  std::optional<double> fraction() const override { return table_->fraction(); }
  std::uint64_t skipped() const override { return table_->skipped(); }
  std::string first_skipped() const override { return table_->first_skipped(); }

  /// Last steps of episodes left out, as nobody wrote down where they led. The last row of all is one when the table
  /// has ended, unless somebody continues.
  std::uint64_t without_end() const { return without_end_ + (ended_ && waiting_ ? 1 : 0); }

  /// What waits for the next row: for a stream that is continued later, by a reader made in the same way.
  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  /// What a row says besides the states.
  struct Cells {
    std::vector<double> rewards;
    double discount = 1;
    double rho = 1;
    double pi = 1;
    double interest = 1;
    double episode = 0;
    bool ended = false;  // terminated, or discount 0
    bool cut = false;    // truncated

    template <class Self, class Visit>
    static void state(Self& self, Visit&& visit) {
      visit(self.rewards, self.discount, self.rho, self.pi, self.interest, self.episode, self.ended, self.cut);
    }
  };

  struct Places {
    int discount = -1, done = -1, terminated = -1, truncated = -1, rho = -1, target = -1, behaviour = -1, interest = -1,
        episode = -1;
  };

  template <class Self, class Visit>
  static void visit_state(Self& self, Visit&& visit);

  bool parse(const double* row, std::uint64_t number, Cells& cells) const;
  void take(const double* row, bool step, bool gap, StepBlock& block);
  void take_with_next(const double* row, bool gap, StepBlock& block);
  bool leads_to(const double* state);
  void deliver(const Cells& cells, const RowBuffer& x, const RowBuffer& x_next, bool continues, StepBlock& block);
  void features_of(const double* state, RowBuffer& rows) const;

  std::unique_ptr<TableReader> table_;
  LogColumns columns_;
  std::shared_ptr<const FeatureMap> map_;
  Places at_;
  TableBlock rows_;
  Cells cells_;  // of the row looked at

  std::uint64_t last_row_ = 0;   // its number; 0: there was none
  Moment moment_;                // of the state looked at
  bool open_ = false;            // the last step did not end its episode
  bool ended_ = false;           // there are no more rows
  bool waiting_ = false;         // a row waits for the state after
  bool wait_continues_ = false;  // and goes on from the last step
  Cells wait_;                   // what it says; the episode of the last row, also when none waits
  RowBuffer here_, now_;         // features of the state last met, and of the one looked at
  std::vector<double> last_;     // with next columns: the state that `here_` belongs to
  std::vector<double> largest_;  // of each column, in size
  std::uint64_t without_end_ = 0;
};

}  // namespace bellwether
