#include "terminal/catalogue.h"
#include "terminal/output.h"
#include "verbs.h"

namespace bellwether::cli {

namespace {

/// A vertical bar would end the cell.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string markdown(const Page& page) {
  std::string out = fmt::format("### {}\n\n{}\n\n```text{}```\n\n", page.name, page.doc.summary, page.doc.detail);
  if (*page.doc.note != '\0') out += fmt::format("{}\n\n", page.doc.note);
  if (!page.params.empty()) {
    out += "| parameter | default | accepts | meaning |\n| --- | --- | --- | --- |\n";
    for (const ParamInfo& p : page.params) {
      out += fmt::format("| `{}` | {} | {} | {} |\n", p.name, p.default_value, cell(p.accepts), cell(p.text));
    }
    out += "\n";
  }
  return out + fmt::format("Reference: {}.\n\n", page.doc.reference);
}

}  // namespace

void add_reference(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("reference", "Print the reference of everything there is, as Markdown");
  verb->callback([] {
    std::string text =
        "# Reference\n\nMade by `make docs` from the library itself; `bellwether help NAME` prints the same.\n\n";
    for (const Section& section : catalogue()) {
      std::string title = section.kind;
      title.front() = static_cast<char>(title.front() - 'a' + 'A');
      text += fmt::format("## {}\n\n", title);
      for (const Page& page : section.pages) text += markdown(page);
    }
    text.pop_back();
    Output out("");
    out.write(text);
    out.finish();
  });
}

}  // namespace bellwether::cli
