#include <bellwether/data/text/json_lines_reader.h>

#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bellwether/data/bytes/text_filter.h>
#include <bellwether/data/cells.h>

#include "support/allocations.h"
#include "support/data/tables.h"
#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::read_all;
using testing::rejection;
using testing::write_file;

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

class JsonLinesReaderTest : public testing::TextTableTest<JsonLinesReaderTest> {
 public:
  JsonLinesReaderTest() : TextTableTest("log.jsonl") {}
  static JsonLinesReader make(Lines lines, const TableOptions& options) { return {std::move(lines), options}; }
};

TEST_F(JsonLinesReaderTest, ColumnsAreTheLeavesOfTheFirstObject) {
  const std::string text =
      R"({"obs": [1, 2.5], "m": [[3, 4], [5]], "info": {"x": -6e-1, "deep": {"y": [7]}}, "none": [], "done": true})"
      "\n";
  for (std::size_t chunk = 1; chunk < 120; chunk += 7) {
    JsonLinesReader table = reader(text, {}, chunk);
    const Names names{"obs.0", "obs.1", "m.0.0", "m.0.1", "m.1.0", "info/x", "info/deep/y.0", "done"};
    ASSERT_EQ(table.columns(), names);
    EXPECT_EQ(read_all(table, names).cells, (Numbers{1, 2.5, 3, 4, 5, -0.6, 7, 1}));
  }
}

TEST_F(JsonLinesReaderTest, KeysMayChangeTheirOrderAndOthersMayCome) {
  const std::string text =
      "{\"a\":1,\"b\":[2,3],\"c\":{\"d\":4}}\r\n\n"
      "  {\"c\":{\"e\":[{}],\"d\":8},\"new\":{\"a\":[\"}\"]},\"b\":[6,7],\"a\":5}  \n"
      "{\"b\":[10,11],\"a\":9,\"c\":{\"d\":12}}";
  JsonLinesReader table = reader(text);
  const TableBlock all = read_all(table, {"c/d", "a", "b.1", "b.0", "a"});
  EXPECT_EQ(all.cells, (Numbers{4, 1, 3, 2, 1, 8, 5, 7, 6, 5, 12, 9, 11, 10, 9}));
  EXPECT_EQ(all.row, (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_EQ(table.fraction(), 1.0);
}

/// Older programs write Latin-1, and escapes may stand for half a character. No model could keep such names.
TEST_F(JsonLinesReaderTest, NamesOfColumnsAreUtf8) {
  JsonLinesReader table = reader(
      "{\"s\xff\": 1, \"\xc3\xa9\": {\"\xe9\": [2]}, \"\\ud800\": 3}\n"
      "{\"\\ud800\": 6, \"\xc3\xa9\": {\"\xe9\": [5]}, \"s\xff\": 4}\n");
  const Names names = table.columns();
  ASSERT_EQ(names.size(), 3U);
  EXPECT_EQ(names[0], "s\xc3\xbf");
  EXPECT_EQ(names[1], "\xc3\xa9/\xc3\xa9.0");
  for (const std::string& name : names) EXPECT_TRUE(is_utf8(name)) << name;
  EXPECT_EQ(read_all(table, names).cells, (Numbers{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(objection("{\"a\": 1, \"s\xff\": 1, \"s\xc3\xbf\": 1}\n"), ": there are two columns 's\xc3\xbf'");
}

/// Comparing every key with every other, in each row, would take minutes.
TEST_F(JsonLinesReaderTest, AHundredThousandKeysMayComeInAnyOrder) {
  constexpr int keys = 100'000;
  std::string first = "{";
  std::string second = "{";
  Names names;
  Numbers expected;
  for (int i = 0; i < keys; ++i) {
    first += fmt::format("{}\"k{}\":{}", i == 0 ? "" : ",", i, i);
    second += fmt::format("{}\"k{}\":{}", i == 0 ? "" : ",", keys - 1 - i, 7 * (keys - 1 - i));
    names.push_back(fmt::format("k{}", i));
    expected.push_back(i);
  }
  for (int i = 0; i < keys; ++i) expected.push_back(7 * i);
  JsonLinesReader table = reader(first + "}\n" + second + "}\n");
  EXPECT_EQ(read_all(table, names).cells, expected);
}

TEST_F(JsonLinesReaderTest, BooleansAreFlagsAndNumbers) {
  const std::string text = "{\"a\":true}\n{\"a\":false}\n{\"a\":1}\n{\"a\":0.0}\n{\"a\":\"True\"}\n";
  EXPECT_EQ(column(text, {.name = "a", .kind = CellKind::flag}), (Numbers{1, 0, 1, 0, 1}));
  EXPECT_EQ(column("{\"a\":true}\n{\"a\":false}\n{\"a\":7}\n", {.name = "a"}), (Numbers{1, 0, 7}));
  EXPECT_EQ(objection("{\"a\":2}", {.name = "a", .kind = CellKind::flag}),
            ": row 1, column 'a': '2' is neither 0 nor 1");
}

TEST_F(JsonLinesReaderTest, StringsAreLabelsWithTheirEscapesResolved) {
  const std::string text = R"({"a":"plain"}
{"a":"pl\u0061in"}
{"a":"\"\\\/\b\f\n\r\t"}
{"a":"\u00e9\u20ac\ud83d\ude00"}
{"a":17}
)";
  EXPECT_EQ(column(text, {.name = "a", .kind = CellKind::label}),
            (Numbers{label_number("plain"), label_number("plain"), label_number("\"\\/\b\f\n\r"),
                     label_number("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"), label_number("17")}))
      << "spaces around a label are not part of it";
}

TEST_F(JsonLinesReaderTest, KeysMayHaveEscapesInAnyLine) {
  JsonLinesReader table = reader("{\"\\u0061\":1}\n{\"a\":2}\n{\"\\u0061\":3}\n");
  EXPECT_EQ(read_all(table, {"a"}).cells, (Numbers{1, 2, 3}));
}

TEST_F(JsonLinesReaderTest, NullAndMissingKeysAreEmptyCells) {
  const std::string text = "{\"a\":1,\"v\":[2,3]}\n{\"a\":null,\"v\":[4,null]}\n{}\n{\"a\":5,\"v\":null}\n";
  JsonLinesReader table = reader(text);
  table.select({{.name = "a", .may_be_empty = true}, {.name = "v.1", .may_be_empty = true}});
  const TableBlock all = read_all(table);
  ASSERT_EQ(all.rows, 4U);
  EXPECT_EQ(all[0][0], 1);
  EXPECT_EQ(all[0][1], 3);
  for (const std::size_t i : {1U, 2U}) EXPECT_TRUE(std::isnan(all[i][0]) && std::isnan(all[i][1])) << i;
  EXPECT_EQ(all[3][0], 5);
  EXPECT_TRUE(std::isnan(all[3][1]));

  EXPECT_EQ(objection("{\"a\":1}\n{\"a\":null}\n"), ": row 2, column 'a' is empty");
  EXPECT_EQ(objection("{\"a\":1}\n{\"b\":1}\n"), ": row 2 has no 'a'");
  EXPECT_EQ(objection("{\"v\":[1,2]}\n{}\n", {.name = "v.0"}), ": row 2 has no 'v'");
  EXPECT_EQ(objection("{\"o\":{\"v\":[1,2]}}\n{\"o\":null}\n", {.name = "o/v.0"}), ": row 2 has no 'o/v'");
}

TEST_F(JsonLinesReaderTest, AKeyThatComesTwiceDoesNotStandForAnother) {
  JsonLinesReader table = reader("{\"a\":1,\"b\":2}\n{\"a\":1,\"a\":2}\n");
  table.select({{.name = "a"}, {.name = "b"}});
  EXPECT_EQ(rejection([&] { read_all(table); }), file_ + ": row 2 has no 'b'");
}

TEST_F(JsonLinesReaderTest, ArraysKeepTheirLengthAndValuesTheirKind) {
  const std::string first = "{\"obs\":[1,2,3,4],\"a\":1}\n";
  const ColumnRequest wanted{.name = "obs.0"};
  EXPECT_EQ(objection(first + "{\"obs\":[1,2,3]}", wanted),
            ": mixed dimensions: row 2: 'obs' has 3 numbers, the first row 4");
  EXPECT_EQ(objection(first + "{\"obs\":[1,2,3,4,5]}", wanted),
            ": mixed dimensions: row 2: 'obs' has 5 numbers, the first row 4");
  EXPECT_EQ(objection(first + "{\"obs\":[]}", wanted),
            ": mixed dimensions: row 2: 'obs' has 0 numbers, the first row 4");
  EXPECT_EQ(objection(first + "{\"obs\":1}", wanted), ": row 2: 'obs' is a value, in the first row an array");
  EXPECT_EQ(objection(first + "{\"a\":{}}"), ": row 2: 'a' is an object, in the first row a value");
  EXPECT_EQ(column(first + "{\"obs\":[],\"a\":2}", {.name = "a"}), (Numbers{1, 2})) << "what is not wanted may differ";
}

TEST_F(JsonLinesReaderTest, SaysWhatIsWrongWithANumber) {
  EXPECT_EQ(objection("{\"a\":\"abc\"}"), ": row 1, column 'a': 'abc' is not a number");
  EXPECT_EQ(objection("{\"a\":1}\n{\"a\":1.5}", {.name = "a", .range = unit}),
            ": row 2, column 'a' = 1.5 is outside [0, 1]");
  for (const std::string text : {"Infinity", "-Infinity", "1e999"}) {
    EXPECT_EQ(objection("{\"a\":" + text + "}"), ": row 1, column 'a': '" + text + "' is not finite");
  }
}

TEST_F(JsonLinesReaderTest, SaysWhatIsNotJson) {
  const std::string first = "{\"a\":1,\"b\":0}\n";
  const auto second = [&](const std::string& line) { return objection(first + line + "\n"); };
  EXPECT_EQ(second("[1]"), ": row 2: a line must be an object in braces (at character 1)");
  EXPECT_EQ(second("{\"a\":1"), ": row 2: '}' is missing (at character 7)");
  EXPECT_EQ(second("{\"a\":1]"), ": row 2: '}' is missing (at character 7)");
  EXPECT_EQ(second("{\"a\" 1}"), ": row 2: ':' is missing (at character 6)");
  EXPECT_EQ(second("{a:1}"), ": row 2: '\"' is missing (at character 2)");
  EXPECT_EQ(second("{\"a\":}"), ": row 2: a value is missing (at character 6)");
  EXPECT_EQ(second("{\"a\":1,}"), ": row 2: '\"' is missing (at character 8)");
  EXPECT_EQ(second("{\"a\":1} 2"), ": row 2: there is text after the object (at character 9)");
  EXPECT_EQ(second("{\"a\":\"b"), ": row 2: a string is not closed (at character 8)");
  EXPECT_EQ(second("{\"a\":\"\\"), ": row 2: there is no such escape (at character 8)");
  EXPECT_EQ(second("{\"a\":\"\\x\"}"), ": row 2: there is no such escape (at character 8)");
  EXPECT_EQ(second("{\"a\":\"\\u12\"}"), ": row 2: an escape has no four digits (at character 9)");
  EXPECT_EQ(second("{\"a\":\"\\ud83d\\u0061\"}"), ": row 2: an escape is half a character (at character 19)");
  EXPECT_EQ(second("{\"b\":[1,{\"c\":[}]}"), ": row 2: a value is missing (at character 15)");
  EXPECT_EQ(second("{\"b\":" + std::string(1000, '[')), ": row 2: values are nested too deeply (at character 71)");
  EXPECT_EQ(objection("{\"b\":" + std::string(1000, '[')), ": row 1: values are nested too deeply (at character 70)");
  EXPECT_EQ(objection("a,b\n1,2\n"), ": row 1: a line must be an object in braces (at character 1)");
}

TEST_F(JsonLinesReaderTest, NothingAtAllAndAmbiguousColumnsAreRejected) {
  EXPECT_EQ(objection(""), ": is empty");
  EXPECT_EQ(objection("{}"), ": there is no column 'a' (columns: )");
  EXPECT_EQ(objection("{\"a\":1,\"a\":2}"), ": there are two columns 'a'");
  EXPECT_EQ(objection("{\"a/b\":1,\"a\":{\"b\":2}}"), ": there are two columns 'a/b'");
}

TEST_F(JsonLinesReaderTest, BadRowsAreSkippedAndCounted) {
  const std::string text = "{\"a\":1}\n{\"a\":NaN}\n{\"a\":2}\nrubbish\n{\"a\":\n\n{}\n{\"a\":3}\n";
  for (std::size_t chunk = 1; chunk < 30; ++chunk) {
    JsonLinesReader table = reader(text, {.bad_rows = BadRows::skip}, chunk);
    const TableBlock all = read_all(table, {"a"});
    EXPECT_EQ(all.cells, (Numbers{1, 2, 3}));
    EXPECT_EQ(all.row, (std::vector<std::uint64_t>{1, 3, 7}));
    EXPECT_EQ(table.skipped(), 4U);
    EXPECT_EQ(table.first_skipped(), file_ + ": row 2, column 'a': 'NaN' stands for a missing value");
  }
}

TEST_F(JsonLinesReaderTest, NumbersReadBackBitForBit) {
  std::mt19937_64 random(2);
  for (int repetition = 0; repetition < 10; ++repetition) {
    const std::size_t length = 1 + random() % 10;
    std::string text;
    Numbers written;
    for (std::size_t row = 0; row < 100; ++row) {
      const auto draw = [&] {
        double value = std::bit_cast<double>(random());
        if (!std::isfinite(value)) value = 0.25;
        written.push_back(value);
        return format_number(value);
      };
      const std::string reward = "\"reward\": " + draw();
      std::string obs = "\"obs\": [";
      for (std::size_t j = 0; j < length; ++j) obs += (j > 0 ? ", " : "") + draw();
      obs += "]";
      text += row == 0 || random() % 2 == 0 ? "{" + reward + ", " + obs + "}\n" : "{" + obs + ", " + reward + "}\n";
    }
    JsonLinesReader table = reader(text, {}, 1 + random() % 500);
    Names names{"reward"};
    for (std::size_t j = 0; j < length; ++j) names.push_back("obs." + std::to_string(j));
    ASSERT_EQ(read_all(table, names).cells, written);
  }
}

TEST_F(JsonLinesReaderTest, RowsAreReadWithoutAllocating) {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += "{\"obs\":[0.25,1e-3],\"done\":true,\"id\":\"episode\",\"more\":{\"x\":[1]}}\n";
  JsonLinesReader table = reader(text);
  table.select({{.name = "obs.1"}, {.name = "done", .kind = CellKind::flag}, {.name = "id", .kind = CellKind::label}});
  TableBlock block;
  ASSERT_TRUE(table.read(block, 100));
  const auto before = testing::allocations();
  while (table.read(block, 100)) {
  }
  EXPECT_EQ(testing::allocations(), before);
}

}  // namespace
}  // namespace bellwether
