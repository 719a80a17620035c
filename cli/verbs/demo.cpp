#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <thread>

#include <bellwether/core/files/files.h>
#include <bellwether/core/files/output_file.h>
#include <bellwether/core/support/text_table.h>
#include <bellwether/experiment/comparison.h>
#include <bellwether/learners/learners.h>
#include <bellwether/report/plot/palette.h>
#include <bellwether/report/plot/plot.h>

#include "terminal/options.h"
#include "terminal/output.h"
#include "terminal/terminal.h"
#include "verbs.h"

namespace bellwether::cli {

namespace {

struct DemoParams {
  std::int64_t steps = 1000;
  std::int64_t runs = 50;
  std::optional<std::int64_t> jobs;

  static constexpr auto fields() {
    return std::tuple{Field("steps", &DemoParams::steps, at_least(1), "steps of a run"),
                      Field("runs", &DemoParams::runs, at_least(2), "runs per setting"),
                      Field("jobs", &DemoParams::jobs, between(1, 1024), "threads; the results do not depend on them")};
  }
};

/// The values to try for a parameter, of every learner that has it or of one learner only.
struct Tried {
  std::string name;
  std::vector<double> values;
  std::string only_for = {};
};

const std::vector<Tried>& grid() {
  static const std::vector<Tried> values{{"alpha", {0.003125, 0.00625, 0.0125, 0.025, 0.05, 0.1, 0.2, 0.4, 0.8}},
                                         {"lambda", {0, 0.4, 0.8, 0.9, 1}},
                                         {"zeta", {0, 0.25, 0.5, 0.75, 1}, "abtd"},
                                         {"inverse_init", {0.1, 1, 10, 100, 1000}}};
  return values;
}

/// Every combination of the values in the grid for the parameters that the learner has; only the defaults for the
/// two that need no tuning.
std::vector<Settings> settings_of(const LearnerEntry& learner) {
  std::vector<Settings> all{{}};
  if (learner.name == "atd_compensated" || learner.name == "lstd_stream") return all;
  for (const Tried& tried : grid()) {
    const bool has = std::any_of(learner.params.begin(), learner.params.end(),
                                 [&](const ParamInfo& p) { return p.name == tried.name; });
    if (!has || (!tried.only_for.empty() && tried.only_for != learner.name)) continue;
    std::vector<Settings> longer;
    for (const Settings& settings : all) {
      for (const double value : tried.values) {
        longer.push_back(settings);
        longer.back().emplace_back(tried.name, format_number(value));
      }
    }
    all = std::move(longer);
  }
  return all;
}

/// A setting as it was given: what the demo's table shows of it.
struct Candidate {
  std::string learner;
  Settings given;
};

/// Boyan's chain with these settings.
Study study_of(const std::vector<Candidate>& candidates, const DemoParams& params, std::int64_t seed) {
  Study study;
  study.cases = {{.domain = "boyan_chain"}};
  study.run = {.steps = params.steps, .seeds = params.runs, .seed = seed};
  for (const Candidate& candidate : candidates) study.add(candidate.learner, candidate.given);
  return study;
}

/// The best candidate of each learner.
std::vector<Candidate> winners(const std::vector<Candidate>& candidates, const std::vector<SettingSummary>& summaries,
                               Metric metric) {
  std::map<std::string, std::size_t> leader;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto [it, first] = leader.try_emplace(candidates[i].learner, i);
    if (!first && better(summaries[i], summaries[it->second], metric)) it->second = i;
  }
  std::vector<Candidate> best;
  for (const LearnerEntry& learner : learners()) best.push_back(candidates[leader.at(learner.name)]);
  return best;
}

std::string table_of(const std::vector<SettingSummary>& summaries, const std::map<std::string, Settings>& chosen) {
  TextTable table({{.title = "learner", .right = false},
                   {.title = "best setting", .right = false},
                   {.title = "error over the curve"},
                   {.title = "final error"},
                   {.title = "diverged"},
                   {.title = "ns/step"}});
  const auto interval = [](const Estimate& e) {
    return e.runs == 0 ? std::string("-") : fmt::format("{:.4f} +- {:.4f}", e.mean, e.half_width);
  };
  for (const SettingSummary& summary : summaries) {
    const std::string& learner = summary.setting.learner;
    const std::string setting = text_of(chosen.at(learner));
    table.add({learner, setting.empty() ? "(untuned)" : setting, interval(summary.curves[0].average),
               interval(summary.curves[0].last), std::to_string(summary.diverged),
               fmt::format("{:.0f}", 1e9 * summary.seconds_per_step)});
  }
  return table.text();
}

/// True when the curves look the same: several learners are identical where the policies agree.
bool coincide(const std::vector<PlotPoint>& a, const std::vector<PlotPoint>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const PlotPoint& u, const PlotPoint& v) { return std::abs(u.y - v.y) <= 0.02 * std::abs(v.y); });
}

std::string picture_of(const std::vector<SettingSummary>& summaries, const std::vector<std::uint64_t>& at) {
  Plot plot;
  plot.title = "Boyan's chain: every learner at its best setting";
  plot.x_label = "steps";
  plot.y_label = "relative error of the values (mean, 95 % band)";
  plot.adapts = true;
  plot.panel_width = 570;
  plot.panel_height = 410;
  plot.panels.resize(1);
  std::vector<PlotSeries>& curves = plot.panels[0].series;
  double low = infinity;
  double high = 0;
  for (const SettingSummary& summary : summaries) {
    const Curve& curve = summary.curves[0];
    if (curve.average.runs == 0) continue;
    PlotSeries series{curves.size(), Drawn::curve, {}};
    for (std::size_t k = 0; k < at.size(); ++k) {
      const Estimate& e = curve.at[k];
      series.points.push_back({static_cast<double>(at[k]), e.mean, e.half_width, Mark::none});
    }
    const std::string label = fmt::format("{} ({:.3f})", summary.setting.learner, curve.average.mean);
    const auto twin = std::find_if(curves.begin(), curves.end(),
                                   [&](const PlotSeries& other) { return coincide(series.points, other.points); });
    if (twin != curves.end()) {
      plot.keys[twin->key].labels.push_back(label);
      continue;
    }
    for (const PlotPoint& p : series.points) {
      if (p.y > 0) low = std::min(low, p.y);
      high = std::max(high, p.y);
    }
    constexpr std::size_t colours = palette.size() - 2;  // the first is for text; the last is too dark for dark pages
    plot.keys.push_back({{label}, 1 + curves.size() % colours, curves.size() / colours, Drawn::curve});
    curves.push_back(std::move(series));
  }
  plot.x = linear_axis(0, static_cast<double>(at.back()), 6);
  plot.y = log_axis(0.9 * low, 1.1 * high, 10);
  return plot.svg();
}

struct DemoVerb {
  explicit DemoVerb(CLI::App& app)
      : verb(*app.add_subcommand("demo", "Compare all learners on Boyan's chain: print a table and draw a picture")),
        options(verb) {
    verb.add_option("--out", folder, "folder for the picture (" + folder + ")")->type_name("DIR");
  }

  void run() const;

  CLI::App& verb;
  FieldOptions<DemoParams> options;
  std::string folder = "demo";
};

void DemoVerb::run() const {
  const DemoParams params = options.parsed();
  std::vector<Candidate> candidates;
  for (const LearnerEntry& learner : learners()) {
    for (Settings& settings : settings_of(learner)) candidates.push_back({learner.name, std::move(settings)});
  }
  const auto jobs = static_cast<unsigned>(params.jobs.value_or(std::max(1U, std::thread::hardware_concurrency())));
  const PreparedStudy choosing(study_of(candidates, params, /*seed=*/1));
  std::vector<SettingSummary> summaries;
  {
    ProgressLine progress(fmt::format("{} settings of {} learners", candidates.size(), learners().size()));
    summaries = compare(choosing, {.jobs = jobs}, std::ref(progress));
  }
  // The best of many settings looks better than it is on the runs that chose it: measure it on runs of its own.
  const Metric metric = choosing.metrics().front();
  const std::vector<Candidate> best = winners(candidates, summaries, metric);
  const PreparedStudy measuring(study_of(best, params, /*seed=*/2));
  summaries = compare(measuring, {.jobs = jobs});
  std::stable_sort(summaries.begin(), summaries.end(),
                   [&](const SettingSummary& a, const SettingSummary& b) { return better(a, b, metric); });

  std::map<std::string, Settings> chosen;
  for (const Candidate& candidate : best) chosen[candidate.learner] = candidate.given;
  make_folders(folder);
  const std::string path = (std::filesystem::path(folder) / "boyan_chain.svg").string();
  write_file(path, picture_of(summaries, measuring.at()));

  print(
      fmt::format("{}: {} learners, {} settings, {} runs of {} steps each\n\n{}\n"
                  "Relative error of the values, mean over runs +- 95 % interval. Settings were chosen by the error "
                  "over the curve\n"
                  "with seed 1 and measured anew with seed 2.\nLearning curves: {}\n",
                  bold("Boyan's chain"), learners().size(), candidates.size(), params.runs, params.steps,
                  table_of(summaries, chosen), path));
}

}  // namespace

void add_demo(CLI::App& app) { add_verb<DemoVerb>(app); }

}  // namespace bellwether::cli
