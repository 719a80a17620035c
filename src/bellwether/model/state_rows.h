#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <bellwether/data/log/log_source.h>
#include <bellwether/data/steps.h>
#include <bellwether/data/table.h>
#include <bellwether/model/model.h>

namespace bellwether {

/// The states in a file or stream, as features that a model can predict the values of. Any format that can be learned
/// from will do; a table needs the columns of the state only.
///
///     const Model model = Model::load("m.bw");
///     std::vector<double> values;
///     for (StateRows states(model, "states.csv"); states.next();) {
///       values.resize(states.rows().rows);
///       model.predict(/*target=*/0, states.rows(), values);
///       for (std::size_t i = 0; i < values.size(); ++i) std::printf("%zu: %g\n", states.numbers()[i], values[i]);
///     }
///
/// The features are those of the model, with the ranges it was learned with; states beyond them count as their ends.
/// Memory does not grow with the file: a block has at most 8192 states. Rows that are skipped keep their numbers.
class StateRows {
 public:
  /// Opens the file, "-" for standard input, or a table of the program. `keep` names columns, of numbers or text, to be
  /// carried along. Throws InvalidArgument when the states are not those of the model or a column is not there, and
  /// IoError when the file cannot be read.
  StateRows(const Model& model, const LogSource& source, const TableOptions& options = {},
            const std::vector<std::string>& keep = {});

  /// Reads the next block of states; false when there are none left. A block of a stream may be empty.
  bool next();

  /// The features of these states, and the number of each one's row in the file, from 1. Valid until the next call of
  /// `next`.
  FeatureRows rows() const { return steps_ ? block_.x.view() : rows_.view(); }
  const std::vector<std::uint64_t>& numbers() const { return numbers_; }

  /// The text that the row of state i of this block has in a column of `keep`, given by its index there, without spaces
  /// around it; empty for an empty cell. Valid until the next call of `next`.
  std::string_view kept(std::size_t column, std::size_t i) const;

  /// How many rows were left out so far because something was wrong with them (BadRows::skip), and what with the first.
  std::uint64_t skipped() const { return steps_ ? steps_->skipped() : table_->skipped(); }
  std::string first_skipped() const { return steps_ ? steps_->first_skipped() : table_->first_skipped(); }

  /// How much has been read, from 0 to 1; nothing for a stream.
  std::optional<double> fraction() const { return steps_ ? steps_->fraction() : table_->fraction(); }

 private:
  bool read();

  std::shared_ptr<const FeatureMap> map_;
  std::unique_ptr<TableReader> table_;  // either this one
  std::unique_ptr<StepReader> steps_;   // or this one
  TableBlock cells_;
  std::size_t variables_ = 0;                        // cells of a row before those that are kept
  std::shared_ptr<std::vector<std::string>> texts_;  // that are kept, of this block
  StepBlock block_;
  RowBuffer rows_;
  std::uint64_t read_ = 0;  // states before the current block
  std::vector<std::uint64_t> numbers_;
};

}  // namespace bellwether
