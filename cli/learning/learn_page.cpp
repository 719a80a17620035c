#include "learning/learn_page.h"

#include <algorithm>

#include <fmt/format.h>

#include <bellwether/core/files.h>
#include <bellwether/core/text.h>
#include <bellwether/core/version.h>
#include <bellwether/report/plot.h>
#include <bellwether/report/svg_text.h>

#include "terminal/command_line.h"
#include "terminal/flags.h"

namespace bellwether::cli {

namespace {

constexpr const char* style = R"(
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.value { font-size: 2rem; font-weight: 600; margin: .2rem 0; }
.warning { border-left: .3rem solid #d97706; padding: .3rem .8rem; margin: .5rem 0; }
table { border-collapse: collapse; } th, td { padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #8884; }
svg { max-width: 100%; height: auto; } code { overflow-wrap: anywhere; } .small { opacity: .75; }
)";

using Lines = std::vector<std::pair<std::string, std::vector<PlotPoint>>>;

/// Curves over the steps learned from; empty when no curve has two points.
std::string picture(const std::string& title, const std::string& y_label, const Lines& lines, bool positive_only) {
  Plot plot;
  plot.title = title;
  plot.x_label = "steps learned from";
  plot.y_label = y_label;
  plot.adapts = true;
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
  if (plot.keys.empty() || !(high >= low)) return {};
  constexpr std::size_t labels = 6;
  plot.x = log_axis(first, last, labels);
  plot.y = positive_only && low > 0 && high > 10 * low ? log_axis(low, high, labels)
                                                       : linear_axis(std::min(low, 0.0), std::max(high, 0.0), labels);
  return plot.svg();
}

std::string pictures(const std::vector<Judgement>& all) {
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
  return picture("Errors on steps that were not learned from", "root mean square", errors, true) +
         picture("Returns where episodes end", "mean", means, false);
}

std::string table(const std::vector<Judgement>& all) {
  std::string text =
      "<table><tr><th>after steps<th>judged on<th>TD error<th>projected<th>returns<th>mean return<th>predicted</tr>";
  for (const Judgement& j : all) {
    text += fmt::format("<tr><td>{}<td>{}<td>{:.4g}<td>{}<td>{}", grouped(j.after), grouped(j.steps), j.td_error,
                        j.projected ? fmt::format("{:.4g}", *j.projected) : "&ndash;", grouped(j.returns));
    text += j.returns > 0 ? fmt::format("<td>{:.4g}<td>{:.4g}</tr>", j.mean_return, j.mean_value)
                          : "<td>&ndash;<td>&ndash;</tr>";
  }
  return text + "</table>";
}

}  // namespace

void write_page(const LearnSummary& summary, const std::string& path) {
  const Recipe& recipe = summary.recipe;
  std::string page = fmt::format(
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>Value of the policy</title><style>{}</style><body>",
      style);
  page += fmt::format("<h1>{} with {}</h1><p>{} steps, {} episodes, {} of which end.</p>", xml_text(recipe.learner),
                      xml_text(recipe.features == "none" ? "ready-made features" : recipe.features),
                      grouped(summary.steps), grouped(summary.episodes), grouped(summary.episodes_ended));
  for (const std::string& warning : summary.warnings) {
    page += fmt::format("<p class=\"warning\" role=\"note\">{}</p>", xml_text(with_flags(warning)));
  }
  for (const TargetSummary& target : summary.targets) {
    const PolicyValue& value = target.value;
    std::string shown = text_of(value);
    if (const std::size_t at = shown.find("+-"); at != std::string::npos) shown.replace(at, 2, "\u00b1");
    page += fmt::format("<h2>{}</h2><p class=\"value\">{}</p><p class=\"small\">{}{}</p>", xml_text(target.name), shown,
                        value.of_starts ? "mean value of the start states" : "mean value of all states",
                        value.half_width ? ", with its 95 % interval from resampled episodes" : "");
    if (target.returns && target.returns->episodes > 1) {
      page += fmt::format("<p>Returns observed: {:.6g} \u00b1 {:.2g}, the mean of {} episodes that ended.</p>",
                          target.returns->mean, 2 * target.returns->standard_error, grouped(target.returns->episodes));
    }
    page += pictures(target.judgements) + table(target.judgements);
    if (!target.findings.empty()) page += fmt::format("<p>Found: {}</p>", xml_text(text_of(target.findings)));
  }
  page += "<h2>How it was made</h2>";
  for (const std::string& choice : summary.chosen) page += fmt::format("<p>{}</p>", xml_text(with_flags(choice)));
  page +=
      fmt::format("<p>{}: {}</p><p><code>{}</code></p><p class=\"small\">Bellwether {}</p></body></html>\n",
                  xml_text(recipe.learner), xml_text(text_of(recipe.settings)), xml_text(command_line()), version());
  write_file(path, page);
}

}  // namespace bellwether::cli
