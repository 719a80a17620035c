#include <algorithm>
#include <filesystem>
#include <memory>
#include <thread>

#include <unistd.h>

#include <fmt/format.h>

#include <bellwether/model/model.h>

#include "learning/learn_page.h"
#include "learning/learn_shards.h"
#include "learning/learn_summary.h"
#include "learning/log_options.h"
#include "learning/model_io.h"
#include "learning/value_lines.h"
#include "studies/mpi_ranks.h"
#include "terminal/interrupt.h"
#include "terminal/options.h"
#include "terminal/output.h"
#include "terminal/terminal.h"
#include "verbs.h"

namespace bellwether::cli {

namespace {

struct LearnParams {
  std::int64_t passes = 1;
  double holdout = 0;
  std::optional<std::int64_t> resamples = std::nullopt;
  std::int64_t sample = 1000;
  std::int64_t seed = 1;
  std::optional<std::int64_t> jobs = std::nullopt;

  static constexpr auto fields() {
    return std::tuple{
        Field("passes", &LearnParams::passes, at_least(1), "how often to go through the files"),
        Field(
            "holdout", &LearnParams::holdout, {0, 1, false, true},
            "share of the episodes to judge by instead of learning from them; with 0, steps are judged by just before "
            "they are learned from"),
        Field(
            "resamples", &LearnParams::resamples, between(0, Model::most_resamples),
            "random halves of the episodes that are learned from besides, for 95 % intervals; auto: 20, but none where "
            "that takes long"),
        Field("sample", &LearnParams::sample, at_least(1), "rows of a stream from which features get their ranges"),
        Field("seed", &LearnParams::seed, at_least(0), "of features, resampling and holding out"),
        Field("jobs", &LearnParams::jobs, between(1, 1024), "threads; auto: one per core")};
  }
};

struct LearnVerb {
  explicit LearnVerb(CLI::App& app)
      : verb(*app.add_subcommand("learn", "Learn values from logs or a stream, and keep them as a model")),
        log(verb),
        options(verb) {
    verb.add_option("data", files,
                    "CSV, TSV, JSON lines (also .gz), .npy, .npz, HDF5 (Minari), sparse rows; - is standard input")
        ->required()
        ->type_name("FILE...");
    verb.add_option("-m,--model", model, "write the model to this file")->type_name("FILE");
    verb.add_option("--learner", learner, "the learner (auto: exact least squares where it fits, else accelerated TD)")
        ->type_name("NAME");
    add_set_option(verb, assignments, "a parameter of the learner, or features.NAME for one of the features");
    verb.add_option("--features", features, "features of the state (auto), or none if the columns are features already")
        ->type_name("DESCRIPTION");
    verb.add_flag("--continue", go_on, "go on from the model if there is one; a stream always does");
    verb.add_option("--like", like,
                    "use columns, features with their ranges, and learner of this model, but start anew")
        ->type_name("MODEL");
    verb.add_option("--checkpoint", checkpoint, "write the model every so often: 10s, 5m, 1h")->type_name("TIME");
    verb.add_option("--predict", predictions, "append the value of every state as it comes, as JSON lines")
        ->type_name("FILE");
    verb.add_option("--weights", weights, "write the weights as .csv or .npy")->type_name("FILE");
    verb.add_option("--report", report, "write a page with the diagnostics")->type_name("FILE");
    verb.add_flag("--json", json, "print the summary as JSON");
    verb.footer(
        "Example: bellwether learn log.csv --state position,velocity --reward r --done done --discount 0.99 -m m.bw");
  }

  void run() const;

  CLI::App& verb;
  LogOptions log;
  FieldOptions<LearnParams> options;
  std::vector<std::string> files, assignments;
  std::string model, learner, features, like, checkpoint, predictions, weights, report;
  bool go_on = false;
  bool json = false;

 private:
  LogRequest request(const LearnParams& params) const;
  void check_outputs() const;
  bool is_stream() const { return files.size() == 1 && bellwether::is_stream(files[0]); }
};

/// "10s", "5m", "1h" in seconds.
double seconds_in(const std::string& text) {
  const double unit_seconds = text.ends_with('h') ? 3600 : text.ends_with('m') ? 60 : 1;
  const std::string number = text.substr(0, text.find_first_of("smh"));
  const double value = detail::parse_number("learn", "checkpoint", number);
  if (!(value > 0) || text.size() > number.size() + 1) {
    throw InvalidArgument(fmt::format("learn: checkpoint = {} is not a time such as 10s, 5m or 1h", text));
  }
  return value * unit_seconds;
}

/// What is read must not be written over, nor one output by another.
void LearnVerb::check_outputs() const {
  namespace fs = std::filesystem;
  std::vector<std::string> taken = files;
  for (const std::string& path : {model, predictions, weights, report}) {
    if (path.empty()) continue;
    std::error_code failed;
    for (const std::string& other : taken) {
      if (other != "-" &&
          (path == other || (fs::is_regular_file(path, failed) && fs::equivalent(path, other, failed)))) {
        throw InvalidArgument(fmt::format("learn: {} would be written over", other));
      }
    }
    taken.push_back(path);
  }
}

LogRequest LearnVerb::request(const LearnParams& params) const {
  auto assigned = parse_assignments(assignments, {"features"});
  LogRequest wanted = log.request();
  wanted.files = files;
  wanted.features = features;
  wanted.feature_settings = assigned["features"];
  if (features.empty() && !wanted.feature_settings.empty()) {
    throw InvalidArgument("learn: features." + wanted.feature_settings.front().first +
                          " is set, but --features is not");
  }
  wanted.learner = learner;
  wanted.settings = assigned[""];
  if (params.resamples) wanted.resamples = static_cast<std::size_t>(*params.resamples);
  wanted.holdout = params.holdout;
  wanted.seed = static_cast<std::uint64_t>(params.seed);
  wanted.sample = static_cast<std::size_t>(params.sample);
  return wanted;
}

/// Steps after which weights are judged: 500, 1000, 2000, ... by what comes next.
class Judging {
 public:
  void before(const StepBlock& to_come, Model& model) {
    if (model.episodes().steps() < next_ || to_come.size() == 0) return;
    model.judge(to_come);
    next_ = 2 * model.episodes().steps();
  }

 private:
  std::uint64_t next_ = 500;
};

void LearnVerb::run() const {
  const LearnParams params = options.parsed();
  const double every = checkpoint.empty() ? 0 : seconds_in(checkpoint);
  if (model.empty() && every > 0) throw InvalidArgument("learn: --checkpoint needs a --model to write");
  if (!weights.empty()) check_weights_path(weights);
  check_outputs();
  if (go_on && model.empty()) throw InvalidArgument("learn: --continue needs the --model to go on from");
  if (params.passes > 1 && is_stream()) throw InvalidArgument("learn: standard input can be read once only");
  const Interrupt interrupt;
  LogRequest wanted = request(params);
  Shards shards(launched_ranks(), wanted.files);

  const bool resumes = (go_on || is_stream()) && !model.empty() && std::filesystem::exists(model);
  std::unique_ptr<Model> learned;
  std::unique_ptr<LogSource> source;
  try {
    ProgressLine progress("looking at " + files.front(), shards.first());
    if (resumes || !like.empty()) {
      learned = std::make_unique<Model>(read_model(resumes ? model : like));
      if (!resumes) learned = std::make_unique<Model>(learned->recipe());
      source = std::make_unique<LogSource>(wanted, learned->recipe());
      source->continue_from(learned->waiting);
    } else {
      source = shards.open(wanted, std::ref(progress));
      learned = std::make_unique<Model>(source->recipe());
    }
  } catch (const InvalidArgument&) {
    if (!is_stream() || !Interrupt::asked()) throw;
    fmt::print(stderr, "interrupted before there was anything to learn from; nothing was written\n");
    return;
  }
  if (resumes) fmt::print(stderr, "going on from {} after {} steps\n", model, grouped(learned->episodes().steps()));

  const auto save = [&] {
    learned->waiting = source->waiting();
    Output out(model);
    out.write(learned->bytes());
    out.finish();
  };
  const auto jobs = static_cast<unsigned>(params.jobs.value_or(std::max(1U, std::thread::hardware_concurrency())));
  std::unique_ptr<ValueLines> values;
  if (!predictions.empty()) values = std::make_unique<ValueLines>(predictions);
  Judging judging;
  ProgressLine progress("learning", shards.first());
  auto saved = std::chrono::steady_clock::now();
  // A stream ends by itself when it is interrupted, after what has come already.
  const auto stopped = [&] { return Interrupt::asked() && !is_stream(); };
  for (std::int64_t pass = 0; pass < params.passes && !stopped(); ++pass) {
    if (pass > 0) {
      source->rewind();
      learned->begin_pass();
    }
    while (const StepBlock* block = source->next()) {
      if (pass == 0) judging.before(*block, *learned);
      if (values && pass == 0) values->write(*learned, *block);
      learned->learn(*block, jobs);
      const std::string note = grouped(learned->learner(0).steps()) + " steps";
      if (const auto share = source->fraction()) {
        progress((static_cast<double>(pass) + *share) / static_cast<double>(params.passes), note);
      }
      const auto now = std::chrono::steady_clock::now();
      if (every > 0 && std::chrono::duration<double>(now - saved).count() >= every) {
        save();
        saved = now;
      }
      if (stopped()) break;
    }
  }
  progress.clear();
  if (stopped()) {
    fmt::print(stderr, "interrupted after {} steps; {}\n", grouped(learned->learner(0).steps()),
               every > 0 ? model + " holds what was learned until the last checkpoint" : "nothing was written");
    throw Stopped{};
  }
  if (learned->recipe().holdout > 0) learned->judge({});

  LogRemarks remarks{source->choices(), source->skipped(), source->first_skipped(), source->without_end()};
  if (!shards.gather(*learned, remarks)) return;
  if (!weights.empty()) write_weights(*learned, weights);
  if (!report.empty()) write_page(*learned, remarks, report);
  if (!model.empty()) save();
  Output out("");
  out.write(json ? summary_json(*learned, remarks) : summary_text(*learned, remarks));
  if (!json && !model.empty()) out.write(fmt::format("the model is in {}\n", model));
  out.finish();
}

}  // namespace

void add_learn(CLI::App& app) {
  auto verb = std::make_shared<LearnVerb>(app);
  verb->verb.callback([verb] { with_all_ranks([&] { verb->run(); }); });
}

}  // namespace bellwether::cli
