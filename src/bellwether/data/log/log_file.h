#pragma once

#include <memory>
#include <optional>
#include <string>

#include <bellwether/data/bytes/lines.h>
#include <bellwether/data/log/log_source.h>
#include <bellwether/data/steps.h>
#include <bellwether/data/table.h>

namespace bellwether {

/// A log whose content is not yet known: a table (open_table), or steps with ready-made features (sparse rows, or an
/// .npz with the arrays of a step). The beginning of a stream can be read only once, so the object that looked at it
/// also hands it on: call `steps` or `table` once.
class LogFile {
 public:
  LogFile(LogSource source, TableOptions options);

  /// Whether it holds steps; otherwise it is a table.
  bool holds_steps() const { return holds_ != Content::table; }

  /// The steps. `dim` is the number of features of sparse rows; a stream of these needs it, a file is read for it.
  std::unique_ptr<StepReader> steps(std::optional<std::size_t> dim);

  std::unique_ptr<TableReader> table();

 private:
  enum class Content : std::uint8_t { table, sparse_rows, arrays };

  LogSource source_;
  TableOptions options_;
  std::optional<Lines> stream_;
  Content holds_ = Content::table;
};

}  // namespace bellwether
