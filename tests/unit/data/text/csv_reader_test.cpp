#include <bellwether/data/text/csv_reader.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "support/allocations.h"
#include "support/data/tables.h"
#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::gzip;
using testing::read_all;
using testing::rejection;
using testing::write_file;

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

class CsvReaderTest : public testing::TextTableTest<CsvReaderTest> {
 public:
  CsvReaderTest() : TextTableTest("log.csv") {}
  static CsvReader make(Lines lines, const TableOptions& options) { return {std::move(lines), options, ",\t;"}; }
};

const TableOptions skipping{.bad_rows = BadRows::skip};

TEST_F(CsvReaderTest, GivesTheColumnsAskedForInTheOrderAskedFor) {
  CsvReader table = reader("a,b,c\n1,2,3\n4,5,6\n");
  EXPECT_EQ(table.columns(), (Names{"a", "b", "c"}));
  EXPECT_EQ(table.name(), file_);
  const TableBlock all = read_all(table, {"c", "a", "c"});
  EXPECT_EQ(all.columns, 3U);
  EXPECT_EQ(all.cells, (Numbers{3, 1, 3, 6, 4, 6}));
  EXPECT_EQ(all.row, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(table.fraction(), 1.0);
}

TEST_F(CsvReaderTest, AColumnMayBeAskedForInTwoWays) {
  CsvReader table = reader("a,b\n1,x\n0,x\n");
  table.select({{.name = "a", .kind = CellKind::label}, {.name = "a", .kind = CellKind::flag}, {.name = "a"}});
  const TableBlock all = read_all(table);
  EXPECT_EQ(all[0][1], 1);
  EXPECT_EQ(all[0][2], 1);
  EXPECT_EQ(all[1][1], 0);
  EXPECT_NE(all[0][0], all[1][0]);
}

TEST_F(CsvReaderTest, BlocksAreAsLongAsAskedForUntilTheLast) {
  CsvReader table = reader("a\n1\n2\n3\n4\n5\n");
  table.select({{.name = "a"}});
  TableBlock block;
  for (const std::size_t rows : {2U, 2U, 1U}) {
    EXPECT_TRUE(table.read(block, 2));
    EXPECT_EQ(block.rows, rows);
    EXPECT_EQ(block.cells.size(), rows);
  }
  EXPECT_FALSE(table.read(block, 2));
  EXPECT_FALSE(table.read(block, 2));
}

TEST_F(CsvReaderTest, SeparatorsInQuotesSeparateNothing) {
  CsvReader table = reader("\"speed, m/s\";b\n1;2\n");
  EXPECT_EQ(table.columns(), (std::vector<std::string>{"speed, m/s", "b"}));
}

TEST_F(CsvReaderTest, TablesMayBeVeryWide) {
  constexpr std::size_t width = 100'000;  // ten thousand million steps, if the time were quadratic
  Names names;
  Numbers numbers;
  std::string header, row;
  for (std::size_t i = 0; i < width; ++i) {
    names.push_back("x." + std::to_string(i));
    numbers.push_back(static_cast<double>(i));
    header += (i > 0 ? "," : "") + names.back();
    row += (i > 0 ? "," : "") + std::to_string(i);
  }
  CsvReader table = reader(header + "\n" + row + "\n");
  EXPECT_EQ(table.columns(), names);
  EXPECT_EQ(read_all(table, names).cells, numbers);
}

TEST_F(CsvReaderTest, TheHeaderTellsTheSeparator) {
  for (const std::string separator : {",", "\t", ";"}) {
    CsvReader table = reader("a" + separator + "b\n1" + separator + "2\n");
    EXPECT_EQ(read_all(table, {"a", "b"}).cells, (Numbers{1, 2}));
  }
}

TEST_F(CsvReaderTest, LinesMayEndInAnyWayAndBlankOnesDoNotCount) {
  for (const std::string text : {"a,b\n1,2\n3,4\n", "a,b\n1,2\n3,4", "a,b\r\n1,2\r\n3,4\r\n", "a,b\r\n1,2\r\n3,4",
                                 "\xEF\xBB\xBF\r\na,b\n\n1,2\r\n\r\n\n3,4\n\n\n"}) {
    for (std::size_t chunk = 1; chunk < 20; ++chunk) {
      CsvReader table = reader(text, {}, chunk);
      const TableBlock all = read_all(table, {"a", "b"});
      EXPECT_EQ(all.cells, (Numbers{1, 2, 3, 4})) << text << chunk;
      EXPECT_EQ(all.row, (std::vector<std::uint64_t>{1, 2}));
    }
  }
}

TEST_F(CsvReaderTest, NamesAndNumbersMayHaveSpacesAroundThem) {
  CsvReader table = reader(" a , \"b\"\t,c\n 1 ,\t2 , +3 \n+4,  5,6\n");
  EXPECT_EQ(table.columns(), (Names{"a", "\"b\"", "c"})) << "a quote after a space is a quote";
  EXPECT_EQ(read_all(table, {"a", "\"b\"", "c"}).cells, (Numbers{1, 2, 3, 4, 5, 6}));
}

TEST_F(CsvReaderTest, QuotedCellsMayHoldAnything) {
  const std::string text =
      "\"a\",\"b,\"\"c\"\"\",\"d\ne\"\r\n"
      "\"1\",\"x,\n\"\"y\"\",\",2\n"
      "3,\"\",\"4\"\r\n"
      "5,,6";
  for (std::size_t chunk = 1; chunk < 80; ++chunk) {
    CsvReader table = reader(text, {}, chunk);
    ASSERT_EQ(table.columns(), (Names{"a", "b,\"c\"", "d\ne"}));
    EXPECT_EQ(read_all(table, {"a", "d\ne"}).cells, (Numbers{1, 2, 3, 4, 5, 6}));
  }
}

TEST_F(CsvReaderTest, FlagsHaveManySpellings) {
  const std::string text = "a\n0\n1\n0.0\n1.0\nfalse\ntrue\nFalse\nTrue\nFALSE\nTRUE\n\"1\"\n 0 \n";
  EXPECT_EQ(column(text, {.name = "a", .kind = CellKind::flag}), (Numbers{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 0}));
  EXPECT_EQ(column("a\nno\nYes\nN\ny\nF\nt\n\"YES\"\n", {.name = "a", .kind = CellKind::flag}),
            (Numbers{0, 1, 0, 1, 0, 1, 1}));
  const ColumnRequest done{.name = "a", .kind = CellKind::flag};
  for (const std::string no_flag : {"2", "ye", "-0", "01", "maybe"}) {
    EXPECT_EQ(objection("a,b\n" + no_flag + ",1\n", done), ": row 1, column 'a': '" + no_flag + "' is neither 0 nor 1");
  }
}

TEST_F(CsvReaderTest, LabelsAreEqualWhereTheirTextsAre) {
  const Numbers labels = column("x,a\n1,one\n1,two\n1, one\n1,\"one\"\r\n1,one \r\n1,\"one \"\"\"\n1,1",
                                {.name = "a", .kind = CellKind::label});
  EXPECT_EQ(std::set<double>(labels.begin(), labels.end()).size(), 4U);
  for (const std::size_t i : {2U, 3U, 4U}) EXPECT_EQ(labels[i], labels[0]) << i;
  for (const double label : labels) {
    EXPECT_EQ(label, std::floor(label));
    EXPECT_LT(label, 9007199254740992.0);
  }
}

TEST_F(CsvReaderTest, EmptyCellsAreRejectedUnlessTheyMayBe) {
  EXPECT_EQ(objection("a,b\n,1\n"), ": row 1, column 'a' is empty");
  EXPECT_EQ(objection("b,a\n1,\"\"\n"), ": row 1, column 'a' is empty");
  for (const CellKind kind : {CellKind::number, CellKind::flag, CellKind::label}) {
    for (const std::string text : {"a,b\n,1\n", "b,a\n1,\n", "b,a\r\n1,\r\n", "b,a\n1, \n", "b,a\n1,\"\"\n"}) {
      const Numbers cells = column(text, {.name = "a", .kind = kind, .may_be_empty = true});
      ASSERT_EQ(cells.size(), 1U);
      EXPECT_TRUE(std::isnan(cells[0])) << text;
    }
  }
}

TEST_F(CsvReaderTest, SaysWhatIsWrongWithANumber) {
  EXPECT_EQ(objection("b,a\n1,2\n1,abc\n"), ": row 2, column 'a': 'abc' is not a number");
  EXPECT_EQ(objection("a\n1.5x\n"), ": row 1, column 'a': '1.5x' is not a number");
  EXPECT_EQ(objection("a\n1 2\n"), ": row 1, column 'a': '1 2' is not a number");
  EXPECT_EQ(objection("a\n0x10\n"), ": row 1, column 'a': '0x10' is not a number");
  EXPECT_EQ(objection("a\n+-1\n"), ": row 1, column 'a': '+-1' is not a number");
  EXPECT_EQ(objection("a\n\"1\"\"\"\n"), ": row 1, column 'a': '1\"' is not a number");
  for (const std::string text : {"-inf", "Infinity", "1e999"}) {
    EXPECT_EQ(objection("a\n" + text + "\n"), ": row 1, column 'a': '" + text + "' is not finite");
  }
  const ColumnRequest discount{.name = "a", .range = unit};
  EXPECT_EQ(objection("a\n1\n0\n1.5\n", discount), ": row 3, column 'a' = 1.5 is outside [0, 1]");
  EXPECT_EQ(objection("a\n-1\n", {.name = "a", .range = non_negative}), ": row 1, column 'a' = -1 is outside [0, inf)");
  EXPECT_EQ(objection("a\ninf\n", {.name = "a", .range = positive_or_infinite}),
            ": row 1, column 'a': 'inf' is not finite");
  EXPECT_EQ(objection("a\n" + std::string(100, 'x') + "\n"),
            ": row 1, column 'a': '" + std::string(40, 'x') + "...' is not a number");
}

TEST_F(CsvReaderTest, MarkersStandForMissingValues) {
  const std::vector<std::string> markers{"NA", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "<NA>", "?", "-", "None"};
  for (const std::string& marker : markers) {
    for (const std::string& cell : {marker, " " + marker + " ", "\"" + marker + "\""}) {
      const std::string text = "a,b\n1,1\n" + cell + ",1\n2,1\n";
      EXPECT_EQ(objection(text), ": row 2, column 'a': '" + marker + "' stands for a missing value");
      EXPECT_EQ(column(text, {.name = "a"}, skipping), (Numbers{1, 2}));
      const Numbers empty = column(text, {.name = "a", .may_be_empty = true});
      ASSERT_EQ(empty.size(), 3U);
      EXPECT_TRUE(std::isnan(empty[1])) << cell;
      EXPECT_TRUE(std::isnan(
          column(text, {.name = "a", .kind = CellKind::flag, .may_be_empty = true}, {.bad_rows = BadRows::skip})[1]));
    }
  }
  EXPECT_EQ(objection("a\n--\n"), ": row 1, column 'a': '--' is not a number");
  const Numbers labels = column("a\nNA\nnull\nNA\n", {.name = "a", .kind = CellKind::label});
  EXPECT_EQ(labels[0], labels[2]) << "a label may be any text";
  EXPECT_NE(labels[0], labels[1]);
}

TEST_F(CsvReaderTest, MessagesShowBytesThatWouldEndThemOrTheirLine) {
  using namespace std::string_literals;
  EXPECT_EQ(objection("a\nx\0y\n"s), ": row 1, column 'a': 'x\\u0000y' is not a number");
  EXPECT_EQ(objection("a\n\"x\ny\"\n"), ": row 1, column 'a': 'x\\u000ay' is not a number");
  EXPECT_EQ(objection("\"b\nc\"\nz\n", {.name = "b\nc"}), ": row 1, column 'b\\u000ac': 'z' is not a number");
  EXPECT_EQ(objection("\"b\nc\"\nz\n"), ": there is no column 'a' (columns: b\\u000ac)");
}

TEST_F(CsvReaderTest, TheDecimalMarkMayBeAComma) {
  const TableOptions comma{.decimal = ','};
  const std::string text = "a;b\n0,5;1\n\"-1,25e1\";2\n,5;3\n7;4\n";
  EXPECT_EQ(column(text, {.name = "a"}, comma), (Numbers{0.5, -12.5, 0.5, 7}));
  EXPECT_EQ(column("a\n0,5\n", {.name = "a"}, comma), Numbers{0.5}) << "a single column";
  EXPECT_EQ(rejection([&] { column("a;b\n1.500;1\n", {.name = "a"}, comma); }),
            file_ + ": row 1, column 'a': '1.500' is not a number");
  EXPECT_EQ(objection("a;b\n0,5;1\n"),
            ": row 1, column 'a': '0,5' is not a number, unless the comma is its decimal mark: `decimal=,`");
}

TEST_F(CsvReaderTest, WhatIsNotAskedForMayBeAnything) {
  CsvReader table = reader("a,b,c\nnan,1,\n\"x\",2,...\n,3,y\n");
  EXPECT_EQ(read_all(table, {"b"}).cells, (Numbers{1, 2, 3}));
}

TEST_F(CsvReaderTest, RaggedRowsAreRejected) {
  EXPECT_EQ(objection("b,a,c\n1,2,3\n1,2\n"), ": row 2 has 2 cells, the header 3");
  EXPECT_EQ(objection("b,a,c\n1,2,3,4\n"), ": row 1 has 4 cells, the header 3");
  EXPECT_EQ(objection("b,a,c\n1\n"), ": row 1 has 1 cell, the header 3");
  EXPECT_EQ(objection("b,a\n1,2,\n"), ": row 1 has 3 cells, the header 2");
}

TEST_F(CsvReaderTest, QuotesMustBeClosed) {
  EXPECT_EQ(objection("a,b\n1,2\n1,\"2\n1,2\n"), ": row 2: a quote is not closed");
  EXPECT_EQ(objection("a,b\n1,\"2\"3\n"), ": row 1: there is text after a closing quote");
  EXPECT_EQ(objection("a,\"b\n1,2\n"), ": the header: a quote is not closed");
  EXPECT_EQ(objection("a,\"b\" \n1,2\n"), ": the header: there is text after a closing quote");
}

TEST_F(CsvReaderTest, NothingAtAllIsRejected) {
  EXPECT_EQ(objection(""), ": is empty");
  EXPECT_EQ(objection("\n\r\n"), ": is empty");
  EXPECT_EQ(objection("a,b"), ": has a header but no rows");
  EXPECT_EQ(objection("a,b\n\n\n"), ": has a header but no rows");
}

TEST_F(CsvReaderTest, ColumnsMustBeThereAndHaveNamesOfTheirOwn) {
  EXPECT_EQ(objection("reward,b\n1,2\n", {.name = "rewrd"}),
            ": there is no column 'rewrd'; did you mean 'reward'? (columns: reward, b)");
  EXPECT_EQ(objection("a,b, a\n1,2,3\n"), ": there are two columns 'a'");
  EXPECT_EQ(column(",a,\n1,2,3\n", {.name = "a"}), Numbers{2}) << "columns without a name are nobody's";
}

TEST_F(CsvReaderTest, AFirstLineOfDataIsNoHeader) {
  for (const char* text : {"0.1,1,0\n0.2,1,0\n", "1,0,0\n2,0,1\n", "-1\n2\n"}) {
    EXPECT_EQ(objection(text), ": the first line holds numbers, but should hold the names of the columns") << text;
  }
  EXPECT_EQ(column("0,1\n2,3\n", {.name = "1"}), Numbers{3}) << "some programs number the columns";
  EXPECT_EQ(column("a,0.5\n2,3\n", {.name = "0.5"}), Numbers{3});
}

TEST_F(CsvReaderTest, BadRowsAreSkippedAndCounted) {
  const std::string text = "a,b\n1,x\nabc,x\n2,x\n3\nnan,\"x\ny\"\n4,\"x\"y\n,x\n5,\"z\n6,x\n";
  for (std::size_t chunk = 1; chunk < 40; ++chunk) {
    CsvReader table = reader(text, skipping, chunk);
    const TableBlock all = read_all(table, {"a"});
    EXPECT_EQ(all.cells, (Numbers{1, 2, 6}));
    EXPECT_EQ(all.row, (std::vector<std::uint64_t>{1, 3, 9}));
    EXPECT_EQ(table.skipped(), 6U);
    EXPECT_EQ(table.first_skipped(), file_ + ": row 2, column 'a': 'abc' is not a number");
  }
}

TEST_F(CsvReaderTest, AQuoteThatIsNeverClosedCostsOneRowOfALongFile) {
  std::string text = "a,b\n1,\"2\n";
  std::size_t rows = 0;
  while (text.size() < Lines::longest / 2 + 1000) text += "1,2" + std::string(996, ' ') + "\n", ++rows;
  CsvReader table = reader(text, skipping, Lines::default_chunk);
  EXPECT_EQ(read_all(table, {"a"}).rows, rows);
  EXPECT_EQ(table.first_skipped(), file_ + ": row 1: a quote is not closed");
}

TEST_F(CsvReaderTest, NumbersReadBackBitForBitAmongBadRows) {
  std::mt19937_64 random(1);
  for (int repetition = 0; repetition < 30; ++repetition) {
    const std::size_t columns = 1 + random() % 12, rows = 1 + random() % 200;
    const std::string separator(1, ",\t;"[random() % 3]), newline = random() % 2 == 0 ? "\n" : "\r\n";
    std::string text;
    Names names;
    for (std::size_t j = 0; j < columns; ++j) {
      names.push_back("x." + std::to_string(j));
      text += (j > 0 ? separator : "") + names.back();
    }
    if (columns == 1) names.back() = text = "x";
    text += newline;
    Numbers written;
    std::uint64_t bad = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t bad_cell = random() % 10 == 0 ? random() % columns : columns;
      Numbers row;
      for (std::size_t j = 0; j < columns; ++j) {
        // Any finite number of any size, and whole ones.
        double value = std::bit_cast<double>(random());
        if (!std::isfinite(value) || random() % 4 == 0) value = static_cast<double>(random() % 100);
        row.push_back(value);
        const std::string quote = random() % 8 == 0 ? "\"" : "";
        const std::string number = j == bad_cell ? "bad" : format_number(value);
        text += (j > 0 ? separator : "") + quote + number + quote;
      }
      text += i + 1 < rows || random() % 2 == 0 ? newline : "";
      if (bad_cell == columns) written.insert(written.end(), row.begin(), row.end());
      else ++bad;
    }
    CsvReader table = reader(random() % 3 == 0 ? gzip(text) : text, skipping, 1 + random() % 300);
    ASSERT_EQ(read_all(table, names).cells, written);
    ASSERT_EQ(table.skipped(), bad);
  }
}

TEST_F(CsvReaderTest, RowsAreReadWithoutAllocating) {
  std::string text = "a,b,c\n";
  for (int i = 0; i < 1000; ++i) text += "0.25,true,episode 7\n";
  CsvReader table = reader(text);
  table.select({{.name = "c", .kind = CellKind::label}, {.name = "a"}, {.name = "b", .kind = CellKind::flag}});
  TableBlock block;
  ASSERT_TRUE(table.read(block, 100));
  const auto before = testing::allocations();
  while (table.read(block, 100)) {
  }
  EXPECT_EQ(testing::allocations(), before);
}

TEST_F(CsvReaderTest, AStreamGivesWhatHasCome) {
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  bool stop = false;
  const TableOptions options{.interrupted = [&] { return stop; }};
  Lines lines(file_, options);
  const int writer = open(file_.c_str(), O_WRONLY);
  const auto send = [&](const std::string& text) {
    EXPECT_EQ(write(writer, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  };
  send("a,b\n1,2\n3,");
  CsvReader table(std::move(lines), options, ",");
  table.select({{.name = "a"}});
  TableBlock block;
  EXPECT_TRUE(table.read(block, 100));
  EXPECT_EQ(block.cells, Numbers{1});
  EXPECT_TRUE(table.read(block, 100));
  EXPECT_EQ(block.rows, 0U) << "half a row is none";
  send("4\n5,\"6\n");
  EXPECT_TRUE(table.read(block, 100));
  EXPECT_EQ(block.cells, Numbers{3});
  EXPECT_EQ(table.fraction(), std::nullopt);
  send("\"\n7,8");
  EXPECT_TRUE(table.read(block, 100));
  EXPECT_EQ(block.cells, Numbers{5});
  stop = true;
  EXPECT_FALSE(table.read(block, 100)) << "an interruption ends it, and may have cut the row";
  close(writer);
}

}  // namespace
}  // namespace bellwether
