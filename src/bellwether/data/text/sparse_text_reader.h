#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <bellwether/data/bytes/lines.h>
#include <bellwether/data/late_failure.h>
#include <bellwether/data/skipped_rows.h>
#include <bellwether/data/steps.h>

namespace bellwether {

/// Steps with ready-made sparse features, such as hashed ones, one on each line:
///
///     # reward discount [rho] | features | features of the next state
///     -1 0.99 | 17 205:0.5 4095 | 18 205:0.25
///     -1 0 | 18 205:0.25
///
/// A feature without a value is 1; each may occur once. The rewards of several targets are separated by commas,
/// `-1,0.5 0.99 | ...`, and every line has as many as the first. The features of the next state may be missing where
/// the discount is zero. Blank lines and lines that begin with '#' are skipped and do not count as rows.
class SparseTextReader final : public StepReader {
 public:
  /// Waits for the first line. Feature indices are below `dim`.
  SparseTextReader(Lines lines, const TableOptions& options, std::size_t dim);

  const std::string& name() const override { return lines_.name(); }
  Layout layout() const override { return Layout::sparse; }
  std::size_t dim() const override { return dim_; }
  std::size_t targets() const { return targets_; }
  bool read(StepBlock& block, std::size_t steps) override;
  std::optional<double> fraction() const override { return lines_.fraction(); }
  std::uint64_t skipped() const override { return skipped_.count(); }
  std::string first_skipped() const override { return skipped_.first(); }

  static constexpr std::size_t largest_dim = 0xFFFFFFFF;

 private:
  struct Row {
    std::vector<std::uint32_t> indices;  // as long as any row needed so far
    std::vector<double> values;
    std::size_t size = 0;

    SparseView view() const { return {indices.data(), values.data(), size}; }
  };

  bool read_steps(StepBlock& block, std::size_t steps);
  const char* read_line(StepBlock& block, const char* line, const char* end);
  void read_step(const char* p, const char* end);
  double number(const char*& p, const char* end, std::string_view what, Range range) const;
  void features(const char*& p, const char* end, Row& row);
  void reject_repeated(const Row& row);
  [[noreturn]] void fail(std::string_view what) const;

  Lines lines_;
  SkippedRows skipped_;
  LateFailure failure_;  // of streams
  std::size_t dim_;
  std::size_t targets_ = 0;
  std::uint64_t row_ = 0;

  std::vector<double> rewards_;  // of the step being read, like all members below
  double discount_ = 0, rho_ = 1;
  bool has_rho_ = false;
  Row x_, x_next_;
  std::vector<std::uint32_t> sorted_;
};

/// Whether a file holds such steps: by its name (.sparse or .sparse.gz) or, when the name is not that of a table
/// either, by a bar in the first line that is not a comment. A stream can be read only once: open it as Lines, ask, and
/// pass these on to open_sparse or open_text_table.
bool is_sparse_text(const std::string& path);
bool is_sparse_text(Lines& lines);

/// Opens the steps in a file. Without `dim` the file is read twice, the first time to find the largest feature; a
/// stream cannot be read twice and is rejected.
std::unique_ptr<SparseTextReader> open_sparse(const std::string& path, const TableOptions& options = {},
                                              std::optional<std::size_t> dim = {});
std::unique_ptr<SparseTextReader> open_sparse(Lines lines, const TableOptions& options, std::optional<std::size_t> dim);

}  // namespace bellwether
