#pragma once

#include <cstdint>
#include <vector>

#include <bellwether/core/batch.h>
#include <bellwether/model/episodes.h>

namespace bellwether {

/// The mean return from the start of an episode, on-policy, for all episodes and for each of several halves of them:
///
///   G = R_1 + gamma R_2 + ... + gamma^{T-1} R_T            of an episode that ended after T steps
///   G = R_1 + gamma R_2 + ... + gamma^{T-1} R_T + gamma^T v(S_T)      of one that was cut short there, or goes on
///
/// Values are linear, v(s) = w.x(s), so only sums have to be kept, whatever w will be. The mean is free of the error
/// that features make which cannot tell states apart, but for the share gamma^T of the last states. It is the mean of
/// v over start states plus that of the discounted TD errors of each episode.
///
/// `Model::policy_value` is this mean where features are an approximation:
///
///     EpisodeReturns returns(model.recipe().dim, /*halves=*/0);
///     for (...) returns.add(steps.view(0), episodes.split(steps), episodes);
///     const double value = returns.mean(0, model.learner(0).weights());
///
/// Memory is O(halves d) once an episode was cut short, else O(halves).
class EpisodeReturns {
 public:
  /// Of features of this dimension, for all episodes and so many halves (Episodes::halves).
  EpisodeReturns(std::size_t dim, std::size_t halves);

  /// Adds the next steps, with the segments that `episodes` has split them into.
  void add(const Batch& steps, const std::vector<Segment>& segments, const Episodes& episodes);

  /// Adds the episodes of `other`, and continues the one that `other` is in.
  void absorb(const EpisodeReturns& other);

  /// How many episodes there are of all (0) or of a half (1, ...); those that begin at a jump do not count.
  std::uint64_t count(std::size_t half) const { return counts_[half] + (is_open_in(half) ? 1 : 0); }

  /// The mean of G with these weights; not a number where there are no episodes.
  double mean(std::size_t half, const std::vector<double>& w) const;

  /// All that is kept, for saving (core/state.h).
  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit.sized(self.sums_, self.counts_);
    visit(self.tails_);
    visit(self.open_, self.halves_, self.weight_, self.sum_, self.last_indices_, self.last_values_);
    visit.require([&] { return self.fits(); });
  }

 private:
  bool fits() const;  // whether what was read belongs to these features and halves
  bool in(std::size_t half) const { return half == 0 || (halves_ >> (half - 1) & 1U) != 0; }
  bool is_open_in(std::size_t half) const { return open_ && in(half); }
  void close(bool ended);             // adds the current episode, if there is one
  void keep_last(const Features& x);  // in case it is cut short there

  std::size_t dim_;                         // d
  std::vector<double> sums_;                // of the rewards of all episodes, and of each half
  std::vector<std::uint64_t> counts_;       // of episodes
  std::vector<std::vector<double>> tails_;  // sum of gamma^T x(S_T); empty where no episode was cut short

  // The current episode.
  bool open_ = false;                        // there is one, known from its start
  std::uint64_t halves_ = 0;                 // a bit for each half that has it
  double weight_ = 1;                        // gamma^t
  double sum_ = 0;                           // of its rewards, discounted, so far
  std::vector<std::uint32_t> last_indices_;  // x(S_t), after the last step added
  std::vector<double> last_values_;          // the values of these features
};

}  // namespace bellwether
