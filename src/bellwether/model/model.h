#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <bellwether/core/learner.h>
#include <bellwether/data/steps.h>
#include <bellwether/model/episodes.h>
#include <bellwether/model/judgement.h>
#include <bellwether/model/log_statistics.h>
#include <bellwether/model/recipe.h>
#include <bellwether/model/start_returns.h>

namespace bellwether {

/// The value of a policy: the mean value of the states in which its episodes start.
struct PolicyValue {
  double value = 0;
  std::optional<double> half_width;  // of the 95 % interval; nothing without resampling
  bool of_starts = true;             // false: episodes do not end, so it is the mean over all states met
};

/// Values learned from a log or a stream, with all that it takes to go on learning and to be used: the columns, the
/// features and their ranges, the learners, and what was seen of the data.
///
///     Model model(recipe);
///     StepBlock steps;
///     while (reader.read(steps, 8192)) model.learn(steps);
///     model.policy_value(0);                 // in the unit of the reward
///     write(model.bytes());                  // Model::parse(bytes, path) continues bit for bit
///
/// How sure is it? Beside the learner there are `resamples` more, each of which learns from a random half of the
/// episodes. An estimate from half of the data, drawn at random from the data there are, deviates from the estimate
/// from all of them as this one does from the truth: its variance is sigma^2/n (1/(1/2) - 1) = sigma^2/n (McCarthy
/// 1969). So their spread is the standard error; a 95 % interval is t times that, t being Student's for their number.
/// No episode is met twice, nothing has to be stored, and it works for every learner. What it does not tell is a bias
/// that all share: poor features, a step size too small, states that behaviour never visits.
class Model {
 public:
  static constexpr std::size_t most_resamples = 64;
  static constexpr std::size_t most_held_out = 20000;  // steps kept for judging

  /// Steps have the rewards of `recipe.rewards()`.
  explicit Model(Recipe recipe);

  const Recipe& recipe() const { return recipe_; }
  const FeatureMap* map() const { return map_.get(); }
  std::shared_ptr<const FeatureMap> shared_map() const { return map_; }
  std::size_t targets() const { return recipe_.targets.size(); }

  const Learner& learner(std::size_t target) const { return *learners_[target][0]; }
  const LogStatistics& statistics() const { return statistics_; }
  const Episodes& episodes() const { return episodes_; }

  /// The returns observed from start states.
  const StartReturns& returns(std::size_t target) const { return returns_[target]; }

  /// How well each target went on steps that had not been learned from, over time.
  const std::vector<Judgement>& judgements(std::size_t target) const { return judgements_[target]; }

  /// Learns from the next steps, on up to `jobs` threads; the result does not depend on how many.
  void learn(const StepBlock& steps, unsigned jobs = 1);

  /// What comes next are the same steps from the beginning: only the learners take notice of them.
  void begin_pass();

  /// Judges the weights as they are: on the episodes held out or, when there are none, on steps about to be learned
  /// from.
  void judge(const StepBlock& to_come);

  /// The values of states, one place for each row.
  void predict(std::size_t target, const FeatureRows& rows, std::span<double> values) const;

  /// Half the widths of the 95 % intervals of these values. Throws InvalidArgument with fewer than two resamples.
  void half_widths(std::size_t target, const FeatureRows& rows, std::span<double> widths) const;

  PolicyValue policy_value(std::size_t target) const;

  /// Takes over what a model of the same recipe has learned from other episodes. Throws InvalidArgument when the
  /// recipes differ, or when the learner is of a kind that can not (Learner::absorb); nothing has changed then.
  void absorb(const Model& other);

  /// What waits for the next row of a stream (TableSteps::save), kept for whoever continues.
  std::string waiting;

  /// The model as the content of a file, and back; `name` is what messages call it. Throws InvalidArgument when the
  /// bytes are not a model, damaged, cut short, or written by a later version or on another kind of machine.
  std::string bytes() const;
  static Model parse(std::string_view bytes, std::string_view name);

 private:
  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit);

  bool holds(std::size_t half, std::uint64_t unit_number) const;
  void learn_with(std::size_t target, std::size_t half, const StepBlock& steps, const std::vector<Segment>& segments);

  Recipe recipe_;
  std::shared_ptr<const FeatureMap> map_;
  std::vector<std::vector<std::unique_ptr<Learner>>> learners_;  // of each target: of all episodes, then of halves
  std::vector<std::uint8_t> was_in_;                             // for each half: whether it holds the last unit
  Episodes episodes_;
  std::optional<Episodes> again_;  // those of a further pass
  LogStatistics statistics_;
  std::vector<StartReturns> returns_;
  std::vector<std::vector<Judgement>> judgements_;
  StepBlock held_out_;

  // Work space of `learn`.
  std::vector<std::vector<double>> discounts_;  // of each target
  std::vector<std::uint8_t> restarts_, cuts_;   // where episodes begin; and where units do
};

}  // namespace bellwether
