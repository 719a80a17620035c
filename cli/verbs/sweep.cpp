#include <memory>

#include <bellwether/experiment/work.h>
#include <bellwether/experiment/workers.h>

#include "studies/folders.h"
#include "studies/sweeping.h"
#include "terminal/interrupt.h"
#include "terminal/options.h"
#include "terminal/output.h"
#include "verbs.h"

namespace bellwether::cli {

namespace {

struct SweepVerb {
  explicit SweepVerb(CLI::App& app)
      : verb(*app.add_subcommand("sweep", "Run a study: every setting of its learners for every seed")), options(verb) {
    verb.add_option("study", file, "the study file, such as studies/boyan.toml")->required()->type_name("STUDY");
    verb.add_option("--out", out, "the file of results, which is made or gone on with (NAME.db)")->type_name("FILE.db");
    verb.add_option("--scale", scale, "the scale of the study file to use (paper: the file as it stands)")
        ->type_name("NAME");
    verb.add_option("--only", only, "repeat run N alone (setting N / seeds, seed N % seeds), and print it as CSV")
        ->type_name("N");
    auto* dry = verb.add_flag("--dry-run", dry_run,
                              "say how many runs there are, how long they take and in how much "
                              "memory, and do nothing");
    verb.add_flag("--unshared", unshared, "compute every setting by itself: slower, with the same results");
    verb.get_option("--only")->excludes(dry);
    verb.footer(
        "Examples:\n"
        "  bellwether sweep studies/boyan.toml --scale quick\n"
        "  bellwether sweep studies/mountain_car.toml --dry-run\n"
        "  mpirun -n 8 bellwether sweep studies/mountain_car.toml --out mountain_car.db\n\n"
        "Interrupt it whenever you like: the same command goes on where it stopped.\n"
        "bellwether results FILE.db --best shows what came out.");
  }

  void run() const;
  void repeat_one(const SweepRequest& request) const;

  CLI::App& verb;
  FieldOptions<SweepParams> options;
  std::string file, out, scale, only;
  bool dry_run = false;
  bool unshared = false;
};

/// One run on its own, as a curve.
void SweepVerb::repeat_one(const SweepRequest& request) const {
  const Interrupt interrupt;
  const auto run = detail::parse_integer("sweep", "only", only);
  if (run < 0) throw InvalidArgument(fmt::format("sweep: only = {} is outside [0, inf)", run));
  if (!first_of_all()) return;
  try {
    const PreparedStudy prepared(request.study(), {.cache = cache_folder(), .stopped = Interrupt::asked});
    const Study& study = prepared.study();
    if (static_cast<std::uint64_t>(run) >= study.runs()) {
      throw InvalidArgument(fmt::format("sweep: run {} is outside [0, {}): {} settings of {} seeds", run, study.runs(),
                                        study.settings.size(), study.seeds()));
    }
    const std::size_t index = static_cast<std::uint64_t>(run) / study.seeds();
    const std::uint64_t seed = static_cast<std::uint64_t>(run) % study.seeds();
    const Trial trial = run_one(prepared, index, seed, [](std::uint64_t) { check_stopped(Interrupt::asked); });
    std::string text = "step";
    for (const std::string& metric : prepared.metric_names()) text += "," + metric;
    for (std::size_t i = 0; i < prepared.at().size(); ++i) {
      text += fmt::format("\n{}", prepared.at()[i]);
      const bool known = !trial.diverged_at || prepared.at()[i] <= *trial.diverged_at;
      for (const auto& curve : trial.curves) text += known ? fmt::format(",{}", format_number(curve[i])) : ",";
    }
    const StudySetting& setting = study.settings[index];
    fmt::print(stderr, "{} {}, seed {}{}\n", setting.label, text_of(setting.parameters), seed,
               trial.diverged_at ? fmt::format(": diverged at step {}", *trial.diverged_at) : "");
    Output output("");
    output.write(text + "\n");
    output.finish();
  } catch (const Interrupted&) {
    throw Stopped();
  }
}

void SweepVerb::run() const {
  SweepRequest request;
  request.name = std::filesystem::path(file).stem().string();
  request.study = [this] { return read_study(file, scale); };
  request.out = out.empty() ? request.name + ".db" : out;
  request.jobs = options.parsed().jobs;
  request.sharing = !unshared;
  if (!only.empty()) return repeat_one(request);
  if (dry_run) return say_what_it_takes(request);
  sweep(request);
}

}  // namespace

void add_sweep(CLI::App& app) {
  auto verb = std::make_shared<SweepVerb>(app);
  verb->verb.callback([verb] { verb->run(); });
}

}  // namespace bellwether::cli
