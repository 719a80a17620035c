#include "learning/learn_page.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include <bellwether/core/support/files.h>
#include <bellwether/core/support/text.h>
#include <bellwether/core/support/text_table.h>
#include <bellwether/report/page.h>

#include "terminal/command_line.h"
#include "terminal/flags.h"

namespace bellwether::cli {

namespace {

using Lines = std::vector<std::pair<std::string, std::vector<PlotPoint>>>;

/// Adds a figure of curves over the steps learned from, unless every curve has less than two points.
void add_curves(Page& page, const std::string& title, const std::string& y_label, const Lines& lines,
                bool positive_only) {
  Plot plot;
  plot.title = title;
  plot.x_label = "steps learned from";
  plot.y_label = y_label;
  plot.panels.emplace_back();
  double first = infinity, last = 0, low = infinity, high = -infinity;
  for (const auto& [label, points] : lines) {
    if (points.size() < 2) continue;
    plot.keys.push_back({{label}, plot.keys.size(), plot.keys.size(), Drawn::curve});
    plot.panels[0].series.push_back({plot.keys.size() - 1, Drawn::curve, points});
    for (const PlotPoint& p : points) {
      first = std::min(first, p.x);
      last = std::max(last, p.x);
      if (!positive_only || p.y > 0) low = std::min(low, p.y);
      high = std::max(high, p.y);
    }
  }
  if (plot.keys.empty() || !(high >= low)) return;
  constexpr std::size_t labels = 6;
  plot.x = log_axis(first, last, labels);
  plot.y = positive_only && low > 0 && high > 10 * low ? log_axis(low, high, labels)
                                                       : linear_axis(std::min(low, 0.0), std::max(high, 0.0), labels);
  page.figure(std::move(plot));
}

void add_figures(Page& page, const std::vector<Judgement>& all) {
  Lines errors{{"TD error", {}}, {"projected Bellman error", {}}, {"error of the returns", {}}};
  Lines means{{"mean return observed", {}}, {"mean value predicted", {}}};
  for (const Judgement& j : all) {
    const auto x = static_cast<double>(j.after);
    errors[0].second.push_back({x, j.td_error});
    if (j.projected && *j.projected > 0) errors[1].second.push_back({x, *j.projected});
    if (j.returns == 0) continue;
    errors[2].second.push_back({x, j.return_error});
    means[0].second.push_back({x, j.mean_return});
    means[1].second.push_back({x, j.mean_value});
  }
  add_curves(page, "Errors on steps that had not been learned from", "root mean square", errors, true);
  add_curves(page, "Returns of episodes that ended", "mean", means, false);
}

TextTable table_of(const std::vector<Judgement>& all) {
  TextTable table({{"after steps"},
                   {"judged on"},
                   {"TD error"},
                   {"projected Bellman error"},
                   {"returns"},
                   {"mean return"},
                   {"mean value"}});
  const std::string none = "\u2013";
  const auto number = [](double value) { return fmt::format("{:.4g}", value); };
  for (const Judgement& j : all) {
    table.add({grouped(j.after), grouped(j.steps), number(j.td_error), j.projected ? number(*j.projected) : none,
               grouped(j.returns), j.returns > 0 ? number(j.mean_return) : none,
               j.returns > 0 ? number(j.mean_value) : none});
  }
  return table;
}

std::string with_plus_minus(std::string text) {
  if (const std::size_t at = text.find("+-"); at != std::string::npos) text.replace(at, 2, "\u00b1");
  return text;
}

/// What was learned about one target.
void add_target(Page& page, const TargetSummary& target) {
  const PolicyValue& value = target.value;
  if (!value.value) {
    page.heading(target.name);
    page.value("none");
    page.warning(with_flags(fmt::format("There is no value, as {}.", value.why_none)));
    add_figures(page, target.judgements);
    return;
  }
  page.heading(target.name);
  page.value(with_plus_minus(text_of(value)));
  page.note(fmt::format("{}{}.",
                        value.of_starts ? "The mean value of the start states" : "The mean value of the states visited",
                        value.half_width ? ", with a 95 % interval from resampled episodes" : ""));
  if (target.returns && target.returns->episodes > 1) {
    std::string returns = with_plus_minus(text_of(*target.returns)) + ".";
    returns[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(returns[0])));
    page.paragraph(returns);
  }
  add_figures(page, target.judgements);
  page.table(table_of(target.judgements));
  if (!target.findings.empty()) page.paragraph(fmt::format("Found: {}", text_of(target.findings)));
}

}  // namespace

void write_page(const LearnSummary& summary, const std::string& path) {
  const Recipe& recipe = summary.recipe;
  Page page("Value of the policy");
  page.paragraph(fmt::format("Learned by {} with {} from {} steps of {} episodes, {} of which ended.", recipe.learner,
                             recipe.features == "none" ? "ready-made features" : recipe.features,
                             grouped(summary.steps), grouped(summary.episodes), grouped(summary.episodes_ended)));
  for (const std::string& warning : summary.warnings) page.warning(with_flags(warning));
  for (const TargetSummary& target : summary.targets) add_target(page, target);
  page.heading("How it was made");
  for (const std::string& choice : summary.chosen) page.paragraph(with_flags(choice));
  page.paragraph(fmt::format("{}: {}", recipe.learner, text_of(recipe.settings)));
  page.command(command_line());
  write_file(path, page.html());
}

}  // namespace bellwether::cli
