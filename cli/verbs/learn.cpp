#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <bellwether/core/files/files.h>
#include <bellwether/core/files/output_file.h>
#include <bellwether/core/support/thread_limit.h>
#include <bellwether/data/log/log_file.h>
#include <bellwether/model/learning/learn.h>
#include <bellwether/model/learning/open_log.h>
#include <bellwether/model/model_file.h>

#include "learning/learn_page.h"
#include "learning/log_options.h"
#include "learning/value_lines.h"
#include "learning/weights.h"
#include "studies/mpi_ranks.h"
#include "terminal/flags.h"
#include "terminal/interrupt.h"
#include "terminal/options.h"
#include "terminal/output.h"
#include "terminal/terminal.h"
#include "verbs.h"

namespace bellwether::cli {

namespace {

namespace fs = std::filesystem;

struct LearnVerb {
  explicit LearnVerb(CLI::App& app)
      : verb(*app.add_subcommand("learn", "Learn values from logs or a stream and save them as a model")),
        options(verb) {
    add_log_options(verb, request);
    verb.add_option("data", files,
                    "CSV, TSV, JSON lines (also .gz), .npy, .npz, HDF5 (Minari), Parquet, Arrow, sparse rows; - is "
                    "standard input")
        ->required()
        ->type_name("FILE...");
    verb.add_option("-m,--model", request.model, "write the model to this file")->type_name("FILE");
    verb.add_option("--learner", request.learner,
                    "the learner (auto: exact least squares where it fits, else accelerated TD)")
        ->type_name("LEARNER");
    add_set_option(verb, assignments, "a parameter of the learner, or features.NAME for one of the features");
    verb.add_option("--features", request.features,
                    "features of the state (auto), or none if the columns are features already")
        ->type_name("FEATURES");
    verb.add_flag("--continue", request.resume, "continue from the model if it exists; a stream always does");
    verb.add_flag("--again", request.again, "learn even from files that the model has learned from already");
    verb.add_option("--like", request.like,
                    "use the columns, the features with their ranges and the learner of this model, but start anew")
        ->type_name("MODEL");
    verb.add_option("--checkpoint", checkpoint, "write the model again after every such time: 10s, 5m, 1h")
        ->type_name("TIME");
    verb.add_option("--predict", predictions, "append the value of every state as it arrives, as JSON lines")
        ->type_name("FILE");
    verb.add_option("--weights", weights, "write the weights as .csv or .npy")->type_name("FILE");
    verb.add_option("--report", report, "write a page with the answer, figures and diagnostics")->type_name("FILE");
    verb.add_flag("--json", json, "print the summary as JSON");
    verb.footer(
        "Example: bellwether learn log.csv --state position,velocity --reward r --done done --discount 0.99 -m m.bw");
  }

  void run() const {
    with_all_ranks([this] { learn_values(); });
  }

  CLI::App& verb;
  LearnRequest request;
  FieldOptions<LearnParams> options;
  std::vector<std::string> assignments;
  std::vector<std::string> files;
  std::string checkpoint, predictions, weights, report;
  bool json = false;

 private:
  void learn_values() const;
  LearnRequest whole_request() const;
  void show(const LearnResult& result) const;
};

/// The seconds in "10s", "5m" or "1h".
double seconds_in(const std::string& text) {
  const double unit_seconds = text.ends_with('h') ? 3600 : text.ends_with('m') ? 60 : 1;
  const bool has_unit = text.find_last_of("smh") + 1 == text.size();
  try {
    const double value = detail::parse_number("learn", "checkpoint", text.substr(0, text.size() - (has_unit ? 1 : 0)));
    if (value > 0) return value * unit_seconds;
  } catch (const InvalidArgument&) {  // said below
  }
  throw InvalidArgument(fmt::format("learn: checkpoint = '{}' is not a time such as 10s, 5m or 1h", text));
}

/// Rejects models, and words that are no files but columns of the first one.
void check_logs(const std::vector<std::string>& files, char decimal) {
  for (const std::string& file : files) {
    if (begins_as_model(file)) {
      throw InvalidArgument(fmt::format("learn: {} is a model, not a log; predict and inspect read it", file));
    }
    std::error_code failed;
    if (is_stream(file) || is_stream(files.front()) || fs::exists(file, failed) || &file == &files.front()) continue;
    LogFile first(files.front(), {.decimal = decimal});
    const auto columns = first.holds_steps() ? std::vector<std::string>{} : first.table()->columns();
    if (std::find(columns.begin(), columns.end(), file) == columns.end()) continue;
    throw InvalidArgument(fmt::format(
        "learn: there is no file '{}', but {} has such a column; names have commas between them: --state NAME,NAME",
        file, files.front()));
  }
}

LearnRequest LearnVerb::whole_request() const {
  auto assigned = parse_assignments(assignments, {"features"});
  LearnRequest wanted = request;
  wanted.files.assign(files.begin(), files.end());
  wanted.feature_settings = assigned["features"];
  wanted.settings = assigned[""];
  wanted.params = options.parsed();
  wanted.figures = !report.empty();
  wanted.checkpoint = checkpoint.empty() ? 0 : seconds_in(checkpoint);
  return wanted;
}

void LearnVerb::learn_values() const {
  const LearnRequest wanted = whole_request();
  const ThreadLimit limit(threads_of(wanted));  // also for what is shown afterwards
  check_logs(files, request.decimal);
  if (!weights.empty()) check_weights_path(weights);
  const std::vector<std::string> outputs{request.model, predictions, weights, report};
  reject_overwriting("learn", files, outputs);
  for (const std::string& path : outputs) require_folder(path);
  if (!report.empty()) check_page_script();
  const Interrupt interrupt;
  Ranks* const ranks = launched_ranks();
  const bool shown = ranks == nullptr || ranks->rank() == 0;
  ProgressLine looking("looking at " + files.front(), shown);
  std::optional<ProgressLine> learning;
  std::unique_ptr<ValueLines> values;

  LearnCallbacks callbacks;
  callbacks.stopped = Interrupt::asked;
  callbacks.begin = [&](const Model& learned, bool resumed) {
    looking.clear();
    if (resumed) {
      tell("going on from {} after {} steps\n", request.model, grouped(learned.episodes().steps()));
    } else if (shown && begins_as_model(request.model)) {
      tell("{} holds a model, which will be replaced; with --continue, learning goes on from it\n", request.model);
    }
    if (!predictions.empty()) values = std::make_unique<ValueLines>(predictions);
    learning.emplace("learning", shown);
  };
  callbacks.progress = [&](const LearnProgress& now) {
    if (now.stage == LearnProgress::Stage::finding_ranges) looking(now.share, "finding ranges");
    else (*learning)(now.share, grouped(now.steps) + " steps");
  };
  callbacks.before = [&](const Model& learned, const StepBlock& block) {
    if (values) values->write(learned, block);
  };
  callbacks.ready = [&] { return !values || values->deliver(std::chrono::milliseconds(200)) || Interrupt::asked(); };
  callbacks.saving = [&] {
    if (values) values->keep();
  };
  bool told = false;  // once is enough: the next checkpoints have the same reason, or succeed
  callbacks.checkpoint_failed = [&](const IoError& error) {
    if (!std::exchange(told, true)) {
      learning->clear();
      tell("{}: learning continues, the next checkpoint tries again\n", error.what());
    }
  };

  try {
    const LearnResult result = learn(wanted, callbacks, ranks);
    learning->clear();
    if (result.stopped) {
      tell("interrupted after {} steps; {}\n", grouped(result.model.learner(0).steps()),
           checkpoint.empty() ? "nothing was written"
                              : request.model + " holds what was learned until the last checkpoint" +
                                    (told ? " that could be written" : ""));
      throw Stopped{};
    }
    if (result.whole) show(result);
    if (values) values->finish();
  } catch (const IoError&) {
    if (learning || !Interrupt::asked()) throw;
    tell("interrupted before there was anything to learn from; nothing was written\n");
    throw Stopped{};
  } catch (const InvalidArgument&) {
    const bool nothing_came = !learning && Interrupt::asked() && is_stream(files.front());
    if (!nothing_came) throw;
    tell("interrupted before there was anything to learn from; nothing was written\n");
  }
}

void LearnVerb::show(const LearnResult& result) const {
  if (!weights.empty()) write_weights(result.model, weights);
  if (!report.empty()) write_page(result, report);
  std::string text = with_flags(json ? json_of(result.summary) : text_of(result.summary, bold));
  if (!json && !request.model.empty()) text += fmt::format("the model is in {}\n", request.model);
  if (!json && !report.empty()) text += fmt::format("the page is in {}: open it in a browser\n", report);
  print(text);
}

}  // namespace

void add_learn(CLI::App& app) { add_verb<LearnVerb>(app); }

}  // namespace bellwether::cli
