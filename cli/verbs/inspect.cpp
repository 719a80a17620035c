#include <filesystem>

#include <fmt/format.h>

#include <bellwether/model/learning/summary.h>

#include "terminal/flags.h"
#include "terminal/output.h"
#include "terminal/terminal.h"
#include "verbs.h"

namespace bellwether::cli {

namespace {

struct InspectVerb {
  explicit InspectVerb(CLI::App& app)
      : verb(*app.add_subcommand("inspect", "Show how a model was made and how well it predicts")) {
    verb.add_option("model", model, "the model")->required()->type_name("MODEL");
    verb.add_flag("--json", json, "print JSON");
    verb.footer("Example: bellwether inspect m.bw");
  }

  void run() const;

  CLI::App& verb;
  std::string model;
  bool json = false;
};

void InspectVerb::run() const {
  const LearnSummary summary = summarise(Model::load(model));
  if (json) return print(with_flags(json_of(summary)));
  const Recipe& recipe = summary.recipe;
  std::error_code failed;
  const auto size = std::filesystem::file_size(model, failed);
  std::string text = failed ? bold(model) + "\n" : fmt::format("{}: {} bytes\n", bold(model), grouped(size));
  if (recipe.columns.state.empty()) text += "columns: none, it learned from steps with ready-made features\n";
  for (const Variable& v : recipe.variables) {
    if (!v.categories.empty()) {
      text += fmt::format("  {}: {}, or any other\n", v.name, listed(v.categories));
      continue;
    }
    text += fmt::format("  {} from {:.6g} to {:.6g}{}\n", v.name, v.low, v.high, v.whole ? ", whole" : "");
  }
  if (recipe.resamples > 0) text += fmt::format("{} resamples for intervals\n", recipe.resamples);
  print(text + with_flags(text_of(summary, bold)));
}

}  // namespace

void add_inspect(CLI::App& app) { add_verb<InspectVerb>(app); }

}  // namespace bellwether::cli
