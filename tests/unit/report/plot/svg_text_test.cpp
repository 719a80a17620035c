#include <gtest/gtest.h>

#include <bellwether/report/plot/svg_text.h>

#include "support/drawing.h"

namespace bellwether {
namespace {

std::string read_back(const std::string& text) { return testing::parse_xml("<a>" + xml_text(text) + "</a>").text; }

TEST(SvgText, IsReadBackAsItWasWritten) {
  for (const char* text : {"plain", "a < b && c > \"d\"", "<script>alert(1)</script>", "&amp;", "]]>",
                           "gr\u00fc\u00df\u4e16\U0001F600", ""}) {
    EXPECT_EQ(read_back(text), text);
  }
}

TEST(SvgText, ReplacesWhatXmlCannotHold) {
  const std::string bad = "\xef\xbf\xbd";
  EXPECT_EQ(xml_text(std::string("a\0b", 3)), "a" + bad + "b");
  EXPECT_EQ(xml_text("\x1b[31m"), bad + "[31m");
  EXPECT_EQ(xml_text("\xff"), bad);
  EXPECT_EQ(xml_text("\xc3"), bad) << "cut off in a character";
  EXPECT_EQ(xml_text("\xc3("), bad + "(") << "what follows is kept";
  EXPECT_EQ(xml_text("\xc0\xbc"), bad + bad) << "< written too long";
  EXPECT_EQ(xml_text("\xed\xa0\x80"), bad + bad + bad) << "half a surrogate pair";
  EXPECT_EQ(xml_text("\xef\xbf\xbf"), bad + bad + bad) << "U+FFFF";
  EXPECT_EQ(xml_text("\xf5\x80\x80\x80"), bad + bad + bad + bad) << "beyond Unicode";
}

TEST(SvgText, EveryByteSequenceBecomesAWellFormedDocument) {
  for (int a = 0; a < 256; ++a) {
    std::string text;
    for (int b = 0; b < 256; ++b) text += {static_cast<char>(a), static_cast<char>(b), 'x'};
    EXPECT_NO_THROW(testing::parse_xml("<a b=\"" + xml_text(text) + "\">" + xml_text(text) + "</a>")) << a;
  }
}

TEST(SvgText, LongTextIsCutBetweenCharacters) {
  const std::string umlauts = "\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4";
  const std::string cut = shortened(umlauts, 50, 10);
  EXPECT_LT(cut.size(), umlauts.size() + 3);
  EXPECT_EQ(cut.substr(cut.size() - 3), "\u2026");
  EXPECT_EQ(cut, umlauts.substr(0, cut.size() - 3) + "\u2026");
  EXPECT_EQ(xml_text(cut), cut) << "no half characters";
  EXPECT_LE(text_width(cut, 10), 50);
  EXPECT_EQ(shortened("short", 50, 10), "short");
}

TEST(SvgText, WrapsAtWordsAndLosesNone) {
  const std::string text = "one two three four five six seven";
  const auto lines = wrapped(text, 80, 10);
  EXPECT_GT(lines.size(), 1U);
  std::string joined;
  for (const auto& line : lines) {
    EXPECT_LE(text_width(line, 10), 80);
    joined += (joined.empty() ? "" : " ") + line;
  }
  EXPECT_EQ(joined, text);
  EXPECT_TRUE(wrapped("", 80, 10).empty());
}

}  // namespace
}  // namespace bellwether
