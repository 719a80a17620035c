#include <filesystem>

#include <fmt/format.h>

#include <bellwether/core/params.h>

#include "learning/learn_summary.h"
#include "learning/model_io.h"
#include "terminal/output.h"
#include "terminal/terminal.h"
#include "verbs.h"

namespace bellwether::cli {

namespace {

struct InspectVerb {
  explicit InspectVerb(CLI::App& app) : verb(*app.add_subcommand("inspect", "What a model is, and how well it does")) {
    verb.add_option("model", model, "the model")->required()->type_name("MODEL");
    verb.add_flag("--json", json, "print JSON");
    verb.footer("Example: bellwether inspect m.bw");
  }

  void run() const;

  CLI::App& verb;
  std::string model;
  bool json = false;
};

std::string columns_text(const LogColumns& columns) {
  std::string text = fmt::format("state {}", detail::join(columns.state, ", "));
  const auto add = [&text](const char* role, const std::string& name) {
    if (!name.empty()) text += fmt::format("; {} {}", role, name);
  };
  add("reward", detail::join(columns.reward, ", "));
  add("next", detail::join(columns.next, ", "));
  add("discount", columns.discount);
  add("done", columns.done);
  add("terminated", columns.terminated);
  add("truncated", columns.truncated);
  add("episode", columns.episode);
  add("rho", columns.rho);
  add("target", columns.target);
  add("behaviour", columns.behaviour);
  add("interest", columns.interest);
  return text;
}

void InspectVerb::run() const {
  const Model learned = read_model(model);
  Output out("");
  if (json) {
    out.write(summary_json(learned, {}));
    out.finish();
    return;
  }
  const Recipe& recipe = learned.recipe();
  std::error_code failed;
  const auto size = std::filesystem::file_size(model, failed);
  out.write(failed ? bold(model) + "\n" : fmt::format("{}: {} bytes\n", bold(model), grouped(size)));
  out.write(recipe.columns.state.empty() ? "columns: none, it learned from steps with features\n"
                                         : fmt::format("columns: {}\n", columns_text(recipe.columns)));
  for (const Variable& v : recipe.variables) {
    out.write(fmt::format("  {} from {:.6g} to {:.6g}{}\n", v.name, v.low, v.high, v.whole ? ", whole" : ""));
  }
  if (recipe.resamples > 0) out.write(fmt::format("{} resamples for intervals\n", recipe.resamples));
  out.write(summary_text(learned, {}));
  out.finish();
}

}  // namespace

void add_inspect(CLI::App& app) {
  auto verb = std::make_shared<InspectVerb>(app);
  verb->verb.callback([verb] { verb->run(); });
}

}  // namespace bellwether::cli
