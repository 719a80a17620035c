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

TEST(PageOfScript, LoadsNothing) {
  const std::string html = page_of_script("A", {"", ""}, "null");
  EXPECT_TRUE(contains(html, "default-src 'none'; script-src"));
  EXPECT_FALSE(contains(html, "@import"));
}

TEST(PageOfScript, ShowsTextsLetterForLetter) {
  const std::string html = page_of_script("</title><b>", {"", ""}, "[\"</script><script>boom()\"]");
  EXPECT_TRUE(contains(html, "<title>&lt;/title&gt;&lt;b&gt;</title>"));
  EXPECT_TRUE(contains(html, R"-(["\u003c/script>\u003cscript>boom()"])-"));
}

TEST(PageOfScript, RefusesAScriptThatWouldEndItsElement) {
  for (const char* text : {"a = '</script>'", "a = '<!-- <script>'"}) {
    EXPECT_THROW(page_of_script("A", {text, ""}, "null"), std::logic_error) << text;
  }
}

}  // namespace
}  // namespace bellwether
