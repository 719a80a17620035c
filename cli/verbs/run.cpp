#include <algorithm>
#include <memory>
#include <sstream>
#include <thread>

#include <nlohmann/json.hpp>

#include <bellwether/core/text_table.h>
#include <bellwether/domains/domains.h>
#include <bellwether/experiment/experiment.h>

#include "studies/folders.h"
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
      : verb(*app.add_subcommand("run", "Run a learner on a domain: its learning curve")),
        options(verb),
        evaluation(verb),
        bellman(verb) {
    verb.add_option("--domain", domain, "the domain (see bellwether list domains)")->required()->type_name("NAME");
    verb.add_option("--learner", learner, "the learner (" + learner + "; see bellwether list learners)")
        ->type_name("NAME");
    verb.add_option("--features", features,
                    "the features, such as tile_coding, own+noise or 'tile_coding(tilings=8 tiles=6) + bias' (own: the "
                    "domain's)")
        ->type_name("NAMES");
    add_set_option(verb, assignments, "a parameter of the learner; domain.KEY and features.KEY reach the others");
    auto* as_json = verb.add_flag("--json", json, "print JSON");
    verb.add_flag("--csv", csv, "print CSV")->excludes(as_json);
    verb.footer(
        "Examples:\n"
        "  bellwether run --domain boyan_chain --learner td --set alpha=0.1 --set lambda=0.5 --steps 2000\n"
        "  bellwether run --domain mountain_car --features own+noise --metric rmse,mspbe --steps 5000 --runs 10\n\n"
        "True values that take long to find are kept in $BELLWETHER_CACHE, else in ~/.cache/bellwether.");
  }

  void run() const;

  CLI::App& verb;
  FieldOptions<RunParams> options;
  FieldOptions<EvaluationParams> evaluation;
  FieldOptions<BellmanParams> bellman;
  std::string domain, features;
  std::string learner = "atd_compensated";  // the one that needs no tuning
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

/// An empty string where there is nothing to say: no run finished, or only one.
std::string number(double value, bool known) { return known && std::isfinite(value) ? format_number(value) : ""; }

std::string as_csv(const ExperimentResult& result) {
  const LearningCurve& curve = result.curves.front();
  std::string out = "step,error,half_width,runs,diverged";
  for (std::size_t m = 1; m < result.metrics.size(); ++m) {
    out += fmt::format(",{0},{0}_half_width", detail::format(result.metrics[m]));
  }
  for (std::size_t i = 0; i < result.at.size(); ++i) {
    const auto cells = [](const Estimate& e) {
      return fmt::format("{},{}", number(e.mean, e.runs > 0), number(e.half_width, e.runs > 0));
    };
    const Estimate& first = curve.courses.front().at[i];
    out += fmt::format("\n{},{},{},{}", result.at[i], cells(first), first.runs, curve.diverged);
    for (std::size_t m = 1; m < curve.courses.size(); ++m) out += fmt::format(",{}", cells(curve.courses[m].at[i]));
  }
  return out + "\n";
}

nlohmann::json as_json(const Estimate& e) {
  const auto value = [](double v, bool known) {
    return known && std::isfinite(v) ? nlohmann::json(v) : nlohmann::json(nullptr);
  };
  return {{"mean", value(e.mean, e.runs > 0)}, {"half_width", value(e.half_width, e.runs > 0)}, {"runs", e.runs}};
}

nlohmann::json as_json(const Settings& settings) {
  nlohmann::json object = nlohmann::json::object();
  for (const auto& [key, value] : settings) object[key] = value;
  return object;
}

nlohmann::json as_json(Metric metric, const Course& course, const std::vector<std::uint64_t>& at) {
  nlohmann::json points = nlohmann::json::array();
  for (std::size_t i = 0; i < at.size(); ++i) {
    nlohmann::json point = as_json(course.at[i]);
    point["step"] = at[i];
    points.push_back(std::move(point));
  }
  return {{"metric", detail::format(metric)},
          {"average", as_json(course.average)},
          {"last", as_json(course.last)},
          {"curve", std::move(points)}};
}

std::string as_json(const ExperimentResult& result, const Experiment& experiment, const RunVerb& verb) {
  const LearningCurve& curve = result.curves.front();
  nlohmann::json all = as_json(result.metrics.front(), curve.courses.front(), result.at);
  all.update({{"domain", verb.domain},
              {"domain_settings", as_json(experiment.domain->settings())},
              {"feature_settings", as_json(experiment.feature_settings)},
              {"evaluation", as_json(values(experiment.evaluation))},
              {"bellman", as_json(values(experiment.bellman))},
              {"features", verb.features.empty() ? "own" : verb.features},
              {"learner", curve.contender.learner},
              {"settings", as_json(curve.contender.settings)},
              {"steps", experiment.steps},
              {"runs", experiment.runs},
              {"seed", experiment.seed},
              {"dim", result.dim},
              {"max_active", result.max_active},
              {"states", result.truth.size()},
              {"truth", detail::format(result.truth.truth)},
              {"diverged", curve.diverged},
              {"findings", as_json(curve.findings)},
              {"others", nlohmann::json::array()}});
  for (std::size_t m = 1; m < result.metrics.size(); ++m) {
    all["others"].push_back(as_json(result.metrics[m], curve.courses[m], result.at));
  }
  return all.dump(2) + "\n";
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

std::string as_text(const ExperimentResult& result, const Experiment& experiment, const RunVerb& verb) {
  const LearningCurve& curve = result.curves.front();
  const auto cell = [](double v, const Estimate& e) {
    return e.runs > 0 && std::isfinite(v) ? fmt::format("{:.5g}", v) : std::string("-");
  };
  std::vector<TextTable::Column> columns{{"step"}};
  for (const Metric metric : result.metrics) {
    columns.push_back({title(metric)});
    columns.push_back({"+-"});
  }
  TextTable table(columns);
  for (std::size_t i = 0; i < result.at.size(); ++i) {
    std::vector<std::string> row{fmt::format("{}", result.at[i])};
    for (const Course& course : curve.courses) {
      row.push_back(cell(course.at[i].mean, course.at[i]));
      row.push_back(cell(course.at[i].half_width, course.at[i]));
    }
    table.add(row);
  }
  std::string out =
      fmt::format("{} on {}: {}\n", bold(verb.learner), bold(verb.domain), text_of(curve.contender.settings));
  if (const Settings settings = experiment.domain->settings(); !settings.empty()) {
    out += fmt::format("{}: {}\n", verb.domain, text_of(settings));
  }
  if (!verb.features.empty()) {
    const std::string more = text_of(experiment.feature_settings);
    out += fmt::format("features: {}{}{}\n", verb.features, more.empty() ? "" : " with ", more);
  }
  out += fmt::format("mean over {} runs of {} steps, seed {}; +- is the 95 % interval\n", experiment.runs,
                     experiment.steps, experiment.seed);
  out += fmt::format("{} features, at most {} active; {}\n\n{}\n", result.dim, result.max_active,
                     judged_on(result.truth), table.text());
  for (std::size_t m = 0; m < result.metrics.size(); ++m) {
    const Estimate& e = curve.courses[m].average;
    out += fmt::format("{} averaged over the curve: {} +- {}\n", title(result.metrics[m]), cell(e.mean, e),
                       cell(e.half_width, e));
  }
  if (curve.diverged > 0) {
    out += fmt::format("{} of {} runs diverged and are left out of the means\n", curve.diverged, experiment.runs);
  }
  if (!curve.findings.empty()) out += "found in the first run: " + text_of(curve.findings) + "\n";
  return out;
}

void RunVerb::run() const {
  const RunParams params = options.parsed();
  auto assigned = parse_assignments(assignments, {"domain", "features"});
  if (features.empty() && !assigned["features"].empty()) {
    throw InvalidArgument("run: features." + assigned["features"].front().first + " is set, but --features is not");
  }
  const auto the_domain = make_domain(domain, assigned["domain"]);
  Experiment experiment;
  experiment.domain = the_domain.get();
  experiment.features = features;
  experiment.feature_settings = assigned["features"];
  experiment.evaluation = evaluation.parsed();
  experiment.cache = cache_folder();
  experiment.metrics = parse_metrics(params.metric);
  experiment.bellman = bellman.parsed();
  experiment.steps = static_cast<std::uint64_t>(params.steps);
  experiment.runs = static_cast<std::uint64_t>(params.runs);
  experiment.every = static_cast<std::uint64_t>(params.every);
  experiment.seed = static_cast<std::uint64_t>(params.seed);
  experiment.contenders = {{learner, assigned[""]}};

  ExperimentResult result;
  {
    ProgressLine progress(learner);
    const auto jobs = static_cast<unsigned>(params.jobs.value_or(std::max(1U, std::thread::hardware_concurrency())));
    ProgressLine finding_truth("true values of " + domain);
    result = bellwether::run(experiment, jobs, std::ref(progress), std::ref(finding_truth));
  }
  Output out("");
  out.write(json ? as_json(result, experiment, *this) : csv ? as_csv(result) : as_text(result, experiment, *this));
  out.finish();
}

}  // namespace

void add_run(CLI::App& app) {
  auto verb = std::make_shared<RunVerb>(app);
  verb->verb.callback([verb] { verb->run(); });
}

}  // namespace bellwether::cli
