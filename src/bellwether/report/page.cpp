#include <bellwether/report/page.h>

#include <stdexcept>

#include <fmt/format.h>

#include <bellwether/report/plot/svg_text.h>

namespace bellwether {

namespace {

/// JSON in which no text can end the element that it stands in.
std::string without_tags(std::string_view json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    if (c == '<') safe += "\\u003c";
    else safe += c;
  }
  return safe;
}

}  // namespace

std::string page_of_script(std::string_view title, const PageScript& script, std::string_view data) {
  for (const char* end : {"</script", "<!--"}) {
    if (script.text.find(end) != std::string_view::npos) throw std::logic_error("the script of a page would end it");
  }
  return fmt::format(R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-{}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>{}</title>
<style>
{}</style>
</head>
<body>
<noscript>This report needs JavaScript. It loads nothing from anywhere.</noscript>
<div id="page"></div>
<script type="application/json" id="bellwether-data">{}</script>
<script type="module">{}</script>
</body>
</html>
)",
                     script.sha256, xml_text(title), page_style(), without_tags(data), script.text);
}

}  // namespace bellwether
