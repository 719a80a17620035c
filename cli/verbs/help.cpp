#include <memory>
#include <sstream>

#include <bellwether/core/support/text_table.h>

#include "manual/features_topic.h"
#include "terminal/catalogue.h"
#include "terminal/output.h"
#include "terminal/terminal.h"
#include "verbs.h"

namespace bellwether::cli {

namespace {

/// The text without leading and trailing empty lines, with every line indented.
std::string indented(std::string_view text) {
  const std::size_t first = text.find_first_not_of('\n');
  if (first == std::string_view::npos) return "";
  text = text.substr(first, text.find_last_not_of('\n') + 1 - first);
  std::string out;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) out += (line.empty() ? "" : "  ") + line + "\n";
  return out;
}

/// Prose as indented lines that fit a terminal.
std::string wrapped(const std::string& text) {
  constexpr std::size_t width = 100;
  std::string out;
  std::string line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      out += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return indented(out + line);
}

std::string example(const CatalogueSection& section, const CatalogueEntry& entry) {
  const std::string run = "  bellwether run --domain ";
  if (section.singular == "learner") return run + "boyan_chain --learner " + entry.name + " --steps 1000\n";
  if (section.singular == "domain") return run + entry.name + " --steps 1000\n";
  return run + "random_walk --features own+" + entry.name + " --steps 1000\n";
}

std::string manual(const CatalogueSection& section, const CatalogueEntry& entry) {
  std::string out = fmt::format("{} ({})\n\n{}\n", bold(entry.name), section.singular, wrapped(entry.doc.summary));
  out += indented(entry.doc.detail) + "\n";
  if (*entry.doc.note != '\0') out += wrapped(entry.doc.note) + "\n";
  if (!entry.params.empty()) {
    TextTable table({{.title = "parameter", .right = false},
                     {.title = "default", .right = false},
                     {.title = "accepts", .right = false},
                     {.title = "meaning", .right = false}});
    for (const ParamInfo& p : entry.params) table.add({p.name, p.default_value, p.accepts, p.text});
    out += indented(table.text()) + "\n";
  }
  out += bold("Reference") + "\n" + wrapped(entry.doc.reference) + "\n";
  return out + bold("Try") + "\n" + example(section, entry);
}

std::string help_for(const CLI::App& app, const std::string& name) {
  if (name == "features") return features_topic();
  std::vector<std::string> known{"features"};
  for (const CatalogueSection& section : catalogue()) {
    for (const CatalogueEntry& entry : section.entries) {
      if (entry.name == name) return manual(section, entry);
      known.push_back(entry.name);
    }
  }
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_name() == name) return verb->help("bellwether");
    known.push_back(verb->get_name());
  }
  throw InvalidArgument("help: nothing is called '" + name + "'" + suggestion(name, known) +
                        " (bellwether list shows all names)");
}

}  // namespace

void add_help(CLI::App& app) {
  auto name = std::make_shared<std::string>();
  CLI::App* help =
      app.add_subcommand("help", "Explain a learner, a domain, a feature map, a command, or features in general");
  help->add_option("name", *name, "what to explain; features: how they are described (if left out, an overview)")
      ->type_name("TOPIC");
  help->callback([name, &app] {
    // App::help would describe this command, because it was chosen.
    print(name->empty() ? app.get_formatter()->make_help(&app, "bellwether", CLI::AppFormatMode::Normal)
                        : help_for(app, *name));
  });
}

}  // namespace bellwether::cli
