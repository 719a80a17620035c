#include <bellwether/study/stray_characters.h>

#include <gtest/gtest.h>

#include <bellwether/study/study.h>

#include "support/rejection.h"

namespace bellwether {
namespace {

TEST(StrayCharacters, AreThoseOutsideOfQuotesAndComments) {
  EXPECT_EQ(line_of_stray_character(""), 0U);
  EXPECT_EQ(line_of_stray_character("a = 1\n# \u00e4\nb = \"\u00e4\"\nc = '\u00e4'\n"), 0U);
  EXPECT_EQ(line_of_stray_character("\xEF\xBB\xBF"
                                    "a = 1\n"),
            0U);
  EXPECT_EQ(
      line_of_stray_character("a = [ # \u00e4\n  '\u00e4', \"\u00e4\" ]\n\"\u00e4\".'\u00e4' = {'\u00e4' = 1}\r\n"),
      0U);
  EXPECT_EQ(line_of_stray_character("a = 1\n\u00e4 = 2\n"), 2U);
  EXPECT_EQ(line_of_stray_character("a = 1\nb = 2 '\u00e4'\n"), 2U) << "no text can begin there";
  EXPECT_EQ(line_of_stray_character("a = 'b' '\u00e4'\n"), 1U);
  EXPECT_EQ(line_of_stray_character("a = \u3042"), 1U);
  EXPECT_EQ(line_of_stray_character("a = 1 # '\n\u00a6"), 2U);
  EXPECT_EQ(line_of_stray_character("\n\n\xff"), 3U);
}

TEST(StrayCharacters, KnowsWhereTextsEnd) {
  EXPECT_EQ(line_of_stray_character(R"(a = "\"\\" # ä)"), 0U);
  EXPECT_EQ(line_of_stray_character(R"(a = "\"\\" ä)"), 1U);
  EXPECT_EQ(line_of_stray_character(R"(a = '\' ä)"), 1U);
  EXPECT_EQ(line_of_stray_character("a = \"\"\"\n\u00e4 \" \\\" \\\"\"\"\" # \u00e4"), 0U);
  EXPECT_EQ(line_of_stray_character("a = '''\n\u00e4 ''\n'''' \u00e4"), 3U);
  EXPECT_EQ(line_of_stray_character("a = \"\"\"\"\"\"\nb = \u00e4"), 2U);
  EXPECT_EQ(line_of_stray_character("a = \"never ends\nb = \u00e4"), 2U);
  EXPECT_EQ(line_of_stray_character("a = '''never ends\nb = \u00e4"), 0U);
}

TEST(StrayCharacters, FollowNoBackslash) {
  EXPECT_EQ(line_of_stray_character("a = \"\"\"x\\\n  \n\u00e4\"\"\""), 3U);
  EXPECT_EQ(line_of_stray_character("a = \"\"\"x\\\u00e4\"\"\""), 1U);
  EXPECT_EQ(line_of_stray_character("a = \"\"\"x\\\n  y \u00e4\"\"\""), 0U);
  EXPECT_EQ(line_of_stray_character("a = \"\"\"x\\\n\"\"\" # \u00e4"), 0U);
  EXPECT_EQ(line_of_stray_character("a = \"\"\"x\\\n\"\"\" \u00e4"), 2U);
  EXPECT_EQ(line_of_stray_character("a = '''x\\\n\u00e4'''"), 0U);
}

TEST(StrayCharacters, AreRefusedWithFileAndLine) {
  EXPECT_EQ(testing::rejection([] { parse_study("title = \"T\"\n\u00fc = 1\n", "s.toml"); }),
            "s.toml:2: a character that is not ASCII stands outside of quotes, or after a backslash");
}

}  // namespace
}  // namespace bellwether
