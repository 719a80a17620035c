#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <bellwether/core/batch.h>
#include <bellwether/data/table.h>

/// Steps of experience that come from outside, in blocks that learners can learn from.
namespace bellwether {

class StateReader;  // internal: bytes to state and back
class StateWriter;

/// How a step follows the one before it.
enum class Restart : std::uint8_t {
  none = 0,     // it continues, or the one before ended its episode
  episode = 1,  // an episode begins, though the one before did not end
  jump = 2,     // it does not continue the one before, and nothing says that an episode begins: its state is no start
};

/// Steps that own their storage, with several rewards each. Unlike in a BatchBuffer, the features of both ends of a
/// step are stored, so a block can hold the last observations of episodes that were cut short. What `Model::learn`
/// takes; a program with its own source of steps fills it in by hand:
///
///     StepBlock steps;
///     steps.clear(Layout::dense, /*dim=*/2, /*targets=*/1);
///     steps.x.append(DenseView{here, 2});
///     steps.x_next.append(DenseView{there, 2});
///     steps.rewards[0].push_back(1.5);
///     steps.discount.push_back(0.9);
///
/// Every list that is not empty has one entry for each step, apart from `states`.
struct StepBlock {
  RowBuffer x{Layout::dense, 1};             // features of S_t
  RowBuffer x_next{Layout::dense, 1};        // features of S_{t+1}; a row of any kind where the discount is 0
  std::vector<std::vector<double>> rewards;  // one list for each reward
  std::vector<double> discount;              // as the data gives it; a target may have its own
  std::vector<double> rho, pi, interest;     // empty: 1
  std::vector<std::uint8_t> restart;         // the numbers of `Restart`; empty: none

  /// The states in the rows that were read for these steps, one after another, where the reader was asked to keep them.
  /// They are rows, not steps: the last may be waiting for its next state. `append` does not copy them.
  std::vector<double> states;

  std::size_t size() const { return discount.size(); }

  /// Removes all steps and prepares for steps of this kind. Memory is kept where the kind stays the same.
  void clear(Layout layout, std::size_t dim, std::size_t targets);

  /// Appends steps first .. first+count-1 of a block of the same kind.
  void append(const StepBlock& other, std::size_t first, std::size_t count);

  /// Says that the first step does not continue the steps before this block. There must be one.
  void restart_first();

  /// The steps as a learner takes them, with one of the rewards. Valid until the block changes.
  Batch view(std::size_t reward) const;
};

/// A source of steps.
///
/// Readers report what the data says: a discount of 0 where an episode ended, `restart` where a step does not continue
/// the one before it. What follows from that for learning is decided in one place, model/episodes.h.
class StepReader {
 public:
  virtual ~StepReader() = default;

  virtual const std::string& name() const = 0;  // in messages: the path, or "standard input"
  virtual Layout layout() const = 0;            // of the features
  virtual std::size_t dim() const = 0;          // their number

  /// Replaces `block` by the next steps, at most `steps`; false when there are none left. A stream returns what has
  /// arrived, which may be nothing. Throws InvalidArgument, with file and row, when the data is wrong, and IoError when
  /// it cannot be read.
  virtual bool read(StepBlock& block, std::size_t steps) = 0;

  /// How much has been read, from 0 to 1; nothing when the end is not known.
  virtual std::optional<double> fraction() const = 0;

  /// Rows left out so far because something was wrong with them, and what was wrong with the first.
  virtual std::uint64_t skipped() const { return 0; }
  virtual std::string first_skipped() const { return {}; }

  /// Steps left out because the state they led to is not in the data.
  virtual std::uint64_t without_end() const { return 0; }

  /// Rows whose state is beyond the ranges that the features were made for, and where the first is.
  virtual std::uint64_t outside() const { return 0; }
  virtual std::string first_outside() const { return {}; }

  /// What has been read but not yet become a step, for a reader that continues the stream later. Most readers keep
  /// nothing of the kind.
  virtual void save(StateWriter&) const {}
  virtual void load(StateReader&) {}
};

/// Throws InvalidArgument, naming both, when the steps have another layout or number of features than a model.
void check_features(const StepReader& steps, Layout layout, std::size_t dim);

}  // namespace bellwether
