#include <bellwether/report/page.h>

#include <stdexcept>

#include <fmt/format.h>

#include <bellwether/core/version.h>
#include <bellwether/report/plot/svg_text.h>

namespace bellwether {

namespace {

/// `scripts` is what the policy says of scripts.
std::string whole_page(std::string_view title, std::string_view scripts, std::string_view body) {
  return fmt::format(R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; {}style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>{}</title>
<style>
{}</style>
</head>
<body>
{}</body>
</html>
)",
                     scripts, xml_text(title), page_style(), body);
}

}  // namespace

Page::Page(std::string_view title) : title_(title) { element("h1", "", title); }

void Page::element(std::string_view name, std::string_view kind, std::string_view text) {
  const std::string attribute = kind.empty() ? "" : fmt::format(" class=\"{}\"", kind);
  body_ += fmt::format("<{0}{1}>{2}</{0}>\n", name, attribute, xml_text(text));
}

void Page::heading(std::string_view text) { element("h2", "", text); }

void Page::command(std::string_view text) {
  body_ += fmt::format("<div class=\"command\"><code>{}</code></div>\n", xml_text(text));
}

void Page::table(const TextTable& table) {
  const auto add_row = [&](const char* name, const auto& text_of_cell) {
    body_ += "<tr>";
    for (std::size_t c = 0; c < table.columns().size(); ++c) {
      const char* kind = table.columns()[c].right ? " class=\"number\"" : "";
      body_ += fmt::format("<{0}{1}>{2}</{0}>", name, kind, xml_text(text_of_cell(c)));
    }
    body_ += "</tr>\n";
  };
  body_ += "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead>";
  add_row("th", [&](std::size_t c) { return table.columns()[c].title; });
  body_ += "</thead>\n<tbody>\n";
  for (const auto& row : table.rows()) add_row("td", [&](std::size_t c) { return row[c]; });
  body_ += "</tbody></table></div>\n";
}

void Page::figure(Plot plot) {
  plot.adapts = true;
  body_ += fmt::format("<figure>\n{}</figure>\n", plot.svg());
}

std::string Page::html() const {
  return whole_page(
      title_, "",
      fmt::format("<main class=\"sheet\">\n{}<footer>Made by bellwether {}.</footer>\n</main>\n", body_, version()));
}

std::string page_of_script(std::string_view title, const PageScript& script, std::string_view data) {
  for (const char* end : {"</script", "<!--"}) {
    if (script.text.find(end) != std::string_view::npos) throw std::logic_error("the script of a page would end it");
  }
  return whole_page(title, fmt::format("script-src 'sha256-{}'; ", script.sha256),
                    fmt::format(R"(<noscript>This report needs JavaScript. It loads nothing from anywhere.</noscript>
<div id="page"></div>
<script type="application/json" id="bellwether-data">{}</script>
<script type="module">{}</script>
)",
                                data, script.text));
}

}  // namespace bellwether
