#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <bellwether/core/support/text.h>
#include <bellwether/core/support/text_table.h>
#include <bellwether/model/learning/summary.h>

namespace bellwether {
namespace {

/// At most ten of the judgements, the last among them.
std::vector<Judgement> thinned(const std::vector<Judgement>& all) {
  constexpr std::size_t most = 10;
  const std::size_t step = std::max<std::size_t>(1, (all.size() + most - 1) / most);
  std::vector<Judgement> some;
  for (std::size_t i = all.size(); i > 0; i = i > step ? i - step : 0) some.push_back(all[i - 1]);
  std::reverse(some.begin(), some.end());
  return some;
}

std::string judgement_table(const TargetSummary& target) {
  TextTable table({{"after steps"}, {"judged on"}, {"TD error"}, {"projected"}, {"mean return"}, {"predicted"}});
  for (const Judgement& j : thinned(target.judgements)) {
    const bool known = j.returns > 0;
    table.add({grouped(j.after), grouped(j.steps), fmt::format("{:.4g}", j.td_error),
               j.projected ? fmt::format("{:.4g}", *j.projected) : "-",
               known ? fmt::format("{:.4g}", j.mean_return) : "-", known ? fmt::format("{:.4g}", j.mean_value) : "-"});
  }
  return table.text();
}

std::string text_of_the_data(const LearnSummary& summary) {
  std::string out = fmt::format("{} steps, {} episode{}, {} of which end{}", grouped(summary.steps),
                                grouped(summary.episodes), summary.episodes == 1 ? "" : "s",
                                grouped(summary.episodes_ended), summary.episodes_ended == 1 ? "s" : "");
  if (summary.recipe.holdout > 0) out += fmt::format("; {:.3g} % of them held out", 100 * summary.recipe.holdout);
  out += "\n";
  if (summary.sorted_rows) {
    const LogColumns& columns = summary.recipe.columns;
    out += fmt::format(
        "rows were sorted, as those of an episode were not together or not in order; their order is that {}\n",
        columns.time.empty() ? "of the log" : "of " + columns.time);
  }
  if (summary.steps_without_end == 1) out += "the last step was left out: the state it led to is not in the log\n";
  if (summary.effective_samples < 0.999 * static_cast<double>(summary.steps)) {
    out += fmt::format("importance ratios: worth {} steps on-policy; the largest is {:.4g}\n",
                       grouped(static_cast<std::uint64_t>(summary.effective_samples)), summary.largest_ratio);
  }
  return out;
}

/// With its ends, where these are not what the value and half the width say.
std::string text_of_the_interval(const PolicyValue& found) {
  if (!found.half_width) return "";
  const double half = *found.half_width;
  const double skew = std::max(std::abs(*found.value - half - *found.low), std::abs(*found.value + half - *found.high));
  if (!(skew > 0.1 * half)) return "; 95 % interval";
  return fmt::format("; 95 % interval: {:.3g} to {:.3g}", *found.low, *found.high);
}

std::string text_of_the_values(const LearnSummary& summary, const Highlight& highlight) {
  const auto strong = [&](const std::string& words) { return highlight ? highlight(words) : words; };
  std::string out;
  for (const TargetSummary& target : summary.targets) {
    out += summary.targets.size() > 1 ? "value of " + strong(target.name) + ": " : "value of the policy: ";
    if (!target.value.value) {
      out += fmt::format("{}, as {}\n", strong("none"), target.value.why_none);
      continue;
    }
    out += fmt::format("{}  ({}{})\n", strong(text_of(target.value)), whose_mean(target.value),
                       text_of_the_interval(target.value));
    if (target.returns && target.returns->episodes > 1) {
      out += "  " + text_of(*target.returns) + "\n";
    }
  }
  return out;
}

}  // namespace

std::string question_of(const TargetSummary& target) {
  const std::string& name = target.reward;
  const bool usual = name == "reward" || name == "rewards" || name == "r";
  const std::string discounted =
      target.discount < 1 ? fmt::format(", at a discount of {} a step", target.discount) : "";
  return fmt::format("How much {} will the policy collect from {}{}?", usual ? "reward" : name,
                     target.value.of_starts ? "its start" : "a state that it visits", discounted);
}

std::string text_of(const Warning& warning) {
  return warning.advice.empty() ? warning.what : fmt::format("{} ({})", warning.what, warning.advice);
}

std::string text_of(const PolicyValue& value) {
  if (!value.value) return "none";
  if (!value.half_width) return fmt::format("{:.6g}", *value.value);
  const double half = *value.half_width;
  constexpr double longest = 1e15;  // numbers with more digits than they know are written with an exponent
  if (!(half > 0) || !(half < longest) || !(std::abs(*value.value) < longest)) {
    return fmt::format("{:.6g} +- {:.2g}", *value.value, half);
  }
  const int digits = std::max(0, 1 - static_cast<int>(std::floor(std::log10(half))));
  return fmt::format("{:.{}f} +- {:.{}f}", *value.value, digits, half, digits);
}

std::string text_of(const ObservedReturns& returns) {
  std::string text =
      fmt::format("{}returns observed: {:.6g}", returns.weighted ? "importance-weighted " : "", returns.mean);
  if (returns.episodes < 2) return text + ", of one episode that ended";
  text += fmt::format(" +- {:.2g}, the mean of ", returns.half_width);
  if (returns.cut_short < 2) return text + grouped(returns.episodes) + " episodes that ended";  // one may be going on
  return text +
         fmt::format(
             "the {} of {} episodes that ended, after {:.4g} steps on average; the other {} were cut short, after "
             "{:.4g} steps, and have no return, so this need not agree with the value",
             grouped(returns.episodes), grouped(returns.episodes + returns.cut_short), returns.mean_length,
             grouped(returns.cut_short), returns.mean_length_cut);
}

std::string whose_mean(const PolicyValue& value) {
  if (value.of_starts) return "mean value of the start states";
  return value.starts_known ? "mean value of all states; episodes do not end"
                            : "mean value of all states; where episodes start is not known";
}

std::string text_of(const LearnSummary& summary, const Highlight& highlight) {
  const Recipe& recipe = summary.recipe;
  std::string out;
  if (!recipe.columns.state.empty()) out += fmt::format("columns: {}\n", text_of(recipe.columns));
  for (const std::string& choice : summary.chosen) out += choice + "\n";
  out += "\n" + text_of_the_data(summary);
  out +=
      fmt::format("{}: {}\n{} features{}, {} of them active in some state\n", recipe.learner, text_of(recipe.settings),
                  grouped(recipe.dim), recipe.features == "none" ? "" : " (" + recipe.features + ")",
                  grouped(recipe.dim - summary.features_never_active));
  for (const TargetSummary& target : summary.targets) {
    if (!target.judgements.empty()) {
      out += fmt::format("\n{}on {}:\n{}", summary.targets.size() > 1 ? target.name + ", " : "",
                         recipe.holdout > 0 ? "episodes held out" : "steps before they were learned from",
                         judgement_table(target));
    }
    if (!target.findings.empty()) out += "found: " + text_of(target.findings) + "\n";
  }
  out += "\n" + text_of_the_values(summary, highlight);
  for (const Warning& warning : summary.warnings) out += fmt::format("warning: {}\n", text_of(warning));
  return out;
}

}  // namespace bellwether
