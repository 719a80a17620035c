#include "terminal/catalogue.h"
#include "terminal/output.h"
#include "verbs.h"

namespace bellwether::cli {

namespace {

/// A cell of a Markdown table. A vertical bar would end it, so bars are escaped.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string markdown(const CatalogueEntry& entry) {
  std::string out = fmt::format("### {}\n\n{}\n\n```text{}```\n\n", entry.name, entry.doc.summary, entry.doc.detail);
  if (*entry.doc.note != '\0') out += fmt::format("{}\n\n", entry.doc.note);
  if (!entry.params.empty()) {
    out += "| parameter | default | accepts | meaning |\n| --- | --- | --- | --- |\n";
    for (const ParamInfo& p : entry.params) {
      out += fmt::format("| `{}` | {} | {} | {} |\n", p.name, p.default_value, cell(p.accepts), cell(p.text));
    }
    out += "\n";
  }
  return out + fmt::format("Reference: {}.\n\n", entry.doc.reference);
}

}  // namespace

void add_reference(CLI::App& app) {
  CLI::App* verb =
      app.add_subcommand("reference", "Print the documentation of all learners, domains and feature maps as Markdown");
  verb->callback([] {
    std::string text =
        "# Reference\n\nMade by `make docs` from the library itself; `bellwether help NAME` prints the same.\n\n";
    for (const CatalogueSection& section : catalogue()) {
      std::string title = section.kind;
      title.front() = static_cast<char>(title.front() - 'a' + 'A');
      text += fmt::format("## {}\n\n", title);
      for (const CatalogueEntry& entry : section.entries) text += markdown(entry);
    }
    text.pop_back();
    print(text);
  });
}

}  // namespace bellwether::cli
