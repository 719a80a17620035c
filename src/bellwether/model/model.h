#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <bellwether/core/learner.h>
#include <bellwether/data/steps.h>
#include <bellwether/model/episode_returns.h>
#include <bellwether/model/episodes.h>
#include <bellwether/model/judgement.h>
#include <bellwether/model/learned_file.h>
#include <bellwether/model/log_statistics.h>
#include <bellwether/model/predicted_returns.h>
#include <bellwether/model/recipe.h>
#include <bellwether/model/start_returns.h>

namespace bellwether {

/// The value of a policy: the mean value of the states in which its episodes start, in the unit of the reward.
///
/// Off-policy, and where every state has a feature of its own, it is the mean of the values learned, w.x(S_0).
/// Otherwise features may not tell states apart that differ in value, and it is the mean return of the episodes, with
/// the value learned for the last state where one was cut short (model/episode_returns.h).
struct PolicyValue {
  std::optional<double> value;       // nothing where the data cannot tell
  std::optional<double> half_width;  // half the width of the 95 % interval; nothing without resampling
  std::optional<double> low, high;   // its ends: not symmetric where rewards have one sign, nor beyond what they allow
  double learned = 0;                // w . (mean features of the start states)
  bool beyond = false;               // the learner found a number clearly beyond what is possible; `value` is not
  bool of_starts = true;             // false: it is the mean over all states seen, as episodes do not end
  bool starts_known = true;          // or as the log does not tell where they start
  std::string why_none = {};         // why there is no value, and what to do; the rest of "none, as ..."
};

/// Where values can lie.
struct ValueRange {
  double low = -infinity;
  double high = infinity;

  double clamped(double value) const { return std::clamp(value, low, high); }
};

/// Values learned from a log or a stream, with everything that is needed to use them and to continue learning: the
/// columns, the features with their ranges, the learners, and statistics of the data.
///
/// `learn` (model/learning/learn.h) makes one from files. A program with its own source of steps does the same by hand:
///
///     Model model(recipe);
///     StepBlock steps;
///     while (reader.read(steps, 8192)) model.learn(steps);
///     const PolicyValue value = model.policy_value(0);
///     model.save("m.bw");                    // Model::load("m.bw") continues bit for bit
///
/// A model owns all it needs and can be moved, but not copied; `parse(bytes(), "")` makes a copy. Functions that do not
/// change it may not run beside `learn`, nor beside one another: some learners solve for their weights when asked.
///
/// How sure is it? Beside the learner there are `resamples` more, each of which learns from a random half of the
/// episodes. An estimate from a random half of the data deviates from the estimate from all of it as the latter
/// deviates from the truth: its variance is sigma^2/n (1/(1/2) - 1) = sigma^2/n (McCarthy 1969), and a bias of c/n,
/// such as that of a ridge, is 2c/n in a half and thus moves it by c/n from the whole. So the root mean square of the
/// deviations of H halves from the whole is the standard error, bias included, and a 95 % interval is t times that,
/// with Student's t for 1/(1/H + 1/(n-1)) degrees of freedom: halves and episodes may both be few. No episode is read
/// twice, nothing has to be stored, and it works for every learner. It does not show a bias that does not depend on the
/// number of episodes: poor features, a step size too small, states that the behaviour policy never visits.
/// docs/calibration.md shows how often intervals hold the truth.
class Model {
 public:
  static constexpr std::size_t most_held_out = 20000;  // steps kept for judging
  static constexpr std::uint64_t first_judged = 500;   // steps before the first judgement
  static constexpr std::uint64_t most_judged = 8192;   // steps that weights are judged by

  /// A model that has learned nothing. Its steps will have the rewards of `recipe.rewards()`. Throws InvalidArgument
  /// when the learner or the features of the recipe do not exist or do not fit its dimension, and when its columns do
  /// not fit its features and targets (Recipe::columns).
  explicit Model(Recipe recipe);

  const Recipe& recipe() const { return recipe_; }
  const FeatureMap* map() const { return map_.get(); }  // null where the data is features already
  std::shared_ptr<const FeatureMap> shared_map() const { return map_; }
  std::size_t targets() const { return recipe_.targets.size(); }  // targets are numbered from 0 in what follows

  const Learner& learner(std::size_t target) const { return *learners_[target][0]; }  // the one that sees everything

  /// The weights of a target; none of them is a number where its learner has diverged.
  std::vector<double> weights(std::size_t target) const;
  const LogStatistics& statistics() const { return statistics_; }
  const Episodes& episodes() const { return episodes_; }

  /// The returns observed from start states, to compare `policy_value` with.
  const StartReturns& returns(std::size_t target) const { return returns_[target]; }

  /// How well a target was predicted on steps that had not been learned from, over time.
  const std::vector<Judgement>& judgements(std::size_t target) const { return judgements_[target]; }

  /// Predictions against returns by the last judgement that had enough returns: at least half as many as any before.
  /// Kept in memory, not in files.
  PredictedReturns predicted_returns(std::size_t target) const {
    return bellwether::predicted_returns(compared_[target].returns, compared_[target].after);
  }

  /// Learns from the next steps, on up to `jobs` threads. The result does not depend on their number. It costs targets
  /// x (1 + resamples / 2) times as much as one learner; features, layout and rewards of the steps must be the
  /// recipe's.
  void learn(const StepBlock& steps, unsigned jobs = 1);

  /// The same steps follow again from the beginning. Learners learn from them; statistics do not count them again.
  void begin_pass();

  /// Judges values on steps that have not been learned from, and keeps the result in `judgements`. To be called before
  /// every `learn` of the first pass, with the same steps; then
  ///
  ///     for (; reader.read(steps, 8192); model.learn(steps)) model.judge(steps);
  ///     model.finish_judging();
  ///
  /// judges after 500 steps and whenever their number has doubled: by as many steps to come as there were, at most
  /// 8192, however small the blocks are. With a holdout, it judges by the episodes held out instead; these are kept in
  /// memory (the first 20,000 steps of them) but not in files: a model that was loaded collects them anew.
  void judge(const StepBlock& to_come);

  /// Judges by the steps there were, if they are at least ten; with a holdout, judges once more.
  void finish_judging();

  /// Judges the present values of a target on steps that have not been learned from; nothing is kept.
  Judgement judged(std::size_t target, const StepBlock& steps) const;

  /// Why a target has no values that mean anything, and what to do; empty where it has: its learner has diverged, has
  /// learned nothing, or the target policy takes none of the steps. `predict` gives numbers all the same.
  std::string why_no_values(std::size_t target) const;

  /// The same, and empty only if the value of the policy is not far beyond what rewards allow either. O(d).
  std::string why_not_predicted(std::size_t target) const;

  /// The values of states, one for each row.
  void predict(std::size_t target, const FeatureRows& rows, std::span<double> values) const;

  /// Whether a learner of a half of the episodes has diverged: there are no intervals then.
  bool halves_diverged(std::size_t target) const;

  /// How well the data supports each of these values: at most so many steps were learned from states like it. The bound
  /// is that of the least known feature,
  ///
  ///   min_j n_j / x_j^2  >=  1 / (x . N^-1 x),   N = sum_t min(rho_t, 1) x_t x_t^T,   n_j = N_jj
  ///
  /// where the right side is the number of visits of a state that has a feature of its own. 0: some feature of the
  /// state was never met, so its weight is a guess.
  void visits(const FeatureRows& rows, std::span<double> counts) const;

  /// What the rewards seen allow values to be: with the smallest and the largest reward of all, or none, for ever,
  ///
  ///   min(0, r_min) / (1 - gamma)  <=  v(s)  <=  max(0, r_max) / (1 - gamma)
  ///
  /// infinite where values are not discounted, unless all rewards have one sign.
  ValueRange possible_values(std::size_t target) const;

  /// Half the widths of the 95 % intervals of these values: each holds for one state, not for all states at once. The
  /// deviation of the halves, and twice the size of a usual weight for every feature that was never met; at most what
  /// reaches over all possible values, which an interval is to be cut to (possible_values).
  /// Not numbers where a half has diverged. Throws InvalidArgument with fewer than two resamples.
  void half_widths(std::size_t target, const FeatureRows& rows, std::span<double> widths) const;

  /// Whether the data tells in which states episodes start.
  bool starts_known() const;

  /// The value of the policy, with an interval where there are at least two resamples and two units of experience.
  /// There is none where values mean nothing (why_no_values), where no step from a start state counts, or where the
  /// learner found a number ten times as large as what rewards allow.
  PolicyValue policy_value(std::size_t target) const;

  /// Adds what a model of the same recipe has learned from other episodes. Throws InvalidArgument, and changes nothing,
  /// when the recipes differ, when both have learned from the same file, or when learners of this type cannot be merged
  /// (Learner::absorb).
  void absorb(const Model& other);

  /// What the reader of a stream had read but not yet made a step of (LogSteps::reader_state), kept for the reader that
  /// continues the stream.
  const std::string& reader_state() const { return reader_state_; }
  void keep_reader_state(std::string state) { reader_state_ = std::move(state); }

  /// The files that `learn` has read, so that it can refuse to count one twice. One that is known already is not added.
  const std::vector<LearnedFile>& learned_from() const { return learned_from_; }
  void add_learned_file(const LearnedFile& file);

  /// Throws InvalidArgument when there is no memory for a model, and for its bytes if it will be written: what is
  /// certain to be needed.
  static void require_memory(const Recipe& recipe, bool written = false);

  /// The model as the content of a file, and back; `name` is what messages call it. Throws InvalidArgument when the
  /// bytes are not a model, damaged, cut short, or written by a later version or on another kind of machine.
  std::string bytes() const;
  static Model parse(std::string_view bytes, std::string_view name);

  /// Writes the model to a file, which is replaced only when the new one is complete, and reads it. Throws IoError when
  /// that fails.
  void save(const std::string& path) const;
  static Model load(const std::string& path);

 private:
  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit);

  /// Which learners learn from a unit of experience.
  struct Share {
    bool all = true;           // the learner that sees everything but what is held out
    std::uint64_t halves = 0;  // a bit for each of the others

    bool has(std::size_t learner) const { return learner == 0 ? all : (halves >> (learner - 1) & 1U) != 0; }
  };
  double usual_weight(std::size_t target) const;
  bool asks_for_starts() const;
  bool values_by_returns(std::size_t target) const;
  std::vector<double> policy_features(std::size_t half) const;
  std::string why_no_policy_value(std::size_t target, const std::vector<double>& x, double value) const;
  std::string why_beyond_rewards(std::size_t target, double value) const;
  Share share_of(std::uint64_t number) const;

  /// Weights that are judged by the steps that came after they were learned.
  struct Judging {
    std::uint64_t after = 0;
    std::vector<std::vector<double>> weights;  // of each target
    std::vector<double> policy;                // the value of the policy by these weights
    StepBlock steps;
  };
  Judging begin_judging() const;
  Judgement judged(std::size_t target, std::span<const double> weights, const StepBlock& steps,
                   std::vector<PredictedReturn>* returns) const;
  void add_judgements(const Judging& judging, const StepBlock& steps);
  const LearnedFile* learned_file(const LearnedFile& file) const;  // null: there is none with this content
  void learn_with(std::size_t target, std::size_t half, const StepBlock& steps, const std::vector<Segment>& segments);

  Recipe recipe_;
  std::shared_ptr<const FeatureMap> map_;
  std::vector<std::vector<std::unique_ptr<Learner>>> learners_;  // for each target: of all episodes, then of halves
  std::vector<std::uint8_t> was_in_;  // for each of these: whether it learned from the last unit
  Episodes episodes_;
  std::optional<Episodes> again_;  // episodes of a further pass
  LogStatistics statistics_;
  std::vector<StartReturns> returns_;
  std::vector<EpisodeReturns> outcomes_;  // of each target
  std::vector<std::vector<Judgement>> judgements_;
  struct Compared {
    std::uint64_t after = 0;
    std::vector<PredictedReturn> returns;
  };
  std::vector<Compared> compared_;  // predictions and returns of each target
  StepBlock held_out_;
  std::optional<Judging> judging_;
  std::uint64_t next_judgement_ = first_judged;
  std::string reader_state_;
  std::vector<LearnedFile> learned_from_;
  double lambda_;  // trace decay of the learner; 0 if it has none

  // Work space of `learn`.
  std::vector<std::vector<double>> discounts_;  // of each target
  std::vector<std::uint8_t> restarts_, cuts_;   // 1 where an episode begins; 1 where a unit begins
  std::vector<Share> shares_;                   // of each segment
};

}  // namespace bellwether
