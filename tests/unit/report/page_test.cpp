#include <bellwether/report/page.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bellwether/report/plot/palette.h>

namespace bellwether {
namespace {

bool contains(const std::string& page, std::string_view text) { return page.find(text) != std::string::npos; }

TEST(Page, HoldsTextsTablesAndFiguresInTheirOrder) {
  Page page("Value of the policy");
  page.value("1.5 \u00b1 0.1");
  page.heading("Details");
  TextTable table({{"name", false}, {"value"}});
  table.add({"a", "1"});
  page.table(table);
  Plot plot;
  plot.title = "A figure";
  plot.keys = {{{"line"}, 0, 0, Drawn::curve}};
  plot.panels = {{"", {{0, Drawn::curve, {{0, 0}, {1, 1}}}}}};
  page.figure(plot);
  page.command("bellwether learn");
  const std::string html = page.html();
  std::size_t at = 0;
  for (const char* part :
       {"<title>Value of the policy</title>", "<h1>Value of the policy</h1>", "<p class=\"value\">1.5 \u00b1 0.1</p>",
        "<h2>Details</h2>", "<th>name</th><th class=\"number\">value</th>", "<td>a</td><td class=\"number\">1</td>",
        "<svg", "<code>bellwether learn</code>"}) {
    const std::size_t found = html.find(part, at);
    ASSERT_NE(found, std::string::npos) << part;
    at = found;
  }
  EXPECT_TRUE(contains(html, "prefers-color-scheme: dark")) << "figures follow the page";
}

TEST(Page, ShowsTextsLetterForLetter) {
  const std::string evil = "</style><script>alert(1)</script>\"&";
  Page page(evil);
  page.heading(evil);
  page.paragraph(evil);
  page.note(evil);
  page.warning(evil);
  page.value(evil);
  page.command(evil);
  TextTable table({{evil}});
  table.add({evil});
  page.table(table);
  EXPECT_FALSE(contains(page.html(), "<script"));
  EXPECT_FALSE(contains(page.html(), "</style><"));
}

TEST(Page, LoadsNothingAndRunsNoScript) {
  const std::string html = Page("A").html();
  EXPECT_TRUE(contains(html, "default-src 'none'; style-src"));
  EXPECT_FALSE(contains(html, "script-src"));
  EXPECT_FALSE(contains(html, "@import"));
  EXPECT_TRUE(contains(html, "--series-9")) << "the style that all pages share";
}

TEST(Page, HasTheColoursOfFiguresInItsStyle) {
  for (std::size_t i = 0; i < palette.size(); ++i) {
    std::string colour = i == ink ? "#111111" : palette.at(i);  // ink is softer on a screen than on paper
    std::transform(colour.begin(), colour.end(), colour.begin(), [](unsigned char c) { return std::tolower(c); });
    EXPECT_TRUE(contains(std::string(page_style()), fmt::format("--series-{}: light-dark({},", i, colour))) << i;
  }
}

TEST(PageOfScript, RunsTheScriptOfTheHashOnly) {
  const std::string html = page_of_script("A", {"run();", "HASH="}, "{\"a\":1}");
  EXPECT_TRUE(contains(html, "script-src 'sha256-HASH=';"));
  EXPECT_TRUE(contains(html, R"(<script type="application/json" id="bellwether-data">{"a":1}</script>)"));
  EXPECT_TRUE(contains(html, R"(<script type="module">run();</script>)"));
  EXPECT_TRUE(contains(html, page_style()));
}

TEST(PageOfScript, RefusesAScriptThatWouldEndItsElement) {
  for (const char* text : {"a = '</script>'", "a = '<!-- <script>'"}) {
    EXPECT_THROW(page_of_script("A", {text, ""}, "null"), std::logic_error) << text;
  }
}

}  // namespace
}  // namespace bellwether
