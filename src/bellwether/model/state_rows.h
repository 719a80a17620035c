#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <bellwether/data/steps.h>
#include <bellwether/data/table.h>
#include <bellwether/model/model.h>

namespace bellwether {

/// The states in a file or stream, as features that a model can predict the values of. Any format that can be learned
/// from will do; a table needs the columns of the state only.
///
///     StateRows states(model, "states.csv");
///     while (states.next()) model.predict(0, states.rows(), values);
class StateRows {
 public:
  /// Throws InvalidArgument when the states are not those of the model.
  StateRows(const Model& model, const std::string& path, const TableOptions& options = {});

  /// Reads the next block of states; false when there are none left.
  bool next();

  /// The features of these states, and the number of each one's row in the file, from 1.
  FeatureRows rows() const { return steps_ ? block_.x.view() : rows_.view(); }
  const std::vector<std::uint64_t>& numbers() const { return numbers_; }

  std::optional<double> fraction() const { return steps_ ? steps_->fraction() : table_->fraction(); }

 private:
  std::shared_ptr<const FeatureMap> map_;
  std::unique_ptr<TableReader> table_;  // either this one
  std::unique_ptr<StepReader> steps_;   // or this one
  TableBlock cells_;
  StepBlock block_;
  RowBuffer rows_;
  std::uint64_t read_ = 0;  // states before the current block
  std::vector<std::uint64_t> numbers_;
};

}  // namespace bellwether
