#include <bellwether/model/learning/summary.h>

#include <nlohmann/json.hpp>

#include <bellwether/core/support/json_text.h>
#include <bellwether/model/learning/warnings.h>

namespace bellwether {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ObservedReturns, episodes, mean, standard_error, half_width, cut_short, mean_length,
                                   mean_length_cut, weighted)

namespace {

TargetSummary summary_of(const Model& model, std::size_t k) {
  const Recipe& recipe = model.recipe();
  TargetSummary target{.name = recipe.name_of(k),
                       .reward = recipe.targets[k].reward,
                       .discount = recipe.targets[k].discount,
                       .steps = model.learner(k).steps(),
                       .value = model.policy_value(k),
                       .returns = {},
                       .judgements = model.judgements(k),
                       .findings = model.learner(k).findings(),
                       .diverged_at = model.learner(k).diverged_at()};
  const StartReturns& seen = model.returns(k);
  if (seen.episodes() > 0) {
    target.returns = {.episodes = seen.episodes(),
                      .mean = seen.mean(),
                      .standard_error = seen.standard_error(),
                      .half_width = seen.half_width(),
                      .cut_short = seen.cut_short(),
                      .mean_length = seen.mean_length(),
                      .mean_length_cut = seen.cut_short() > 0 ? seen.mean_length_cut() : 0,
                      .weighted = seen.weighted()};
  }
  return target;
}

nlohmann::json json_of(const Judgement& j) {
  nlohmann::json all{{"after", j.after}, {"steps", j.steps}, {"td_error", j.td_error}, {"returns", j.returns}};
  if (j.projected) all["projected_bellman_error"] = *j.projected;
  if (j.policy) all["value_of_policy"] = *j.policy;
  if (j.returns > 0) {
    all.update({{"mean_return", j.mean_return}, {"mean_value", j.mean_value}, {"return_error", j.return_error}});
  }
  return all;
}

nlohmann::json json_of(const TargetSummary& target) {
  nlohmann::json all{{"name", target.name},
                     {"question", question_of(target)},
                     {"reward", target.reward},
                     {"discount", target.discount},
                     {"of_start_states", target.value.of_starts},
                     {"steps", target.steps},
                     {"judgements", nlohmann::json::array()},
                     {"findings", nlohmann::json::object()}};
  if (target.returns) all["returns"] = *target.returns;
  if (target.value.value) all["value"] = *target.value.value;
  else all["no_value"] = target.value.why_none;
  if (target.value.half_width) all["half_width"] = *target.value.half_width;
  if (target.value.low) all["low"] = *target.value.low;
  if (target.value.high) all["high"] = *target.value.high;
  if (target.diverged_at) all["diverged_at"] = *target.diverged_at;
  for (const Judgement& j : target.judgements) all["judgements"].push_back(json_of(j));
  for (const auto& [name, found] : target.findings) all["findings"][name] = found;
  return all;
}

}  // namespace

LearnSummary summarise(const Model& model, const LogNotes& notes) {
  LearnSummary summary{.recipe = model.recipe(),
                       .chosen = notes.chosen,
                       .steps = model.episodes().steps(),
                       .episodes = model.episodes().begun(),
                       .episodes_ended = model.episodes().ended(),
                       .effective_samples = model.statistics().effective_samples(),
                       .largest_ratio = model.statistics().largest_ratio(),
                       .features_never_active = model.statistics().never_active(),
                       .skipped_rows = notes.skipped,
                       .steps_without_end = notes.without_end,
                       .rows_outside = notes.outside,
                       .learned_from = {},
                       .sorted_rows = notes.sorted,
                       .targets = {},
                       .warnings = warnings(model, notes)};
  for (const LearnedFile& file : model.learned_from()) summary.learned_from.push_back(file.name);
  for (std::size_t k = 0; k < model.targets(); ++k) summary.targets.push_back(summary_of(model, k));
  return summary;
}

std::string json_of(const LearnSummary& summary) {
  nlohmann::json all{{"recipe", nlohmann::json::parse(text_of(summary.recipe))},
                     {"steps", summary.steps},
                     {"episodes", summary.episodes},
                     {"episodes_ended", summary.episodes_ended},
                     {"effective_samples", summary.effective_samples},
                     {"largest_ratio", summary.largest_ratio},
                     {"features_never_active", summary.features_never_active},
                     {"skipped_rows", summary.skipped_rows},
                     {"steps_without_end", summary.steps_without_end},
                     {"rows_outside", summary.rows_outside},
                     {"learned_from", summary.learned_from},
                     {"sorted_rows", summary.sorted_rows},
                     {"choices", summary.chosen},
                     {"warnings", nlohmann::json::array()},
                     {"advice", nlohmann::json::array()},
                     {"targets", nlohmann::json::array()}};
  for (const Warning& warning : summary.warnings) {
    all["warnings"].push_back(text_of(warning));
    all["advice"].push_back({{"warning", warning.what}, {"advice", warning.advice}});
  }
  for (const TargetSummary& target : summary.targets) all["targets"].push_back(json_of(target));
  return json_text(all, 2) + "\n";
}

}  // namespace bellwether
