#include <memory>

#include <nlohmann/json.hpp>

#include <bellwether/core/support/json_text.h>
#include <bellwether/core/support/text_table.h>

#include "terminal/catalogue.h"
#include "terminal/output.h"
#include "terminal/terminal.h"
#include "verbs.h"

namespace bellwether::cli {

namespace {

struct ListVerb {
  explicit ListVerb(CLI::App& app) : verb(*app.add_subcommand("list", "List the learners, domains and feature maps")) {
    verb.add_option("kind", kind, "learners, domains or features (if left out, all three)")->type_name("KIND");
    verb.add_flag("--json", json, "print JSON");
  }

  void run() const;

  CLI::App& verb;
  std::string kind;
  bool json = false;
};

nlohmann::json json_of(const CatalogueEntry& entry) {
  nlohmann::json params = nlohmann::json::array();
  for (const ParamInfo& p : entry.params) {
    params.push_back(
        {{"name", p.name}, {"type", p.type}, {"default", p.default_value}, {"accepts", p.accepts}, {"text", p.text}});
  }
  return {{"name", entry.name},
          {"summary", entry.doc.summary},
          {"reference", entry.doc.reference},
          {"parameters", std::move(params)}};
}

std::string text_of(const CatalogueSection& section) {
  TextTable table({{.title = section.singular, .right = false}, {.title = "description", .right = false}});
  for (const CatalogueEntry& entry : section.entries) table.add({entry.name, entry.doc.summary});
  return table.text();
}

void ListVerb::run() const {
  nlohmann::json all = nlohmann::json::object();
  std::string text;
  std::vector<std::string> kinds;
  for (const CatalogueSection& section : catalogue()) {
    kinds.push_back(section.kind);
    if (!kind.empty() && kind != section.kind) continue;
    all[section.kind] = nlohmann::json::array();
    for (const CatalogueEntry& entry : section.entries) all[section.kind].push_back(json_of(entry));
    text += (text.empty() ? "" : "\n") + text_of(section);
  }
  if (all.empty()) {
    throw InvalidArgument("list: there is no kind '" + kind + "'" + suggestion(kind, kinds) +
                          " (known: " + detail::join(kinds, ", ") + ")");
  }
  print(json ? json_text(all, 2) + "\n" : text + "\nRun bellwether help NAME to read about one of them.\n");
}

}  // namespace

void add_list(CLI::App& app) { add_verb<ListVerb>(app); }

}  // namespace bellwether::cli
