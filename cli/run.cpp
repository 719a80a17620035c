#include <algorithm>
#include <memory>
#include <thread>

#include <nlohmann/json.hpp>

#include <bellwether/domains/all.h>
#include <bellwether/experiment/experiment.h>
#include <bellwether/learners/atd_compensated.h>
#include <bellwether/report/text_table.h>

#include "options.h"
#include "output.h"
#include "terminal.h"
#include "verbs.h"

namespace bellwether::cli {

namespace {

struct RunParams {
  std::int64_t steps = 1000;
  std::int64_t runs = 30;
  std::int64_t every = 50;
  std::int64_t seed = 1;
  std::optional<std::int64_t> jobs;
  std::optional<Metric> metric;

  static constexpr auto fields() {
    return std::tuple{Field("steps", &RunParams::steps, at_least(1), "steps of a run"),
                      Field("runs", &RunParams::runs, at_least(1), "independent runs to average over"),
                      Field("every", &RunParams::every, at_least(1), "steps between two measurements of the error"),
                      Field("seed", &RunParams::seed, at_least(0), "seed of all randomness"),
                      Field("jobs", &RunParams::jobs, between(1, 1024), "threads; the results do not depend on them"),
                      Field("metric", &RunParams::metric, "error to report; auto: relative unless a value is zero")};
  }
};

struct RunVerb {
  explicit RunVerb(CLI::App& app)
      : verb(*app.add_subcommand("run", "Run a learner on a domain: its learning curve")), options(verb) {
    verb.add_option("--domain", domain, "the domain (see bellwether list domains)")->required()->type_name("NAME");
    verb.add_option("--learner", learner, "the learner (" + learner + "; see bellwether list learners)")
        ->type_name("NAME");
    verb.add_option("--features", features, "the features (the domain's own)")->type_name("NAME");
    add_set_option(verb, assignments, "a parameter of the learner; domain.KEY and features.KEY reach the others");
    auto* as_json = verb.add_flag("--json", json, "print JSON");
    verb.add_flag("--csv", csv, "print CSV")->excludes(as_json);
    verb.footer(
        "Example: bellwether run --domain boyan_chain --learner td --set alpha=0.1 --set lambda=0.5 --steps 2000");
  }

  void run() const;

  CLI::App& verb;
  FieldOptions<RunParams> options;
  std::string domain, features;
  std::string learner = ATDCompensated::name;  // the one that needs no tuning
  std::vector<std::string> assignments;
  bool json = false;
  bool csv = false;
};

/// An empty string where there is nothing to say: no run finished, or only one.
std::string number(double value, bool known) { return known && std::isfinite(value) ? format_number(value) : ""; }

std::string as_csv(const ExperimentResult& result) {
  const LearningCurve& curve = result.curves.front();
  std::string out = "step,error,half_width,runs,diverged\n";
  for (std::size_t i = 0; i < result.at.size(); ++i) {
    const Estimate& e = curve.error[i];
    out += fmt::format("{},{},{},{},{}\n", result.at[i], number(e.mean, e.runs > 0), number(e.half_width, e.runs > 0),
                       e.runs, curve.diverged);
  }
  return out;
}

nlohmann::json json_of(const Estimate& e) {
  const auto value = [](double v, bool known) {
    return known && std::isfinite(v) ? nlohmann::json(v) : nlohmann::json(nullptr);
  };
  return {{"mean", value(e.mean, e.runs > 0)}, {"half_width", value(e.half_width, e.runs > 0)}, {"runs", e.runs}};
}

nlohmann::json json_of(const Settings& settings) {
  nlohmann::json object = nlohmann::json::object();
  for (const auto& [key, value] : settings) object[key] = value;
  return object;
}

std::string as_json(const ExperimentResult& result, const RunVerb& verb, const RunParams& params) {
  const LearningCurve& curve = result.curves.front();
  nlohmann::json points = nlohmann::json::array();
  for (std::size_t i = 0; i < result.at.size(); ++i) {
    nlohmann::json point = json_of(curve.error[i]);
    point["step"] = result.at[i];
    points.push_back(point);
  }
  return nlohmann::json{{"domain", verb.domain},
                        {"features", verb.features.empty() ? "own" : verb.features},
                        {"learner", curve.contender.learner},
                        {"settings", json_of(curve.contender.settings)},
                        {"metric", detail::format(result.metric)},
                        {"steps", params.steps},
                        {"runs", params.runs},
                        {"seed", params.seed},
                        {"diverged", curve.diverged},
                        {"average", json_of(curve.average)},
                        {"last", json_of(curve.last)},
                        {"findings", json_of(curve.findings)},
                        {"curve", points}}
             .dump(2) +
         "\n";
}

std::string as_text(const ExperimentResult& result, const RunVerb& verb, const RunParams& params) {
  const LearningCurve& curve = result.curves.front();
  const auto cell = [](double v, const Estimate& e) {
    return e.runs > 0 && std::isfinite(v) ? fmt::format("{:.5g}", v) : std::string("-");
  };
  TextTable table({{"step"}, {detail::format(result.metric) + " error"}, {"+-"}});
  for (std::size_t i = 0; i < result.at.size(); ++i) {
    const Estimate& e = curve.error[i];
    table.add({fmt::format("{}", result.at[i]), cell(e.mean, e), cell(e.half_width, e)});
  }
  std::string out =
      fmt::format("{} on {}: {}\n", bold(verb.learner), bold(verb.domain), text_of(curve.contender.settings));
  out += fmt::format("mean over {} runs of {} steps, seed {}; +- is the 95 % interval\n\n", params.runs, params.steps,
                     params.seed);
  out += table.text();
  out += fmt::format("\naveraged over the curve: {} +- {}", cell(curve.average.mean, curve.average),
                     cell(curve.average.half_width, curve.average));
  if (curve.diverged > 0) {
    out += fmt::format("\n{} of {} runs diverged and are left out of the means", curve.diverged, params.runs);
  }
  if (!curve.findings.empty()) out += "\nfound in the first run: " + text_of(curve.findings);
  return out + "\n";
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
  experiment.metric = params.metric;
  experiment.steps = static_cast<std::uint64_t>(params.steps);
  experiment.runs = static_cast<std::uint64_t>(params.runs);
  experiment.every = static_cast<std::uint64_t>(params.every);
  experiment.seed = static_cast<std::uint64_t>(params.seed);
  experiment.contenders = {{learner, assigned[""]}};

  ExperimentResult result;
  {
    ProgressLine progress(learner);
    const auto jobs = static_cast<unsigned>(params.jobs.value_or(std::max(1U, std::thread::hardware_concurrency())));
    result = bellwether::run(experiment, jobs, std::ref(progress));
  }
  Output out("");
  out.write(json ? as_json(result, *this, params) : csv ? as_csv(result) : as_text(result, *this, params));
  out.finish();
}

}  // namespace

void add_run(CLI::App& app) {
  auto verb = std::make_shared<RunVerb>(app);
  verb->verb.callback([verb] { verb->run(); });
}

}  // namespace bellwether::cli
