#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <bellwether/core/feature_map.h>
#include <bellwether/data/late_failure.h>
#include <bellwether/data/log/log_columns.h>
#include <bellwether/data/skipped_rows.h>
#include <bellwether/data/steps.h>

namespace bellwether {

/// Makes steps from the rows of a log. LogColumns says what a row means. A step needs the next state, which may be in
/// the next row; one row can therefore be waiting for it when a block ends.
class TableSteps final : public StepReader {
 public:
  /// `columns` are those of find_columns. Without a map the state columns are dense features.
  /// With BadRows::skip, rows that contradict their order cut an episode; otherwise they are rejected.
  /// Rows whose state is beyond the ranges of `variables` by more than a tenth, if there are any, are counted.
  /// With `keep_states`, blocks have the states that were read for them (StepBlock::states).
  /// Of a `stream`, the steps before a bad row are a block of their own.
  TableSteps(std::unique_ptr<TableReader> table, LogColumns columns, std::shared_ptr<const FeatureMap> map,
             BadRows bad_rows = BadRows::reject, std::vector<Variable> variables = {}, bool keep_states = false,
             bool stream = false);

  /// The cells it needs of each row: the state, the next state, the rewards, then the columns of `log_roles`.
  /// The variables say which columns of the state hold categories, if any do.
  static std::vector<ColumnRequest> requests(const LogColumns& columns, const std::vector<Variable>& variables = {});

  const std::string& name() const override { return table_->name(); }
  Layout layout() const override { return map_ ? map_->layout() : Layout::dense; }
  std::size_t dim() const override { return map_ ? map_->dim() : columns_.state.size(); }
  bool read(StepBlock& block, std::size_t steps) override;
  std::optional<double> fraction() const override { return table_->fraction(); }
  std::uint64_t skipped() const override { return table_->skipped() + skipped_.count(); }
  std::string first_skipped() const override {
    return table_->first_skipped().empty() ? skipped_.first() : table_->first_skipped();
  }

  /// The last row of the table counts when the table has ended, unless a reader continues from its state.
  std::uint64_t without_end() const override { return without_end_ + (ended_ && waiting_ ? 1 : 0); }

  std::uint64_t outside() const override { return outside_; }
  std::string first_outside() const override { return first_outside_; }

  void save(StateWriter& out) const override;
  void load(StateReader& in) override;

 private:
  bool read_steps(StepBlock& block, std::size_t steps);

  /// What a row says apart from the states.
  struct Cells {
    std::vector<double> rewards;
    double discount = 1;
    double rho = 1;
    double pi = 1;
    double interest = 1;
    double env = 0;
    double episode = 0;
    bool ended = false;  // terminated, or discount 0
    bool cut = false;    // truncated

    template <class Self, class Visit>
    static void state(Self& self, Visit&& visit) {
      visit.sized(self.rewards);
      visit(self.discount, self.rho, self.pi, self.interest, self.env, self.episode, self.ended, self.cut);
    }

    bool same_episode(const Cells& other) const { return env == other.env && episode == other.episode; }
  };

  template <class Self, class Visit>
  static void visit_state(Self& self, Visit&& visit);

  int cell_of(Role role) const { return cell_of_[static_cast<std::size_t>(role)]; }
  bool has(Role role) const { return cell_of(role) >= 0; }
  bool parse(const double* row, std::uint64_t number, Cells& cells);
  void take(const double* row, bool step, bool gap, StepBlock& block);
  void take_with_next(const double* row, bool gap, StepBlock& block);
  Restart how_it_follows(const double* row, bool gap);
  bool leads_to(const double* state);
  void check_end(bool step);
  void reject_early_end() const;
  void reject_jump(const double* row) const;
  void deliver(const Cells& cells, const RowBuffer& x, const RowBuffer& x_next, Restart restart, StepBlock& block);
  void count_outside(const double* state);
  void features_of(const double* state, RowBuffer& rows) const;

  std::unique_ptr<TableReader> table_;
  LogColumns columns_;
  std::shared_ptr<const FeatureMap> map_;
  BadRows bad_rows_;
  SkippedRows skipped_;                          // here, where cells do not fit together
  LateFailure failure_;                          // of streams
  bool left_out_ = false;                        // the row before the current one
  bool observed_ = false;                        // the last row held nothing but an observation
  std::array<int, log_roles.size()> cell_of_{};  // the cell of each role in a row; -1: the log has none
  TableBlock rows_;
  Cells cells_;  // of the current row

  std::uint64_t row_ = 0, last_row_ = 0;  // numbers of the current row and the last one; 0: there was none
  Moment moment_;                         // of the current state
  bool open_ = false;                     // the last step did not end its episode
  bool ended_ = false;                    // there are no more rows
  bool waiting_ = false;                  // a row waits for the next state
  Restart wait_restart_ = Restart::none;  // and how it follows the last step
  Cells wait_;                            // what that row says; the episode of the last row, even when none waits
  RowBuffer here_, now_;                  // features of the last state, and of the current one
  std::vector<double> last_;              // with next columns: the state that `here_` belongs to
  std::vector<double> largest_;           // absolute value of each column so far
  std::uint64_t without_end_ = 0;
  std::vector<Variable> variables_;  // empty: their ranges do not matter
  bool keep_states_;
  std::uint64_t outside_ = 0;
  std::string first_outside_;
  std::uint64_t ends_ = 0;     // rows of the current episode that say it is over
  std::uint64_t end_row_ = 0;  // the first of them
  bool over_ = false;          // the last row is one of them
};

}  // namespace bellwether
