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
///   reward         R_{t+1}
///   discount       gamma_{t+1}: 0 when the transition ends an episode; x_next is then ignored, and is by
///                  convention the features of the state that the next step starts from
///   rho            pi(A_t|S_t) / mu(A_t|S_t), 1 on-policy
///   pi             pi(A_t|S_t), the target policy's probability of the action; 1 if there are no actions
///   interest       how much the value of S_t matters, 1 unless given
///   lambda         multiplies the learner's trace decay at S_{t+1}, 1 unless given
///   restart        S_t does not follow from the previous step although that had discount > 0, as after an
///                  episode that was truncated rather than terminated. The trace is cut, the bootstrap is not.
///
/// There is no other notion of an episode: no terminal flag, no reset call.
namespace bellwether {

/// A view of consecutive steps. Arrays from `rho` on may be null, which means their default.
struct Batch {
  std::size_t size = 0;
  FeatureRows x;
  FeatureRows x_next;
  const double* reward = nullptr;
  const double* discount = nullptr;
  const double* rho = nullptr;
  const double* pi = nullptr;
  const double* interest = nullptr;
  const double* lambda = nullptr;
  const std::uint8_t* restart = nullptr;

  std::size_t dim() const { return x.dim; }

  /// Steps first .. first+count-1 as a batch of their own.
  Batch slice(std::size_t first, std::size_t count) const;
};

/// One step as values, for writing.
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
/// x of the following one. After `clear`, the memory is kept.
///
///     BatchBuffer buffer(Layout::dense, 2);
///     buffer.x().add_dense()[0] = 1;              // S_0
///     buffer.add({.reward = 1, .discount = 0.9}); // S_0 -> S_1
///     buffer.x().add_dense()[1] = 1;              // S_1
///     learner.learn(buffer.view());
class BatchBuffer {
 public:
  BatchBuffer(Layout layout, std::size_t dim) : x_(layout, dim) {}

  /// The features of the states, in order: one more than there are steps when the buffer is viewed.
  RowBuffer& x() { return x_; }
  const RowBuffer& x() const { return x_; }

  void add(const Step& step);
  std::size_t size() const { return reward_.size(); }

  /// Empties the buffer except for the last state, from which the next step continues.
  void keep_last_state();

  Batch view() const;

 private:
  RowBuffer x_;
  std::vector<double> reward_, discount_, rho_, pi_, interest_, lambda_;
  std::vector<std::uint8_t> restart_;
};

}  // namespace bellwether
