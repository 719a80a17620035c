#include <filesystem>

#include <bellwether/core/error.h>
#include <bellwether/core/files/files.h>
#include <bellwether/report/figures.h>
#include <bellwether/study/shipped_studies.h>

#include "studies/ranking.h"
#include "studies/subjects.h"
#include "studies/sweeping.h"
#include "terminal/options.h"
#include "terminal/output.h"
#include "terminal/terminal.h"
#include "verbs.h"

namespace bellwether::cli {

namespace {

std::vector<std::string> studies_of(const std::string& name) {
  std::vector<std::string> studies;
  for (const auto& [subject, its_studies] : subjects()) {
    if (name == subject || name == "all") studies.insert(studies.end(), its_studies.begin(), its_studies.end());
  }
  if (studies.empty()) {
    const auto known = names_of_subjects();
    throw InvalidArgument(fmt::format("there is nothing called '{}' to reproduce{} (known: {})", name,
                                      suggestion(name, known), detail::join(known, ", ")));
  }
  return studies;
}

/// The best settings of a study as a table, and their learning curves as pictures beside the file of results.
void show(const std::string& file, const std::string& name, const std::string& scale) {
  const StoreReader reader(file);
  Figure learning_curves;
  learning_curves.title = "Learning curves";
  for (const StoredStudy& study : reader.studies()) {
    if (study.record.name != name || study.record.scale != scale) continue;
    const StudyResults shown = study_results(reader, study);
    print("\n" + ranking_text(shown, {.ranking = {}, .best = true, .learner = {}}));
    for (std::size_t i = 0; i < shown.cases.size(); ++i) {
      const std::string picture = draw(reader, shown, i, learning_curves);
      if (picture.empty()) continue;
      const std::string number = shown.cases.size() > 1 ? fmt::format("-{}", i + 1) : "";
      const auto path = std::filesystem::path(file).replace_filename(fmt::format("{}-{}{}.svg", name, scale, number));
      write_file(path.string(), picture);
      print(fmt::format("learning curves: {}\n", path.string()));
    }
    print("\n");
  }
}

struct ReproduceVerb {
  explicit ReproduceVerb(CLI::App& app)
      : verb(*app.add_subcommand("reproduce",
                                 "Run the studies that come with the program: those of the paper, and more")),
        options(verb) {
    verb.add_option("subject", subject, "what to reproduce: " + detail::join(names_of_subjects(), ", "))
        ->type_name("SUBJECT");
    verb.add_option("--scale", scale, "quick (a few minutes for all) or paper (the published grids; hours)")
        ->type_name("NAME");
    verb.add_option("--out", out, "the file of results; made if necessary, otherwise continued (reproduction-SCALE.db)")
        ->type_name("FILE.db");
    verb.add_flag("--dry-run", dry_run,
                  "say how many runs there are and how much time and memory they take, and do nothing");
    verb.add_flag("--print", prints, "print the study files instead, to read or as a start for your own");
    verb.footer(
        "Examples:\n"
        "  bellwether reproduce boyan\n"
        "  bellwether reproduce all --scale paper --dry-run\n"
        "  bellwether reproduce boyan --print > my_study.toml\n\n"
        "Interrupt it whenever you like: the same command continues where it stopped.");
  }

  void run() const;

  CLI::App& verb;
  FieldOptions<SweepParams> options;
  std::string subject = "all";
  std::string scale = "quick";
  std::string out;
  bool dry_run = false;
  bool prints = false;
};

void ReproduceVerb::run() const {
  const auto studies = studies_of(subject);
  if (prints) {
    for (const std::string& name : studies) print(shipped_study(name)->text);
    return;
  }
  const std::string file = out.empty() ? fmt::format("reproduction-{}.db", scale) : out;
  for (const std::string& name : studies) {
    const auto study = [&] { return parse_study(shipped_study(name)->text, name + ".toml", scale); };
    const SweepRequest request{.study = study, .out = file, .jobs = options.parsed().jobs};
    if (dry_run) {
      say_what_it_takes(request);
    } else {
      sweep(request);
      if (first_of_all()) show(file, name, scale);
    }
  }
}

}  // namespace

void add_reproduce(CLI::App& app) { add_verb<ReproduceVerb>(app); }

}  // namespace bellwether::cli
