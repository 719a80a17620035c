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
  std::uint64_t steps = 0;          // read in the first pass
  std::uint64_t outside = 0;        // rows whose state is beyond the ranges that features were made for
  std::string first_outside;        // where the first is, and which variable
  bool sorted = false;              // rows of an episode were not together, or not in order, and were sorted
};

/// The mean of the returns observed from the start states of episodes that ended. Where some were cut short, it is over
/// the shorter ones, and need not agree with the value (model/start_returns.h).
struct ObservedReturns {
  std::uint64_t episodes = 0;   // that ended
  double mean = 0;              // of their returns
  double standard_error = 0;    // of this mean; not a number for one episode
  double half_width = 0;        // of its 95 % interval; not a number for one episode
  std::uint64_t cut_short = 0;  // episodes that have no return, as they were cut short or go on
  double mean_length = 0;       // steps of those that ended
  double mean_length_cut = 0;   // steps of the others, up to where they were cut; 0 where there are none
  bool weighted = false;        // off-policy: each return has the product of its importance ratios as a factor
};

/// What was learned about one target. Values, returns and their errors are in the unit of the reward.
struct TargetSummary {
  std::string name;         // the reward, followed by the discount where several targets have the same reward
  std::string reward;       // its column
  double discount = 1;      // in [0, 1]
  std::uint64_t steps = 0;  // learned from
  PolicyValue value;        // the answer, with its 95 % interval
  std::optional<ObservedReturns> returns;    // nothing when no episode ended
  std::vector<Judgement> judgements;         // over time, on steps that had not been learned from
  Settings findings;                         // what the learner chose or noticed (Learner::findings)
  std::optional<std::uint64_t> diverged_at;  // the step
};

/// What a person should know before trusting the values, and what to do about it.
struct Warning {
  std::string what;    // a sentence without its full stop
  std::string advice;  // another one; empty where nothing can be done

  Warning(std::string text, std::string what_to_do = {})  // NOLINT(google-explicit-constructor): a sentence will do
      : what(std::move(text)), advice(std::move(what_to_do)) {}
};

/// The answer of `learn`, as plain numbers and sentences. It keeps nothing of the model, and can outlive it.
///
///     const LearnSummary summary = learn({.files = {"log.csv"}}).summary;
///     for (const Warning& warning : summary.warnings) std::fprintf(stderr, "%s\n", text_of(warning).c_str());
///     for (const TargetSummary& target : summary.targets)
///       std::printf("%s: %s\n", target.name.c_str(), text_of(target.value).c_str());
///
/// Read the warnings first: a value without warnings does not contradict the returns observed, lies within what the
/// rewards allow, and rests on more than a few effective steps.
struct LearnSummary {
  Recipe recipe;                          // the columns that were used, features, learner with every parameter, targets
  std::vector<std::string> chosen;        // each default that was chosen, with the reason, as a sentence
  std::uint64_t steps = 0;                // read in the first pass, also those held out
  std::uint64_t episodes = 0;             // begun
  std::uint64_t episodes_ended = 0;       // the others were cut short, or go on
  double effective_samples = 0;           // how many on-policy steps the log is worth
  double largest_ratio = 0;               // rho; 1 on-policy
  std::size_t features_never_active = 0;  // of recipe.dim; their weights mean nothing
  std::uint64_t skipped_rows = 0;         // bad rows, with BadRows::skip
  std::uint64_t steps_without_end = 0;    // left out, as the state they led to is not in the data
  std::uint64_t rows_outside = 0;         // whose state is beyond the ranges that features were made for
  std::vector<std::string> learned_from;  // names of the files that were read
  bool sorted_rows = false;               // the rows of an episode were not together, or not in order
  std::vector<TargetSummary> targets;
  std::vector<Warning> warnings;  // what a person should know before trusting the values
};

/// The summary of a model, such as one that was loaded from a file. What only the reader of a log knows is in `notes`;
/// without them, nothing is said about defaults and skipped rows.
LearnSummary summarise(const Model& model, const LogNotes& notes = {});

/// Marks the words of a text that matter most, for instance in bold.
using Highlight = std::function<std::string(std::string_view)>;

/// The summary for people, several lines. Plain text, unless `highlight` marks it.
std::string text_of(const LearnSummary& summary, const Highlight& highlight = {});

/// The summary for programs, as one JSON object; what is not known, such as half_width without resamples, is left out.
std::string json_of(const LearnSummary& summary);

/// "How much reward will the policy collect from its start?": what the value of a target answers.
std::string question_of(const TargetSummary& target);

/// "3 rows were left out (mend them)": what there is to know, and in parentheses what to do.
std::string text_of(const Warning& warning);

/// "12.3 +- 0.4": with as many digits as the interval justifies; "none" where there is no value.
std::string text_of(const PolicyValue& value);

/// "returns observed: 12.3 +- 0.4, ...": the mean with twice its standard error, and what it is the mean of.
std::string text_of(const ObservedReturns& returns);

/// "mean value of the start states": what the value of the policy is the mean of.
std::string whose_mean(const PolicyValue& value);

}  // namespace bellwether
