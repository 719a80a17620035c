#include <bellwether/data/arrow/arrow_table.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include <bellwether/data/categories.h>

#include "support/data/arrow_stream.h"
#include "support/data/tables.h"
#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::arrow_numbers;
using testing::arrow_rows;
using testing::arrow_stream;
using testing::arrow_texts;
using testing::ArrowNode;
using testing::bytes_of;
using testing::failure;
using testing::read_all;
using testing::rejection;
using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

std::unique_ptr<TableReader> table_of(const std::vector<ArrowNode>& batches, const TableOptions& options = {}) {
  ArrowArrayStream stream = arrow_stream(batches);
  return arrow_table(stream, "log", options);
}

/// The cells of a column, NaN as -999.
Numbers cells(TableReader& table, const ColumnRequest& request) {
  table.select({request});
  Numbers all = read_all(table).cells;
  for (double& cell : all) cell = std::isnan(cell) ? -999 : cell;
  return all;
}

/// The cells of the only column, which may be empty.
Numbers cells_of(const ArrowNode& column) {
  const auto table = table_of({arrow_rows({column})});
  return cells(*table, {.name = table->columns().at(0), .may_be_empty = true});
}

TEST(ArrowTable, ReadsEveryTypeOfNumber) {
  EXPECT_EQ(cells_of(arrow_numbers<std::int8_t>("a", "c", {1, -128})), (Numbers{1, -128}));
  EXPECT_EQ(cells_of(arrow_numbers<std::uint8_t>("a", "C", {1, 255})), (Numbers{1, 255}));
  EXPECT_EQ(cells_of(arrow_numbers<std::int16_t>("a", "s", {1, -300})), (Numbers{1, -300}));
  EXPECT_EQ(cells_of(arrow_numbers<std::uint16_t>("a", "S", {1, 65535})), (Numbers{1, 65535}));
  EXPECT_EQ(cells_of(arrow_numbers<std::int32_t>("a", "i", {1, -70000})), (Numbers{1, -70000}));
  EXPECT_EQ(cells_of(arrow_numbers<std::uint32_t>("a", "I", {1, 4294967295})), (Numbers{1, 4294967295}));
  EXPECT_EQ(cells_of(arrow_numbers<std::int64_t>("a", "l", {1, -5000000000})), (Numbers{1, -5000000000}));
  EXPECT_EQ(cells_of(arrow_numbers<std::uint64_t>("a", "L", {1, 5000000000})), (Numbers{1, 5000000000}));
  EXPECT_EQ(cells_of(arrow_numbers<float>("a", "f", {1.5F, -0.25F})), (Numbers{1.5, -0.25}));
  EXPECT_EQ(cells_of(arrow_numbers<double>("a", "g", {0.1, -1e300})), (Numbers{0.1, -1e300}));
  EXPECT_EQ(cells_of(arrow_numbers<std::uint16_t>("a", "e", {0x3c00, 0xc100, 0x0001, 0x7bff, 0x7e00})),
            (Numbers{1, -2.5, std::ldexp(1, -24), 65504, -999}));
  EXPECT_EQ(cells_of({"b", "a", 9, {std::nullopt, testing::bits_of({1, 0, 1, 1, 0, 0, 0, 0, 1})}}),
            (Numbers{1, 0, 1, 1, 0, 0, 0, 0, 1}));
  EXPECT_EQ(cells_of({"n", "a", 2}), (Numbers{-999, -999}));
}

TEST(ArrowTable, DecimalsAreTheNearestNumbers) {
  __extension__ using Wide = __int128;
  const Wide large = static_cast<Wide>(1234567890123456789) * 1000000000;  // a number of 28 digits
  EXPECT_EQ(cells_of(arrow_numbers<Wide>("a", "d:38,3", {1100, -1, large})),
            (Numbers{1.1, -0.001, 1234567890123456789e6}));
  EXPECT_EQ(cells_of(arrow_numbers<Wide>("a", "d:38,-2", {7})), (Numbers{700}));
  EXPECT_EQ(cells_of(arrow_numbers<std::int32_t>("a", "d:9,2,32", {-110})), (Numbers{-1.1}));
  EXPECT_EQ(cells_of(arrow_numbers<std::int64_t>("a", "d:18,2,64", {110})), (Numbers{1.1}));
}

TEST(ArrowTable, TimesAreSecondsSince1970) {
  EXPECT_EQ(cells_of(arrow_numbers<std::int32_t>("a", "tdD", {-1, 19782})), (Numbers{-86400, 1709164800}));
  EXPECT_EQ(cells_of(arrow_numbers<std::int64_t>("a", "tdm", {1709164800000})), (Numbers{1709164800}));
  EXPECT_EQ(cells_of(arrow_numbers<std::int64_t>("a", "tss:", {1709164800})), (Numbers{1709164800}));
  EXPECT_EQ(cells_of(arrow_numbers<std::int64_t>("a", "tsn:UTC", {1709164800500000000, -500000000})),
            (Numbers{1709164800.5, -0.5}));
  EXPECT_EQ(cells_of(arrow_numbers<std::int32_t>("a", "ttm", {1500})), (Numbers{1.5}));
  EXPECT_EQ(cells_of(arrow_numbers<std::int64_t>("a", "ttu", {1500000})), (Numbers{1.5}));
  EXPECT_EQ(cells_of(arrow_numbers<std::int64_t>("a", "tDs", {7})), (Numbers{7}));
  const auto moments = table_of({arrow_rows({arrow_numbers<std::int64_t>("t", "tsu:", {1000000})})});
  EXPECT_EQ(cells(*moments, {.name = "t", .kind = CellKind::moment}), (Numbers{1}));
}

TEST(ArrowTable, TextsAreTreatedAsThoseInCsv) {
  const ArrowNode days = arrow_texts("day", {"Monday", " Sunday ", "Monday", "", "NA"});
  const ArrowNode numbers = arrow_texts("a", {"1.5", "-2", "?", "", "7e1"});
  const ArrowNode flags = arrow_texts("end", {"yes", "No", "T", "0", "1.0"});
  const ArrowNode moments = arrow_texts("t", {"1970-01-02", "5", "1970-01-01T00:00:01.5", "6", "7"});
  const auto table = table_of({arrow_rows({days, numbers, flags, moments})});
  EXPECT_EQ(table->hold_text({"day", "a", "end"}, 5), (std::vector<bool>{true, false, true}));
  const auto categories = std::make_shared<Categories>();
  const auto texts = std::make_shared<std::vector<std::string>>();
  table->select({{.name = "day", .kind = CellKind::category, .may_be_empty = true, .categories = categories},
                 {.name = "day", .kind = CellKind::text, .may_be_empty = true, .texts = texts},
                 {.name = "a", .may_be_empty = true},
                 {.name = "end", .kind = CellKind::flag},
                 {.name = "t", .kind = CellKind::moment}});
  const TableBlock all = read_all(*table, 5);
  EXPECT_EQ(categories->texts(), (Names{"Monday", "Sunday"}));
  EXPECT_EQ(*texts, (Names{"Monday", "Sunday", "Monday", "NA"}));
  EXPECT_EQ(Numbers(all[0], all[0] + 5), (Numbers{0, 0, 1.5, 1, 86400}));
  EXPECT_EQ(Numbers(all[1], all[1] + 5), (Numbers{1, 1, -2, 0, 5}));
  EXPECT_TRUE(std::isnan(all[2][2]) && std::isnan(all[3][0]) && std::isnan(all[4][0]));
  EXPECT_EQ(all[2][4], 1.5);
}

TEST(ArrowTable, TextsThatAreViewsAreInTheViewOrInABuffer) {
  const std::string lengthy = "a text of more than twelve bytes";
  const auto view = [](std::int32_t length, std::string rest) {
    rest.resize(12);
    return bytes_of(std::vector<std::int32_t>{length}) + rest;
  };
  const std::string far = view(32, "a te" + bytes_of(std::vector<std::int32_t>{0, 2}));
  ArrowNode node{
      "vu", "a", 2, {std::nullopt, view(3, "one") + far, "xx" + lengthy, bytes_of(std::vector<std::int64_t>{34})}};
  const auto kept = [](const ArrowNode& column) {
    const auto texts = std::make_shared<std::vector<std::string>>();
    const auto table = table_of({arrow_rows({column})});
    cells(*table, {.name = "a", .kind = CellKind::text, .texts = texts});
    return *texts;
  };
  EXPECT_EQ(kept(node), (Names{"one", lengthy}));
  node.buffers[3] = bytes_of(std::vector<std::int64_t>{33});
  EXPECT_EQ(rejection([&] { kept(node); }), "log: column 'a': a text is outside its buffer");
}

TEST(ArrowTable, ValuesOfADictionaryAreReadThroughIt) {
  ArrowNode days = arrow_numbers<std::int8_t>("day", "c", {1, 0, 1});
  days.dictionary = std::make_shared<ArrowNode>(arrow_texts("", {"Sunday", "Monday"}));
  ArrowNode levels = arrow_numbers<std::uint32_t>("level", "I", {2, 0, 1}).valid({true, true, false});
  levels.dictionary = std::make_shared<ArrowNode>(arrow_numbers<double>("", "g", {10, 20, 30}));
  const auto table = table_of({arrow_rows({days, levels})});
  EXPECT_EQ(table->hold_text({"day", "level"}, 10), (std::vector<bool>{true, false}));
  const auto categories = std::make_shared<Categories>();
  table->select(
      {{.name = "day", .kind = CellKind::category, .categories = categories}, {.name = "level", .may_be_empty = true}});
  const TableBlock all = read_all(*table);
  EXPECT_EQ(categories->texts(), (Names{"Monday", "Sunday"}));
  EXPECT_EQ((Numbers{all[0][1], all[1][1]}), (Numbers{30, 10}));
  EXPECT_TRUE(std::isnan(all[2][1]));
}

TEST(ArrowTable, SlicesBeginWhereTheirOffsetSays) {
  const ArrowNode a = arrow_numbers<double>("a", "g", {0, 1, 2, 3, 4}).valid({true, true, true, false, true});
  EXPECT_EQ(cells_of(a.slice(2, 3)), (Numbers{2, -999, 4}));
  const auto rows = table_of({arrow_rows({a}).slice(1, 3)});
  EXPECT_EQ(cells(*rows, {.name = "a", .may_be_empty = true}), (Numbers{1, 2, -999}));
  const auto both = table_of({arrow_rows({a.slice(1, 4)}).slice(1, 2)});
  EXPECT_EQ(cells(*both, {.name = "a", .may_be_empty = true}), (Numbers{2, -999}));
}

TEST(ArrowTable, StructsAndListsAreColumns) {
  const ArrowNode inner = arrow_numbers<float>("item", "f", {0, 1, 2, 3, 4, 5, 6, 7});
  const ArrowNode pair{"+w:2", "goal", 3, {std::nullopt}, {inner.slice(1, 7)}};
  const ArrowNode list{"+l",    "x", 3, {std::nullopt, bytes_of(std::vector<std::int32_t>{0, 2, 4, 6})},
                       {inner}, {},  0, 0};
  const ArrowNode info{"+s", "info", 3, {std::nullopt}, {arrow_numbers<double>("qpos", "g", {7, 8, 9}), pair}};
  const auto table = table_of({arrow_rows({info.valid({true, false, true}), list})});
  EXPECT_EQ(table->columns(), (Names{"info/qpos", "info/goal.0", "info/goal.1", "x.0", "x.1"}));
  EXPECT_EQ(cells(*table_of({arrow_rows({info, list})}), {.name = "x.1"}), (Numbers{1, 3, 5}));
  EXPECT_EQ(cells(*table_of({arrow_rows({info, list})}), {.name = "info/goal.1"}), (Numbers{2, 4, 6}));
  EXPECT_EQ(cells(*table, {.name = "info/goal.0", .may_be_empty = true}), (Numbers{1, -999, 5}));
}

TEST(ArrowTable, NamesOfColumnsAreUtf8) {
  EXPECT_EQ(table_of({arrow_rows({arrow_numbers<double>("s\xff", "g", {1})})})->columns(), Names{"s\xc3\xbf"});
}

TEST(ArrowTable, ListsOfAnotherLengthAreBadRows) {
  const ArrowNode inner = arrow_numbers<double>("item", "g", {0, 1, 2, 3, 4});
  const ArrowNode list{"+L",    "x", 3, {std::nullopt, bytes_of(std::vector<std::int64_t>{0, 2, 3, 5})},
                       {inner}, {},  0, 0};
  EXPECT_EQ(rejection([&] { cells(*table_of({arrow_rows({list})}), {.name = "x.0"}); }),
            "log: mixed dimensions: row 2: a list of 'x.0' has 1 value, the first row 2");
  const auto table = table_of({arrow_rows({list})}, {.bad_rows = BadRows::skip});
  EXPECT_EQ(cells(*table, {.name = "x.1", .may_be_empty = true}), (Numbers{1, 4}));
  EXPECT_EQ(table->skipped(), 1U);
}

TEST(ArrowTable, RowsCountOnFromBatchToBatch) {
  const auto batch = [](const std::vector<double>& values) {
    return arrow_rows({arrow_numbers<double>("a", "g", values)});
  };
  const auto table = table_of({batch({1, 2}), batch({}), batch({3, NAN, 5}), batch({NAN, NAN, NAN}), batch({9})},
                              {.bad_rows = BadRows::skip});
  EXPECT_EQ(table->fraction(), std::nullopt);
  table->select({{.name = "a"}});
  const TableBlock all = read_all(*table, 2);
  EXPECT_EQ(all.cells, (Numbers{1, 2, 3, 5, 9}));
  EXPECT_EQ(all.row, (std::vector<std::uint64_t>{1, 2, 3, 5, 9}));
  EXPECT_EQ(table->skipped(), 4U);
  EXPECT_EQ(table->first_skipped(), "log: row 4, column 'a': 'nan' is not finite");
}

TEST(ArrowTable, TextIsLookedForInAsManyRowsAsAskedForWhateverTheBatches) {
  const auto batch = [](const std::string& text) { return arrow_rows({arrow_texts("a", {text})}); };
  const auto table = table_of({batch("1"), batch("2"), batch("west"), batch("4")});
  EXPECT_EQ(table->hold_text({"a"}, 2), std::vector<bool>{false});
  EXPECT_EQ(table->hold_text({"a"}, 4), std::vector<bool>{true});
  const auto texts = std::make_shared<std::vector<std::string>>();
  EXPECT_EQ(cells(*table, {.name = "a", .kind = CellKind::text, .texts = texts}), (Numbers{0, 1, 2, 3}));
}

TEST(ArrowTable, BadCellsAreNamed) {
  const auto objection = [](const ArrowNode& column, const ColumnRequest& request) {
    return rejection([&] { cells(*table_of({arrow_rows({column})}), request); });
  };
  const ArrowNode numbers = arrow_numbers<double>("a", "g", {1, 2});
  EXPECT_EQ(objection(numbers.valid({true, false}), {.name = "a"}), "log: row 2, column 'a' is empty");
  EXPECT_EQ(objection(numbers, {.name = "a", .range = unit}), "log: row 2, column 'a' = 2 is outside [0, 1]");
  EXPECT_EQ(objection(numbers, {.name = "a", .kind = CellKind::flag}),
            "log: row 2, column 'a': '2' is neither 0 nor 1");
  EXPECT_EQ(objection(arrow_texts("a", {"1", "west"}), {.name = "a"}),
            "log: row 2, column 'a': 'west' is not a number");
  EXPECT_EQ(objection(arrow_texts("a", {"1", ""}), {.name = "a"}), "log: row 2, column 'a' is empty");
  EXPECT_EQ(objection(numbers, {.name = "a", .kind = CellKind::category, .categories = std::make_shared<Categories>()}),
            "log: column 'a' holds numbers; it was text in the data before");
}

TEST(ArrowTable, LongIntegersStayDifferentAsLabelsAndTexts) {
  const std::int64_t large = std::int64_t{1} << 60;
  const ArrowNode ids = arrow_numbers<std::int64_t>("id", "l", {large, large + 1, large, 3});
  const Numbers labels = cells(*table_of({arrow_rows({ids})}), {.name = "id", .kind = CellKind::label});
  EXPECT_NE(labels[0], labels[1]);
  EXPECT_EQ(labels[0], labels[2]);
  EXPECT_EQ(labels[3], 3);
  const auto texts = std::make_shared<std::vector<std::string>>();
  const ArrowNode moments = arrow_numbers<std::int64_t>("t", "tsm:", {1709251199500, 0, -1000, 1});
  const auto table = table_of({arrow_rows({ids, moments})});
  table->select(
      {{.name = "id", .kind = CellKind::text, .texts = texts}, {.name = "t", .kind = CellKind::text, .texts = texts}});
  TableBlock block;
  table->read(block, 2);
  EXPECT_EQ(*texts,
            (Names{"1152921504606846976", "1152921504606846977", "2024-02-29T23:59:59.5", "1970-01-01T00:00:00"}));
}

TEST(ArrowTable, OtherTypesAreRefusedWhenTheyAreSelected) {
  const ArrowNode bytes{"z", "image", 1, {std::nullopt, std::string(8, '\0'), ""}};
  const auto table = table_of({arrow_rows({bytes, arrow_numbers<double>("a", "g", {1})})});
  EXPECT_EQ(table->columns(), Names{"a"});
  EXPECT_EQ(rejection([&] { table->select({{.name = "image"}}); }), "log: column 'image' holds 'z', which is not read");
  EXPECT_EQ(rejection([&] { table->select({{.name = "b"}}); }), "log: there is no column 'b' (columns: a)");
}

TEST(ArrowTable, WhatAProducerGetsWrongIsRejected) {
  const auto objection = [](const ArrowNode& rows) {
    return rejection([&] {
      const auto table = table_of({rows});
      cells(*table, {.name = table->columns().at(0), .may_be_empty = true});
    });
  };
  const ArrowNode good = arrow_numbers<double>("a", "g", {1, 2});
  const auto changed = [&](auto&& change) {
    ArrowNode rows = arrow_rows({good});
    change(rows, rows.children[0]);
    return objection(rows);
  };
  EXPECT_EQ(changed([](ArrowNode&, ArrowNode& a) { a.buffers.pop_back(); }),
            "log: column 'a': an array has 1 buffers, not 2");
  EXPECT_EQ(changed([](ArrowNode&, ArrowNode& a) { a.buffers[1].reset(); }), "log: column 'a': a buffer is missing");
  EXPECT_EQ(changed([](ArrowNode&, ArrowNode& a) { a.null_count = 1; }),
            "log: column 'a': values are missing, but not said which");
  EXPECT_EQ(changed([](ArrowNode&, ArrowNode& a) { a.length = 1; }),
            "log: column 'a': an array within it has 1 values, not 2 times 1");
  EXPECT_EQ(changed([](ArrowNode&, ArrowNode& a) { a.offset = -1; }),
            "log: column 'a': an array says that it has 2 values from -1 on, and that 0 are missing");
  EXPECT_EQ(changed([](ArrowNode& rows, ArrowNode&) { rows.length = -2; }), "log: an array has -2 rows");
  EXPECT_EQ(changed([](ArrowNode& rows, ArrowNode&) { rows.length = std::numeric_limits<std::int64_t>::max(); }),
            "log: column 'a': an array says that it has 9223372036854775807 values from 0 on, and that 0 are missing");
  ArrowNode keys = arrow_numbers<std::int8_t>("a", "c", {0, 5});
  keys.dictionary = std::make_shared<ArrowNode>(arrow_texts("", {"x"}));
  EXPECT_EQ(objection(arrow_rows({keys})), "log: column 'a': value 5 of a dictionary with 1 values");
  ArrowNode texts = arrow_texts("a", {"x", "y"});
  texts.buffers[1] = bytes_of(std::vector<std::int32_t>{0, -1, 2});
  EXPECT_EQ(objection(arrow_rows({texts})), "log: column 'a': a text reaches from 0 to -1");
  const ArrowNode list{"+l", "a", 2, {std::nullopt, bytes_of(std::vector<std::int32_t>{0, 1, 9})}, {good}, {}, 0, 0};
  EXPECT_EQ(objection(arrow_rows({list})), "log: column 'a.0': a list reaches from 1 to 9 of 2 values");
  EXPECT_EQ(objection(good), "log: is a stream of 'g', not of rows with columns ('+s')");
  EXPECT_EQ(objection(arrow_rows({good, good})), "log: there are two columns 'a'");
}

TEST(ArrowTable, ABatchWithFewerColumnsThanTheFirstIsRejected) {
  const ArrowNode a = arrow_numbers<double>("a", "g", {1});
  const ArrowNode b = arrow_numbers<double>("b", "g", {2});
  const auto table = table_of({arrow_rows({a, b}), arrow_rows({a})});
  EXPECT_EQ(rejection([&] { cells(*table, {.name = "b"}); }), "log: column 'b': an array within it is missing");
}

TEST(ArrowTable, ErrorsOfTheProducerArePassedOn) {
  ArrowArrayStream stream = arrow_stream({arrow_rows({arrow_numbers<double>("a", "g", {1})})}, "the disk is full");
  const auto table = arrow_table(stream, "log");
  table->select({{.name = "a"}});
  TableBlock block;
  EXPECT_TRUE(table->read(block, 1));
  EXPECT_EQ(failure([&] { table->read(block, 10); }), "log: the disk is full");
}

TEST(ArrowTable, AStreamWithoutRowsIsRejected) {
  const auto table = table_of({arrow_rows({arrow_numbers<double>("a", "g", {})})});
  EXPECT_EQ(rejection([&] { cells(*table, {.name = "a"}); }), "log: has columns but no rows");
}

TEST(ArrowTable, ReleasesEverythingOnce) {
  int released = 0;
  const ArrowNode rows = arrow_rows({arrow_numbers<double>("a", "g", {1})});
  ArrowArrayStream stream = arrow_stream({rows, rows}, "", &released);
  {
    const auto table = arrow_table(stream, "log");
    EXPECT_EQ(stream.release, nullptr);
    EXPECT_EQ(released, 2);  // the schema and that of its column
    EXPECT_EQ(cells(*table, {.name = "a"}), (Numbers{1, 1}));
    EXPECT_EQ(released, 6);  // the batches and their columns
  }
  EXPECT_EQ(released, 7);
  EXPECT_EQ(rejection([&] { arrow_table(stream, "log"); }),
            "log: the stream of arrays was released before it was read");
}

}  // namespace
}  // namespace bellwether
