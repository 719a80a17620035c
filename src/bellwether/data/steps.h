#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <bellwether/core/batch.h>
#include <bellwether/data/table.h>

/// Steps of experience from the outside, in blocks that learners can learn from.
namespace bellwether {

/// Steps that own their storage, with one reward for each of several targets. Unlike in a BatchBuffer the features of
/// both ends of a step are stored.
struct StepBlock {
  RowBuffer x{Layout::dense, 1};
  RowBuffer x_next{Layout::dense, 1};
  std::vector<std::vector<double>> rewards;  // one list of rewards a target
  std::vector<double> discount;              // before it is multiplied by a target's own
  std::vector<double> rho, pi, interest;     // empty: 1
  std::vector<std::uint8_t> restart;         // empty: none

  std::size_t size() const { return discount.size(); }

  /// Empties it for steps of this kind; the memory is kept where the kind is the same.
  void clear(Layout layout, std::size_t dim, std::size_t targets);

  /// Appends steps first .. first+count-1 of a block of the same kind.
  void append(const StepBlock& other, std::size_t first, std::size_t count);

  /// The steps as a learner takes them, with the rewards of one target.
  Batch view(std::size_t target) const;
};

/// A source of steps.
class StepReader {
 public:
  virtual ~StepReader() = default;

  virtual const std::string& name() const = 0;
  virtual Layout layout() const = 0;
  virtual std::size_t dim() const = 0;

  /// Replaces `block` by the next steps, at most `steps`; false when there are none left. As with tables, a stream
  /// gives what has come, possibly nothing.
  virtual bool read(StepBlock& block, std::size_t steps) = 0;

  virtual std::optional<double> fraction() const = 0;
  virtual std::uint64_t skipped() const { return 0; }
  virtual std::string first_skipped() const { return {}; }
};

}  // namespace bellwether
