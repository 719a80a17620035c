#include <algorithm>
#include <filesystem>
#include <numeric>
#include <utility>

#include <bellwether/core/params/params.h>
#include <bellwether/core/support/this_machine.h>
#include <bellwether/experiment/store_sink.h>
#include <bellwether/experiment/workers.h>
#include <bellwether/results/store_reader.h>

#include "studies/sweeping.h"
#include "terminal/interrupt.h"
#include "terminal/options.h"
#include "terminal/output.h"
#include "verbs.h"

namespace bellwether::cli {

namespace {

struct SweepVerb {
  explicit SweepVerb(CLI::App& app)
      : verb(*app.add_subcommand("sweep", "Run a study: every setting of its learners with every seed")),
        options(verb) {
    verb.add_option("study", file, "the study file, or the name of one that comes with the program, such as boyan")
        ->required()
        ->type_name("STUDY");
    verb.add_option("--out", out, "the file of results; made if necessary, otherwise continued (NAME.db)")
        ->type_name("FILE.db");
    verb.add_option("--scale", scale, "the scale of the study file to use (paper: the file as it stands)")
        ->type_name("NAME");
    verb.add_option("--only", only,
                    "repeat one run alone and print it as CSV: the id of a setting, as `results` shows it, and a seed "
                    "(0, if left out)")
        ->type_name("ID[:SEED]");
    auto* dry = verb.add_flag("--dry-run", dry_run,
                              "say how many runs there are and how much time and memory they take, and do "
                              "nothing");
    verb.add_flag("--unshared", unshared, "compute every setting by itself: slower, with the same results");
    verb.get_option("--only")->excludes(dry);
    verb.footer(
        "Examples:\n"
        "  bellwether sweep studies/boyan.toml --scale quick\n"
        "  bellwether sweep mountain_car --dry-run\n"
        "  bellwether sweep studies/boyan.toml --only 17:3\n"
        "  mpirun -n 8 bellwether sweep studies/mountain_car.toml --out mountain_car.db\n\n"
        "Interrupt it whenever you like: the same command continues where it stopped.\n"
        "bellwether results FILE.db --best shows the results.");
  }

  void run() const;
  void repeat_one(const SweepRequest& request) const;

  CLI::App& verb;
  FieldOptions<SweepParams> options;
  std::string file, out, scale, only;
  bool dry_run = false;
  bool unshared = false;
};

/// One seed of one setting.
struct RunName {
  std::int64_t setting = 0;  // its id
  std::uint64_t seed = 0;
};

RunName parse_run(const std::string& text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const auto seed = colon == text.size() ? 0 : detail::parse_integer("sweep", "only", text.substr(colon + 1));
  const auto setting = detail::parse_integer("sweep", "only", text.substr(0, colon));
  if (setting < 1 || seed < 0) {
    throw InvalidArgument(fmt::format("sweep: only = {} is not an id from 1 and a seed from 0, such as 3:7", text));
  }
  return {setting, static_cast<std::uint64_t>(seed)};
}

/// The ids of the settings of a study in a file of results; where the file does not have them, those that a new file
/// would give them: 1, 2, 3, ...
std::vector<std::int64_t> ids_of_settings(const PreparedStudy& study, const std::string& file) {
  const auto records = setting_records(study);
  std::vector<std::int64_t> ids(records.size());
  std::iota(ids.begin(), ids.end(), std::int64_t{1});
  if (!std::filesystem::exists(file)) return ids;
  const StoreReader reader(file);
  for (const StoredStudy& stored : reader.studies()) {
    if (stored.record.name != study.study().name || stored.record.scale != study.study().scale) continue;
    std::fill(ids.begin(), ids.end(), 0);
    for (const StoredSetting& setting : reader.settings(stored.id)) {
      const auto found = std::find(records.begin(), records.end(), setting.record);
      if (found != records.end()) ids[static_cast<std::size_t>(found - records.begin())] = setting.id;
    }
  }
  return ids;
}

/// One run by itself, as a curve.
void SweepVerb::repeat_one(const SweepRequest& request) const {
  const RunName run = parse_run(only);
  if (!first_of_all()) return;
  Study wanted = request.study();
  const Interrupt interrupt;
  try {
    const PreparedStudy prepared(std::move(wanted), {.cache = cache_folder(), .stopped = Interrupt::asked});
    const Study& study = prepared.study();
    const auto ids = ids_of_settings(prepared, request.out);
    const auto found = std::find(ids.begin(), ids.end(), run.setting);
    if (found == ids.end()) {
      const std::string hint = std::filesystem::exists(request.out)
                                   ? fmt::format("bellwether results {} shows the ids", request.out)
                                   : fmt::format("they are numbered from 1 to {}", ids.size());
      throw InvalidArgument(
          fmt::format("sweep: {} ({}) has no setting {}; {}", study.name, study.scale, run.setting, hint));
    }
    if (run.seed >= study.seeds()) {
      throw InvalidArgument(fmt::format("sweep: seed {} is outside [0, {})", run.seed, study.seeds()));
    }
    const auto index = static_cast<std::size_t>(found - ids.begin());
    const Trial trial = run_one(prepared, index, run.seed, [](std::uint64_t) { check_stopped(Interrupt::asked); });
    std::string text = "step";
    for (const std::string& metric : prepared.metric_names()) text += "," + metric;
    for (std::size_t i = 0; i < prepared.at().size(); ++i) {
      text += fmt::format("\n{}", prepared.at()[i]);
      const bool known = !trial.diverged_at || prepared.at()[i] <= *trial.diverged_at;
      for (const auto& curve : trial.curves) text += known ? fmt::format(",{}", format_number(curve[i])) : ",";
    }
    const StudySetting& setting = study.settings[index];
    tell("{} {}, seed {}{}\n", setting.label, text_of(setting.parameters), run.seed,
         trial.diverged_at ? fmt::format(": diverged at step {}", *trial.diverged_at) : "");
    print(text + "\n");
  } catch (const Interrupted&) {
    throw Stopped();
  }
}

void SweepVerb::run() const {
  const SweepRequest request{.study = [this] { return read_study(file, scale); },
                             .out = out.empty() ? std::filesystem::path(file).stem().string() + ".db" : out,
                             .jobs = options.parsed().jobs,
                             .sharing = !unshared};
  if (!only.empty()) return repeat_one(request);
  if (dry_run) return say_what_it_takes(request);
  sweep(request);
}

}  // namespace

void add_sweep(CLI::App& app) { add_verb<SweepVerb>(app); }

}  // namespace bellwether::cli
