#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <bellwether/core/features.h>

/// Steps of experience, the input of every learner.
///
/// Step t is the transition S_t -> S_{t+1}:
///
///   x, x_next      features of S_t and S_{t+1}
///   reward         R_{t+1}, any finite number
///   discount       gamma_{t+1} in [0, 1]: 0 when the transition ends an episode; x_next is then ignored, and is by
///                  convention the features of the state that the next step starts from
///   rho            pi(A_t|S_t) / mu(A_t|S_t) >= 0, 1 on-policy
///   pi             pi(A_t|S_t), the target policy's probability of the action; 1 if there are no actions
///   interest       how much the value of S_t matters, 1 unless given; only emphatic learners use it
///   lambda         multiplies the learner's trace decay at S_{t+1}, 1 unless given
///   restart        S_t does not follow from the previous step although that had discount > 0, as after an
///                  episode that was truncated rather than terminated. The trace is cut, the bootstrap is not.
///
/// There is no other notion of an episode: no terminal flag, no reset call. Two ways for an episode to stop:
///
///   terminated     discount = 0 on its last step: nothing comes after, so the target is the reward alone
///   truncated      discount > 0 on its last step, whose x_next is the last observation, and restart on the next step
namespace bellwether {

/// A view of consecutive steps. It owns nothing: the arrays belong to a BatchBuffer, to a StepBlock (data/steps.h) or
/// to the caller, and must live as long as the view. Arrays from `rho` on may be null, which means their default.
///
/// Your own arrays can be learned from where they are, without a copy. Three states of two features, two steps:
///
///     const double x[] = {1, 0,   0, 1,   1, 1}, reward[] = {0, 1}, discount[] = {0.9, 0};
///     const FeatureRows states{.layout = Layout::dense, .dim = 2, .rows = 3, .values = x};
///     const Batch steps{
///         .size = 2, .x = states.slice(0, 2), .x_next = states.slice(1, 2), .reward = reward, .discount = discount};
///
/// Learners compare layouts and numbers of features and trust the rest; `check_rows` (core/features.h) checks rows that
/// come from outside.
struct Batch {
  std::size_t size = 0;  // steps; as many as x and x_next have rows and every array that is given has entries
  FeatureRows x;         // x and x_next have the same layout and dimension
  FeatureRows x_next;
  const double* reward = nullptr;    // never null, unless there are no steps
  const double* discount = nullptr;  // never null, unless there are no steps
  const double* rho = nullptr;
  const double* pi = nullptr;
  const double* interest = nullptr;
  const double* lambda = nullptr;
  const std::uint8_t* restart = nullptr;

  std::size_t dim() const { return x.dim; }

  /// Steps first .. first+count-1 as a batch of their own. It points to the same arrays; nothing is copied.
  Batch slice(std::size_t first, std::size_t count) const;
};

/// One step as values, for writing; the fields are those of a batch. Without a discount it ends its episode.
struct Step {
  double reward = 0;
  double discount = 0;
  double rho = 1;
  double pi = 1;
  double interest = 1;
  double lambda = 1;
  bool restart = false;
};

/// Steps that own their storage. In a chain of n steps the features of n+1 states are stored once: x_next of a step is
/// x of the following one. An episode that is truncated needs one state more, its last observation, and so ends the
/// buffer: learn, empty it (`keep_last_state`, then `x().clear()`), and mark the next step `restart`.
///
///     BatchBuffer buffer(Layout::dense, 2);
///     buffer.x().add_dense()[0] = 1;               // S_0
///     buffer.add({.reward = 1, .discount = 0.9});  // S_0 -> S_1
///     buffer.x().add_dense()[1] = 1;               // S_1
///     learner->learn(buffer.view());
///     buffer.keep_last_state();                    // S_1 is where the next step starts
class BatchBuffer {
 public:
  BatchBuffer(Layout layout, std::size_t dim) : x_(layout, dim) {}

  /// The features of the states, in order: one more than there are steps when the buffer is viewed.
  RowBuffer& x() { return x_; }
  const RowBuffer& x() const { return x_; }

  /// Appends a step from the state that was written last before it to the one that is written next.
  void add(const Step& step);
  std::size_t size() const { return reward_.size(); }  // steps

  /// Empties the buffer except for the last state, from which the next step continues. Memory is kept, so a buffer that
  /// is filled again and again stops allocating.
  void keep_last_state();

  /// All steps, valid until the buffer changes. The program aborts in a build with assertions unless there is one state
  /// more than there are steps.
  Batch view() const;

 private:
  RowBuffer x_;
  std::vector<double> reward_, discount_, rho_, pi_, interest_, lambda_;
  std::vector<std::uint8_t> restart_;
};

}  // namespace bellwether
