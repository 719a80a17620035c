#include <algorithm>
#include <sstream>
#include <thread>

#include <nlohmann/json.hpp>

#include <bellwether/core/support/json_text.h>
#include <bellwether/core/support/text_table.h>
#include <bellwether/core/support/this_machine.h>
#include <bellwether/experiment/comparison.h>

#include "terminal/json.h"
#include "terminal/options.h"
#include "terminal/output.h"
#include "terminal/terminal.h"
#include "verbs.h"

namespace bellwether::cli {

namespace {

struct RunParams {
  std::int64_t steps = 1000;
  std::int64_t runs = 30;
  std::int64_t every = 50;
  std::int64_t seed = 1;
  std::optional<std::int64_t> jobs;
  std::string metric = "auto";

  static constexpr auto fields() {
    return std::tuple{
        Field("steps", &RunParams::steps, at_least(1), "steps of a run"),
        Field("runs", &RunParams::runs, at_least(1), "independent runs to average over"),
        Field("every", &RunParams::every, at_least(1), "steps between two measurements of the error"),
        Field("seed", &RunParams::seed, at_least(0), "seed of all randomness"),
        Field("jobs", &RunParams::jobs, between(1, 1024), "threads; the results do not depend on them"),
        Field("metric", &RunParams::metric,
              "what to report: relative, rmse, msbe, mspbe, fixed_point, effective_samples, several with commas "
              "between; auto: relative, or rmse where values change sign or are zero")};
  }
};

struct RunVerb {
  explicit RunVerb(CLI::App& app)
      : verb(*app.add_subcommand("run", "Run a learner on a domain and print its learning curve")),
        options(verb),
        evaluation(verb),
        bellman(verb) {
    verb.add_option("--domain", domain, "the domain (see bellwether list domains)")->required()->type_name("DOMAIN");
    verb.add_option("--learner", learner, "the learner (" + learner + "; see bellwether list learners)")
        ->type_name("LEARNER");
    verb.add_option("--features", features,
                    "the features, such as tile_coding, own+noise or 'tile_coding(tilings=8 tiles=6) + bias' (own: the "
                    "domain's)")
        ->type_name("FEATURES");
    add_set_option(verb, assignments, "a parameter of the learner; domain.KEY and features.KEY reach the others");
    auto* as_json = verb.add_flag("--json", json, "print JSON");
    verb.add_flag("--csv", csv, "print CSV")->excludes(as_json);
    verb.footer(
        "Examples:\n"
        "  bellwether run --domain boyan_chain --learner td --set alpha=0.1 --set lambda=0.5 --steps 2000\n"
        "  bellwether run --domain mountain_car --features own+noise --metric rmse,mspbe --steps 5000 --runs 10\n\n"
        "True values that take long to compute are kept in $BELLWETHER_CACHE, or else in ~/.cache/bellwether.");
  }

  void run() const;

  CLI::App& verb;
  FieldOptions<RunParams> options;
  FieldOptions<EvaluationParams> evaluation;
  FieldOptions<BellmanParams> bellman;
  std::string domain, features;
  std::string learner = "lstd_stream";  // the one that needs no tuning
  std::vector<std::string> assignments;
  bool json = false;
  bool csv = false;
};

std::vector<Metric> parse_metrics(const std::string& text) {
  if (text == "auto") return {};
  std::vector<Metric> metrics;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    metrics.push_back(detail::parse<Metric>("run", "metric", word));
  }
  if (metrics.empty()) metrics.push_back(detail::parse<Metric>("run", "metric", text));
  return metrics;
}

/// The empty string where there is no value: no run finished, or only one.
std::string number(double value, bool known) { return known && std::isfinite(value) ? format_number(value) : ""; }

std::string as_csv(const PreparedStudy& study, const SettingSummary& summary) {
  std::string out = "step,error,half_width,runs,diverged";
  for (std::size_t m = 1; m < study.metrics().size(); ++m) {
    out += fmt::format(",{0},{0}_half_width", detail::format(study.metrics()[m]));
  }
  for (std::size_t i = 0; i < study.at().size(); ++i) {
    const auto cells = [](const Estimate& e) {
      return fmt::format("{},{}", number(e.mean, e.runs > 0), number(e.half_width, e.runs > 0));
    };
    const Estimate& first = summary.curves.front().at[i];
    out += fmt::format("\n{},{},{},{}", study.at()[i], cells(first), first.runs, summary.diverged);
    for (std::size_t m = 1; m < summary.curves.size(); ++m) out += fmt::format(",{}", cells(summary.curves[m].at[i]));
  }
  return out + "\n";
}

nlohmann::json as_json(Metric metric, const Curve& curve, const std::vector<std::uint64_t>& at) {
  nlohmann::json points = nlohmann::json::array();
  for (std::size_t i = 0; i < at.size(); ++i) {
    nlohmann::json point = json_estimate(curve.at[i]);
    point["step"] = at[i];
    points.push_back(std::move(point));
  }
  return {{"metric", detail::format(metric)},
          {"average", json_estimate(curve.average)},
          {"last", json_estimate(curve.last)},
          {"curve", std::move(points)}};
}

std::string as_json(const PreparedStudy& study, const SettingSummary& summary, const RunVerb& verb) {
  nlohmann::json all = as_json(study.metrics().front(), summary.curves.front(), study.at());
  all.update({{"domain", verb.domain},
              {"domain_settings", json_settings(study.of_case(0).domain->settings())},
              {"feature_settings", json_settings(study.of_case(0).protocol.feature_settings)},
              {"evaluation", json_settings(values(study.study().evaluation))},
              {"bellman", json_settings(values(study.study().bellman))},
              {"features", verb.features.empty() ? "own" : verb.features},
              {"learner", summary.setting.learner},
              {"settings", json_settings(summary.setting.parameters)},
              {"steps", study.study().run.steps},
              {"runs", study.study().run.seeds},
              {"seed", study.study().run.seed},
              {"dim", study.of_case(0).dim},
              {"max_active", study.of_case(0).max_active},
              {"states", study.of_case(0).truth.size()},
              {"truth", detail::format(study.of_case(0).truth.truth)},
              {"diverged", summary.diverged},
              {"findings", json_settings(summary.findings)},
              {"others", nlohmann::json::array()}});
  for (std::size_t m = 1; m < study.metrics().size(); ++m) {
    all["others"].push_back(as_json(study.metrics()[m], summary.curves[m], study.at()));
  }
  return json_text(all, 2) + "\n";
}

/// On which states the error was measured, and how well their values are known.
std::string judged_on(const GroundTruth& truth) {
  if (truth.size() == 0) return "no true values were asked for";
  if (truth.truth == Truth::exact) return fmt::format("judged on {} states, values exact", truth.size());
  double sum = 0;
  for (const double e : truth.standard_error) sum += e;
  return fmt::format("judged on {} states, values by Monte Carlo, standard error {:.3g} on average", truth.size(),
                     sum / static_cast<double>(truth.size()));
}

std::string as_text(const PreparedStudy& study, const SettingSummary& summary, const RunVerb& verb) {
  const auto cell = [](double v, const Estimate& e) {
    return e.runs > 0 && std::isfinite(v) ? fmt::format("{:.5g}", v) : std::string("-");
  };
  std::vector<TextTable::Column> columns{{"step"}};
  for (const Metric metric : study.metrics()) {
    columns.push_back({title(metric)});
    columns.push_back({"+-"});
  }
  TextTable table(columns);
  for (std::size_t i = 0; i < study.at().size(); ++i) {
    std::vector<std::string> row{fmt::format("{}", study.at()[i])};
    for (const Curve& curve : summary.curves) {
      row.push_back(cell(curve.at[i].mean, curve.at[i]));
      row.push_back(cell(curve.at[i].half_width, curve.at[i]));
    }
    table.add(row);
  }
  std::string out =
      fmt::format("{} on {}: {}\n", bold(verb.learner), bold(verb.domain), text_of(summary.setting.parameters));
  if (const Settings settings = study.of_case(0).domain->settings(); !settings.empty()) {
    out += fmt::format("{}: {}\n", verb.domain, text_of(settings));
  }
  if (!verb.features.empty()) {
    const std::string more = text_of(study.of_case(0).protocol.feature_settings);
    out += fmt::format("features: {}{}{}\n", verb.features, more.empty() ? "" : " with ", more);
  }
  out += fmt::format("mean over {} runs of {} steps, seed {}; +- is the 95 % interval\n", study.study().run.seeds,
                     study.study().run.steps, study.study().run.seed);
  out += fmt::format("{} features, at most {} active; {}\n\n{}\n", study.of_case(0).dim, study.of_case(0).max_active,
                     judged_on(study.of_case(0).truth), table.text());
  for (std::size_t m = 0; m < study.metrics().size(); ++m) {
    const Estimate& e = summary.curves[m].average;
    if (e.runs == 0 || !std::isfinite(e.mean)) continue;
    out += fmt::format("{} averaged over the curve: {}{}\n", title(study.metrics()[m]), cell(e.mean, e),
                       std::isfinite(e.half_width) ? " +- " + cell(e.half_width, e) : "");
  }
  if (summary.diverged > 0) {
    out += fmt::format("{} of {} runs diverged and are left out of the means\n", summary.diverged,
                       study.study().run.seeds);
  }
  if (summary.grown > 0) {
    out += fmt::format("{} of {} runs end with an error more than a million times that of their start\n", summary.grown,
                       study.study().run.seeds);
  }
  if (!summary.findings.empty()) out += "found in the first run: " + text_of(summary.findings) + "\n";
  return out;
}

void RunVerb::run() const {
  const RunParams params = options.parsed();
  auto assigned = parse_assignments(assignments, {"domain", "features"});
  if (features.empty() && !assigned["features"].empty()) {
    throw InvalidArgument("run: features." + assigned["features"].front().first + " is set, but --features is not");
  }
  Study study;
  study.cases = {{domain, assigned["domain"], features, assigned["features"]}};
  study.evaluation = evaluation.parsed();
  study.bellman = bellman.parsed();
  study.metrics = parse_metrics(params.metric);
  study.run = {.steps = params.steps, .every = params.every, .seeds = params.runs, .seed = params.seed};
  study.add(learner, assigned[""]);

  const auto jobs = static_cast<unsigned>(params.jobs.value_or(std::max(1U, std::thread::hardware_concurrency())));
  std::optional<PreparedStudy> prepared;
  std::vector<SettingSummary> summaries;
  {
    ProgressLine finding_truth("true values of " + domain);
    prepared.emplace(std::move(study),
                     Preparation{.jobs = jobs, .cache = cache_folder(), .finding_truth = std::ref(finding_truth)});
  }
  {
    ProgressLine progress(learner);
    summaries = compare(*prepared, {.jobs = jobs}, std::ref(progress));
  }
  const SettingSummary& summary = summaries.front();
  print(json  ? as_json(*prepared, summary, *this)
        : csv ? as_csv(*prepared, summary)
              : as_text(*prepared, summary, *this));
}

}  // namespace

void add_run(CLI::App& app) { add_verb<RunVerb>(app); }

}  // namespace bellwether::cli
