#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/model/learning/summary.h>
#include <bellwether/model/model_file.h>
#include <bellwether/model/model_lock.h>

#include "terminal/flags.h"
#include "terminal/output.h"
#include "terminal/terminal.h"
#include "verbs.h"

namespace bellwether::cli {

namespace {

struct MergeVerb {
  explicit MergeVerb(CLI::App& app)
      : verb(*app.add_subcommand("merge", "Combine models that learned from different parts of the data into one")) {
    verb.add_option("models", models, "the models, in the order of their data")->required()->type_name("MODEL...");
    verb.add_option("-o,--out", path, "write the merged model to this file")->required()->type_name("FILE");
    verb.footer(
        "Models can be merged when they have the same features, ranges, learner and parameters (learn the others with "
        "--like FIRST) and the learner keeps least-squares statistics.\n"
        "Example: bellwether merge a.bw b.bw -o all.bw");
  }

  void run() const;

  CLI::App& verb;
  std::vector<std::string> models;
  std::string path;
};

void MergeVerb::run() const {
  if (models.size() < 2) throw InvalidArgument("merge: takes two models or more, not 1");
  reject_replacing_what_is_no_model("merge", path);
  const auto lock = lock_model(path);
  Model all = Model::load(models.front());
  for (std::size_t i = 1; i < models.size(); ++i) {
    try {
      all.absorb(Model::load(models[i]));
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(fmt::format("{} and {}: {}", models.front(), models[i], error.what()));
    }
  }
  if (lock && !lock->in_place()) lock->hold_again();
  all.save(path);
  print(with_flags(text_of(summarise(all), bold)));
}

}  // namespace

void add_merge(CLI::App& app) { add_verb<MergeVerb>(app); }

}  // namespace bellwether::cli
