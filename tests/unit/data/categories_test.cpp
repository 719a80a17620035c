#include <bellwether/data/categories.h>

#include <gtest/gtest.h>

#include <bellwether/core/variable.h>
#include <bellwether/data/bytes/text_filter.h>

#include "support/data/tables.h"

namespace bellwether {
namespace {

using Names = std::vector<std::string>;

TEST(Categories, NumberTextsInTheOrderInWhichTheyCome) {
  Categories days;
  EXPECT_EQ(days.number("Monday"), 0);
  EXPECT_EQ(days.number("Sunday"), 1);
  EXPECT_EQ(days.number("Monday"), 0);
  days.close();
  EXPECT_EQ(days.number("Friday"), 2);
  EXPECT_EQ(days.number("Tuesday"), 2);
  EXPECT_EQ(days.number("Sunday"), 1);
  EXPECT_EQ(days.texts(), (Names{"Monday", "Sunday"}));
  Categories again(days.texts());
  for (const char* text : {"Monday", "Sunday", "Friday"}) EXPECT_EQ(again.number(text), days.number(text));
}

TEST(Categories, AreUtf8WhateverTheLogIs) {
  Categories towns;
  EXPECT_EQ(towns.number("M\xFCnster"), 0) << "Latin-1";
  EXPECT_EQ(towns.number("M\xC3\xBCnster"), 0);
  EXPECT_EQ(towns.number("M\xFCnster"), 0);
  EXPECT_EQ(towns.texts(), Names{"M\xC3\xBCnster"});
  for (const char* text : {"a", "\xC3\xBC", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"}) EXPECT_TRUE(is_utf8(text)) << text;
  // A rest without its first byte, cut off, too long a form, half of a pair, beyond the last character.
  for (const char* text : {"\x80", "a\xC3", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF"}) {
    EXPECT_FALSE(is_utf8(text)) << text;
  }
}

TEST(Categories, HoldABoundedNumberOfTexts) {
  Categories many;
  for (std::size_t i = 0; i < Categories::most; ++i) many.number(std::to_string(i));
  EXPECT_FALSE(many.overflowed());
  EXPECT_EQ(many.number("one more"), Categories::most);
  EXPECT_TRUE(many.overflowed());
  Categories large;
  large.number(std::string(Categories::most_bytes, 'x'));
  EXPECT_EQ(large.number("y"), 1);
  EXPECT_TRUE(large.overflowed());
}

class TextColumns : public testing::FileTest {
 protected:
  TextColumns() : FileTest("log.csv") {}

  std::vector<bool> hold_text(const std::string& text, const Names& names) {
    testing::write_file(file_, text);
    return open_table(file_)->hold_text(names, 1000);
  }
};

TEST_F(TextColumns, AreThoseOfWhichMoreThanATenthIsNoNumber) {
  EXPECT_EQ(hold_text("a,b,c\n1,x,2\n2,y,\n", {"a", "b", "c"}), (std::vector{false, true, false}));
  std::string text = "a\n";
  for (int i = 0; i < 9; ++i) text += "1\n";
  EXPECT_EQ(hold_text(text + "x\n1\n", {"a"}), std::vector{false}) << "one of eleven";
  EXPECT_EQ(hold_text(text + "x\n", {"a"}), std::vector{false}) << "a tenth";
  EXPECT_EQ(hold_text(text + "x\nx\n", {"a"}), std::vector{true});
  EXPECT_EQ(hold_text("a\n\"\"\n \n", {"a"}), std::vector{false}) << "empty cells";
}

TEST_F(TextColumns, RemainToBeRead) {
  testing::write_file(file_, "a,b\n1,x\nbad\n2,y\n3,x\n");
  const auto table = open_table(file_, {.bad_rows = BadRows::skip});
  EXPECT_EQ(table->hold_text({"b"}, 2), std::vector{true});
  EXPECT_EQ(table->skipped(), 0U);
  const auto requests = state_requests(
      {"b", "a"}, {{.name = "b", .low = 0, .high = 1, .categories = {"y"}}, {.name = "a", .low = 0, .high = 9}});
  table->select(requests);
  TableBlock all;
  ASSERT_TRUE(table->read(all, 100));
  EXPECT_EQ(all.cells, (std::vector<double>{1, 1, 0, 2, 1, 3}));
  EXPECT_EQ(all.row, (std::vector<std::uint64_t>{1, 3, 4}));
  EXPECT_EQ(table->skipped(), 1U);
}

TEST_F(TextColumns, JsonLinesHaveThemToo) {
  const std::string lines = file_ + ".jsonl";
  testing::write_file(lines, "{\"a\":1,\"b\":\"x\",\"c\":true}\n{\"b\":\"y\",\"a\":\"2\",\"c\":null}\n");
  EXPECT_EQ(open_table(lines)->hold_text({"a", "b", "c"}, 10), (std::vector{false, true, false}));
}

}  // namespace
}  // namespace bellwether
