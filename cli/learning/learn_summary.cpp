#include "learning/learn_summary.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bellwether/core/text_table.h>

#include "terminal/terminal.h"

namespace bellwether::cli {

namespace {

std::string percent(double share) { return fmt::format("{:.3g} %", 100 * share); }

/// The largest value that is possible: every reward the largest, for ever or for as long as episodes last.
bool beyond_reason(const Model& model, std::size_t k, double value) {
  const double gamma = model.recipe().targets[k].discount;
  const bool forever = model.recipe().ends_only && gamma < 1;
  if (!forever || model.statistics().largest_ratio() != 1) return false;
  const double low = std::min(0.0, model.statistics().smallest_reward(model.recipe().reward_of(k))) / (1 - gamma);
  const double high = std::max(0.0, model.statistics().largest_reward(model.recipe().reward_of(k))) / (1 - gamma);
  const double slack = 0.05 * (high - low);
  return value < low - slack || value > high + slack;
}

/// What a learner has found, as a number; 0 when it does not tell.
double finding(const Learner& learner, std::string_view name) {
  for (const auto& [key, text] : learner.findings()) {
    if (key == name) return std::stod(text);
  }
  return 0;
}

double tolerance(const Recipe& recipe) {
  for (const auto& [key, text] : recipe.settings) {
    if (key == "tolerance") return std::stod(text);
  }
  return infinity;
}

/// Whether the value of the policy is far from the returns that were observed, where nearly all episodes end.
bool contradicted(const Model& model, std::size_t k, const PolicyValue& value) {
  const StartReturns& seen = model.returns(k);
  constexpr std::uint64_t fewest = 20;
  if (!value.of_starts || seen.episodes() < fewest || 10 * seen.episodes() < 9 * model.episodes().begun()) return false;
  const double error = value.half_width.value_or(0) + 2 * seen.standard_error();
  return std::abs(value.value - seen.mean()) > 2 * error;
}

nlohmann::json json_of(const Judgement& j) {
  nlohmann::json all{{"after", j.after}, {"steps", j.steps}, {"td_error", j.td_error}, {"returns", j.returns}};
  if (j.projected) all["projected_bellman_error"] = *j.projected;
  if (j.returns > 0) {
    all.update({{"mean_return", j.mean_return}, {"mean_value", j.mean_value}, {"return_error", j.return_error}});
  }
  return all;
}

/// At most ten of the judgements, the last among them.
std::vector<Judgement> thinned(const std::vector<Judgement>& all) {
  constexpr std::size_t most = 10;
  std::vector<Judgement> some;
  const std::size_t step = (all.size() + most - 1) / most;
  for (std::size_t i = all.size(); step > 0 && i > 0; i = i > step ? i - step : 0)
    some.insert(some.begin(), all[i - 1]);
  return some;
}

std::string judgement_table(const Model& model, std::size_t k) {
  TextTable table({{"after steps"}, {"judged on"}, {"TD error"}, {"projected"}, {"mean return"}, {"predicted"}});
  for (const Judgement& j : thinned(model.judgements(k))) {
    const bool known = j.returns > 0;
    table.add({grouped(j.after), grouped(j.steps), fmt::format("{:.4g}", j.td_error),
               j.projected ? fmt::format("{:.4g}", *j.projected) : "-",
               known ? fmt::format("{:.4g}", j.mean_return) : "-", known ? fmt::format("{:.4g}", j.mean_value) : "-"});
  }
  return table.text();
}

std::string whose_mean(const PolicyValue& value) {
  return value.of_starts ? "mean value of the start states" : "mean value of the states met; episodes do not end";
}

}  // namespace

std::string value_text(const PolicyValue& value) {
  if (!value.half_width) return fmt::format("{:.6g}", value.value);
  const double half = *value.half_width;
  if (!(half > 0) || !std::isfinite(half)) return fmt::format("{:.6g} +- {:.2g}", value.value, half);
  const int digits = std::max(0, 1 - static_cast<int>(std::floor(std::log10(half))));
  return fmt::format("{:.{}f} +- {:.{}f}", value.value, digits, half, digits);
}

std::vector<std::string> warnings(const Model& model, const LogRemarks& remarks) {
  std::vector<std::string> all;
  const LogStatistics& seen = model.statistics();
  const auto steps = static_cast<double>(model.episodes().steps());
  if (remarks.skipped > 0) {
    all.push_back(fmt::format("{} rows were left out because something was wrong with them; the first: {}",
                              grouped(remarks.skipped), remarks.first_skipped));
  }
  if (remarks.without_end > 1) {  // one is where the log ends
    all.push_back(
        fmt::format("the last steps of {} episodes were left out: they were cut short, and where they led was "
                    "not written down (next columns, or a last row with an empty reward, would tell)",
                    grouped(remarks.without_end)));
  }
  const std::uint64_t cut = model.episodes().begun() - model.episodes().ended();
  if (!model.recipe().columns.next.empty() && 4 * cut > model.episodes().steps()) {
    all.push_back(
        fmt::format("{} of {} steps do not go on from the step before: their state is not what the next columns "
                    "said, so each was taken for an episode that was cut short (a done or an episode column "
                    "would tell)",
                    grouped(cut), grouped(model.episodes().steps())));
  }
  if (const double worth = seen.effective_samples(); worth < 0.1 * steps) {
    all.push_back(fmt::format(
        "the importance ratios vary so much that {} steps are worth {} (the largest ratio is "
        "{:.4g}): the two policies differ a lot, and values rest on few steps",
        grouped(model.episodes().steps()), grouped(static_cast<std::uint64_t>(worth)), seen.largest_ratio()));
  }
  // Tiles in places where nobody ever is are usual; a column that is always zero is not.
  const std::size_t never = seen.never_active();
  if (never > (model.recipe().features == "none" ? 0 : model.recipe().dim * 9 / 10)) {
    all.push_back(fmt::format("{} of {} features ({}) were zero in every state: nothing was learned about them",
                              grouped(never), grouped(model.recipe().dim),
                              percent(static_cast<double>(never) / static_cast<double>(model.recipe().dim))));
  }
  for (std::size_t k = 0; k < model.targets(); ++k) {
    const std::string name = model.recipe().name_of(k);
    const std::size_t reward = model.recipe().reward_of(k);
    if (seen.smallest_reward(reward) == seen.largest_reward(reward)) {
      all.push_back(fmt::format("{} is {} in every step: there is nothing to tell states apart but when they end", name,
                                seen.smallest_reward(reward)));
    }
    if (model.learner(k).steps() == 0) {
      all.push_back(fmt::format("nothing was learned about {}: every episode was held out", name));
    }
    if (const double residual = finding(model.learner(k), "residual"); residual > tolerance(model.recipe())) {
      all.push_back(
          fmt::format("the equations of {} were solved only to a residual of {:.2g}: values are approximate, and so "
                      "are intervals (fewer features, a smaller inverse_init or more iterations would help)",
                      name, residual));
    }
    if (const auto at = model.learner(k).diverged_at()) {
      all.push_back(
          fmt::format("the learner of {} diverged at step {}: its values mean nothing (a smaller step size, "
                      "another learner)",
                      name, grouped(*at)));
    } else if (const PolicyValue value = model.policy_value(k); beyond_reason(model, k, value.value)) {
      all.push_back(
          fmt::format("the value of {} lies beyond what its rewards allow: the features or the step size do not "
                      "suit the data",
                      name));
    }
    if (contradicted(model, k, model.policy_value(k))) {
      all.push_back(
          fmt::format("the value of {} is far from the returns observed, {:.5g} +- {:.2g}: the features can not "
                      "tell the states apart that matter, or there is little data for so many",
                      name, model.returns(k).mean(), 2 * model.returns(k).standard_error()));
    }
    const bool endless =
        model.episodes().ended() == 0 && model.recipe().targets[k].discount == 1 && model.recipe().ends_only;
    if (endless) all.push_back(fmt::format("no episode ends and {} is not discounted: its values have no limit", name));
  }
  if (model.recipe().resamples > 0 && model.episodes().units() < 20) {
    all.push_back(fmt::format("intervals come from {} {} only: take them as rough", model.episodes().units(),
                              model.episodes().begun() > 1 ? "episodes" : "stretches of steps"));
  }
  return all;
}

std::string summary_text(const Model& model, const LogRemarks& remarks) {
  const Recipe& recipe = model.recipe();
  std::string out;
  for (const std::string& choice : remarks.choices) out += choice + "\n";
  const Episodes& episodes = model.episodes();
  out += fmt::format("\n{} steps, {} episode{}, {} of which end", grouped(episodes.steps()), grouped(episodes.begun()),
                     episodes.begun() == 1 ? "" : "s", grouped(episodes.ended()));
  if (recipe.holdout > 0) out += fmt::format("; {} of them held out", percent(recipe.holdout));
  out += "\n";
  if (remarks.without_end == 1) out += "one last step was left out: where it led was not written down\n";
  if (const double worth = model.statistics().effective_samples();
      worth < 0.999 * static_cast<double>(episodes.steps())) {
    out += fmt::format("importance ratios: worth {} steps on-policy; the largest is {:.4g}\n",
                       grouped(static_cast<std::uint64_t>(worth)), model.statistics().largest_ratio());
  }
  out +=
      fmt::format("{}: {}\n{} features{}, {} of them active in some state\n", recipe.learner, text_of(recipe.settings),
                  grouped(recipe.dim), recipe.features == "none" ? "" : " (" + recipe.features + ")",
                  grouped(recipe.dim - model.statistics().never_active()));
  for (std::size_t k = 0; k < model.targets(); ++k) {
    if (!model.judgements(k).empty()) {
      out += fmt::format("\n{}on {}:\n{}", model.targets() > 1 ? recipe.name_of(k) + ", " : "",
                         recipe.holdout > 0 ? "episodes held out" : "steps before they were learned from",
                         judgement_table(model, k));
    }
    if (const Settings found = model.learner(k).findings(); !found.empty()) out += "found: " + text_of(found) + "\n";
  }
  out += "\n";
  for (std::size_t k = 0; k < model.targets(); ++k) {
    const PolicyValue value = model.policy_value(k);
    out += fmt::format("{} {}  ({}{})\n",
                       model.targets() > 1 ? "value of " + bold(recipe.name_of(k)) + ":" : "value of the policy:",
                       bold(value_text(value)), whose_mean(value), value.half_width ? "; 95 % interval" : "");
    if (const StartReturns& seen = model.returns(k); seen.episodes() > 1) {
      out += fmt::format("  returns observed: {:.6g} +- {:.2g}, the mean of {} episodes that ended\n", seen.mean(),
                         2 * seen.standard_error(), grouped(seen.episodes()));
    }
  }
  const auto all = warnings(model, remarks);
  for (const std::string& warning : all) out += fmt::format("warning: {}\n", warning);
  return out;
}

std::string summary_json(const Model& model, const LogRemarks& remarks) {
  const Recipe& recipe = model.recipe();
  nlohmann::json all{{"recipe", nlohmann::json::parse(text_of(recipe))},
                     {"steps", model.episodes().steps()},
                     {"episodes", model.episodes().begun()},
                     {"episodes_ended", model.episodes().ended()},
                     {"effective_samples", model.statistics().effective_samples()},
                     {"largest_ratio", model.statistics().largest_ratio()},
                     {"features_never_active", model.statistics().never_active()},
                     {"skipped_rows", remarks.skipped},
                     {"steps_without_end", remarks.without_end},
                     {"choices", remarks.choices},
                     {"warnings", warnings(model, remarks)},
                     {"targets", nlohmann::json::array()}};
  for (std::size_t k = 0; k < model.targets(); ++k) {
    const PolicyValue value = model.policy_value(k);
    nlohmann::json target{{"name", recipe.name_of(k)},
                          {"reward", recipe.targets[k].reward},
                          {"discount", recipe.targets[k].discount},
                          {"value", value.value},
                          {"of_start_states", value.of_starts},
                          {"steps", model.learner(k).steps()},
                          {"judgements", nlohmann::json::array()},
                          {"findings", nlohmann::json::object()}};
    if (model.returns(k).episodes() > 0) {
      target["returns"] = {{"episodes", model.returns(k).episodes()},
                           {"mean", model.returns(k).mean()},
                           {"standard_error", model.returns(k).standard_error()}};
    }
    if (value.half_width) target["half_width"] = *value.half_width;
    if (const auto at = model.learner(k).diverged_at()) target["diverged_at"] = *at;
    for (const Judgement& j : model.judgements(k)) target["judgements"].push_back(json_of(j));
    for (const auto& [name, found] : model.learner(k).findings()) target["findings"][name] = found;
    all["targets"].push_back(std::move(target));
  }
  return all.dump(2) + "\n";
}

}  // namespace bellwether::cli
