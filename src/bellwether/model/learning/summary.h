#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <bellwether/model/judgement.h>
#include <bellwether/model/model.h>
#include <bellwether/model/recipe.h>

namespace bellwether {

/// What reading a log brought up beyond what a model keeps.
struct LogNotes {
  std::vector<std::string> chosen;  // each default that was chosen, with the reason, as a sentence
  std::uint64_t skipped = 0;        // bad rows
  std::string first_skipped;        // what was wrong with the first
  std::uint64_t without_end = 0;    // steps left out, as the state they led to is not in the data
};

/// The mean of the returns observed from the start states of episodes that ended.
struct ObservedReturns {
  std::uint64_t episodes = 0;
  double mean = 0;
  double standard_error = 0;
};

/// What was learned about one target.
struct TargetSummary {
  std::string name;
  std::string reward;  // its column
  double discount = 1;
  std::uint64_t steps = 0;  // learned from
  PolicyValue value;
  std::optional<ObservedReturns> returns;    // nothing when no episode ended
  std::vector<Judgement> judgements;         // over time, on steps that had not been learned from
  Settings findings;                         // what the learner chose or noticed (Learner::findings)
  std::optional<std::uint64_t> diverged_at;  // the step
};

/// The answer of `learn`, as plain numbers and sentences.
struct LearnSummary {
  Recipe recipe;                    // the columns that were used, features, learner with every parameter, targets
  std::vector<std::string> chosen;  // each default that was chosen, with the reason, as a sentence
  std::uint64_t steps = 0;
  std::uint64_t episodes = 0;
  std::uint64_t episodes_ended = 0;
  double effective_samples = 0;  // how many on-policy steps the log is worth
  double largest_ratio = 0;
  std::size_t features_never_active = 0;
  std::uint64_t skipped_rows = 0;
  std::uint64_t steps_without_end = 0;
  std::vector<TargetSummary> targets;
  std::vector<std::string> warnings;  // what a person should know before trusting the values
};

LearnSummary summarise(const Model& model, const LogNotes& notes = {});

/// Marks the words of a text that matter most, for instance in bold.
using Highlight = std::function<std::string(std::string_view)>;

/// The summary for people, several lines. Plain text, unless `highlight` marks it.
std::string text_of(const LearnSummary& summary, const Highlight& highlight = {});

/// The summary for programs, as JSON.
std::string json_of(const LearnSummary& summary);

/// "12.3 +- 0.4": with as many digits as the interval justifies.
std::string text_of(const PolicyValue& value);

/// "mean value of the start states": what the value of the policy is the mean of.
std::string whose_mean(const PolicyValue& value);

}  // namespace bellwether
