#include <bellwether/data/numpy/numpy_table.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/data/npz_writer.h"
#include "support/data/python_data.h"
#include "support/data/tables.h"
#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::failure;
using testing::npy_bytes;
using testing::npy_of;
using testing::rejection;
using testing::requests_of;
using testing::write_file;
using testing::ZipWriter;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class NumpyTable : public testing::FileTest {
 protected:
  NumpyTable() : FileTest("log.npz") {}

  std::unique_ptr<TableReader> open(const std::string& name, const std::string& bytes,
                                    const TableOptions& options = {}) const {
    return open_numpy_table(write_file(folder_.path(name), bytes), options);
  }
};

/// All rows of some columns.
std::vector<std::vector<double>> rows_of(TableReader& table, std::vector<ColumnRequest> requests,
                                         std::size_t block_rows = 1000) {
  table.select(std::move(requests));
  std::vector<std::vector<double>> rows;
  TableBlock block;
  while (table.read(block, block_rows)) {
    for (std::size_t i = 0; i < block.rows; ++i) rows.emplace_back(block[i], block[i] + block.columns);
  }
  return rows;
}

TEST_F(NumpyTable, ArraysOfAnArchiveAreColumnsByTheirShape) {
  const auto table = open("log.npz", ZipWriter()
                                         .array("reward", {1, 2, 3})
                                         .array("x", {10, 11, 20, 21, 30, 31}, 2)
                                         .add("cube.npy", npy_bytes("|u1", "(3, 1, 2)", "abcdef"))
                                         .bytes());
  EXPECT_EQ(table->columns(), (std::vector<std::string>{"reward", "x.0", "x.1", "cube.0", "cube.1"}));
  EXPECT_EQ(rows_of(*table, requests_of({"x.1", "reward", "cube.1", "x.0"})),
            (std::vector<std::vector<double>>{{11, 1, 'b', 10}, {21, 2, 'd', 20}, {31, 3, 'f', 30}}));
  EXPECT_EQ(table->fraction(), 1);
}

TEST_F(NumpyTable, NamesOfColumnsAreUtf8) {
  const auto fields = open("log.npy", npy_bytes("[('s\xff', '|u1'), ('\xc3\xa9', '|u1', (2,))]", "(2,)", "abcdef"));
  EXPECT_EQ(fields->columns(), (std::vector<std::string>{"s\xc3\xbf", "\xc3\xa9.0", "\xc3\xa9.1"}));
  EXPECT_EQ(rows_of(*fields, requests_of({"s\xc3\xbf"})), (std::vector<std::vector<double>>{{'a'}, {'d'}}));
  EXPECT_EQ(open("l\xff.npy", npy_of({1, 2}))->columns(), std::vector<std::string>{"l\xc3\xbf"});
}

TEST_F(NumpyTable, NumbersThatAreKeptAsTextHaveTheirFewestDigits) {
  const auto texts = std::make_shared<std::vector<std::string>>();
  const auto table = open("log.npy", npy_of({0.1, nan, 5}));
  const auto rows = rows_of(
      *table, {{.name = table->columns().front(), .kind = CellKind::text, .may_be_empty = true, .texts = texts}});
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ((*texts)[static_cast<std::size_t>(rows[0][0])], "0.1");
  EXPECT_TRUE(std::isnan(rows[1][0]));
  EXPECT_EQ((*texts)[static_cast<std::size_t>(rows[2][0])], "5");
}

TEST_F(NumpyTable, BlocksOfAnySizeHoldTheSameRowsAndTheirNumbers) {
  std::vector<double> numbers(1000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
  for (const std::size_t size : {1U, 7U, 1000U, 5000U}) {
    const auto table = open("log.npz", ZipWriter().array("a", numbers).bytes());
    table->select(requests_of({"a"}));
    TableBlock block;
    std::size_t row = 0;
    while (table->read(block, size)) {
      ASSERT_LE(block.rows, size);
      for (std::size_t i = 0; i < block.rows; ++i, ++row) {
        ASSERT_EQ(block[i][0], static_cast<double>(row));
        ASSERT_EQ(block.row[i], row + 1);
      }
    }
    EXPECT_EQ(row, 1000U);
  }
}

TEST_F(NumpyTable, AnArrayOfAnotherLengthIsRejectedOnlyWhenItIsSelected) {
  const std::string bytes = ZipWriter().array("reward", {1, 2, 3}).array("names", {1, 2}).bytes();
  EXPECT_EQ(rows_of(*open("log.npz", bytes), requests_of({"reward"})).size(), 3U);
  EXPECT_EQ(rows_of(*open("log.npz", bytes), requests_of({"names"})).size(), 2U);
  EXPECT_EQ(short_of(rejection([&] {
              open("log.npz", bytes)->select(requests_of({"reward", "names"}));
            })),
            "log.npz: mixed dimensions: 'names' has 2 rows, 'reward' 3");
}

TEST_F(NumpyTable, ArraysThatAreNoColumnsAreRejectedOnlyWhenTheyAreSelected) {
  const std::string bytes = ZipWriter()
                                .array("reward", {1, 2})
                                .add("name.npy", npy_bytes("<U1", "(2,)", std::string(8, '\0')))
                                .add("turned.npy", npy_bytes("|u1", "(2, 2)", "abcd", 1, true))
                                .add("dim.npy", npy_bytes("|u1", "()", "a"))
                                .add("none.npy", npy_bytes("<f8", "(0, 4)", ""))
                                .bytes();
  EXPECT_EQ(open("log.npz", bytes)->columns(), std::vector<std::string>{"reward"});
  const auto objection = [&](const std::string& column) {
    return short_of(rejection([&] { open("log.npz", bytes)->select(requests_of({column})); }));
  };
  EXPECT_EQ(
      objection("name"),
      "log.npz: array 'name' has dtype '<U1', which is not a type of plain numbers (float32, float64, integers, bool)");
  EXPECT_EQ(objection("turned.1"),
            "log.npz: array 'turned' is in Fortran order, column by column; save it as np.ascontiguousarray(...)");
  EXPECT_EQ(objection("dim"), "log.npz: array 'dim' has no rows");
  EXPECT_EQ(objection("none.0"), "log.npz: array 'none' has no rows");
  EXPECT_EQ(objection("rewrd"), "log.npz: there is no column 'rewrd'; did you mean 'reward'? (columns: reward)");
}

TEST_F(NumpyTable, CellsAreCheckedAsTheRequestSays) {
  const auto objection = [&](const std::vector<double>& numbers, const ColumnRequest& request) {
    const std::string bytes = ZipWriter().array("a", numbers).bytes();
    return short_of(rejection([&] { rows_of(*open("log.npz", bytes), {request}); }));
  };
  EXPECT_EQ(objection({0, nan}, {.name = "a"}), "log.npz: row 2, column 'a': 'nan' is not finite");
  EXPECT_EQ(objection({0, 0, -infinity}, {.name = "a"}), "log.npz: row 3, column 'a': '-inf' is not finite");
  EXPECT_EQ(objection({0, infinity}, {.name = "a", .range = positive_or_infinite, .may_be_empty = true}),
            "log.npz: row 1, column 'a' = 0 is outside (0, inf]");
  EXPECT_EQ(objection({infinity}, {.name = "a", .range = positive_or_infinite, .may_be_empty = true}),
            "log.npz: row 1, column 'a': 'inf' is not finite");
  EXPECT_EQ(objection({0, 1, 1.5}, {.name = "a", .range = unit}), "log.npz: row 3, column 'a' = 1.5 is outside [0, 1]");
  EXPECT_EQ(objection({0, 1, 0.5}, {.name = "a", .kind = CellKind::flag}),
            "log.npz: row 3, column 'a': '0.5' is neither 0 nor 1");
  EXPECT_EQ(objection({nan}, {.name = "a", .kind = CellKind::flag}), "log.npz: row 1, column 'a': 'nan' is not finite");
  EXPECT_EQ(objection({nan}, {.name = "a", .kind = CellKind::label}),
            "log.npz: row 1, column 'a': 'nan' is not finite");
  EXPECT_EQ(objection({0, 1, nan}, {.name = "a", .kind = CellKind::flag, .may_be_empty = true}), "accepted");
  EXPECT_EQ(objection({-7, nan}, {.name = "a", .may_be_empty = true}), "accepted");
  EXPECT_EQ(objection({-7, 1e9}, {.name = "a", .kind = CellKind::label, .range = unit}), "accepted");
}

TEST_F(NumpyTable, BadRowsAreSkippedAndCountedWhereThatIsAllowed) {
  const auto table = open("log.npz", ZipWriter().array("a", {0, nan, 2, 3, 4}).array("b", {0, nan, 2, -3, 4}).bytes(),
                          {.bad_rows = BadRows::skip});
  table->select({{.name = "a"}, {.name = "b", .range = non_negative}});
  TableBlock block;
  ASSERT_TRUE(table->read(block, 10));
  EXPECT_EQ(block.rows, 3U);
  EXPECT_EQ(block.cells, (std::vector<double>{0, 0, 2, 2, 4, 4}));
  EXPECT_EQ(block.row, (std::vector<std::uint64_t>{1, 3, 5}));
  EXPECT_FALSE(table->read(block, 10));
  EXPECT_EQ(table->skipped(), 2U);
  EXPECT_EQ(short_of(table->first_skipped()), "log.npz: row 2, column 'a': 'nan' is not finite");
}

TEST_F(NumpyTable, ABlockOfBadRowsOnlyIsNotTheEnd) {
  const auto table = open("log.npz", ZipWriter().array("a", {nan, nan, nan, 7}).bytes(), {.bad_rows = BadRows::skip});
  EXPECT_EQ(rows_of(*table, requests_of({"a"}), 1), (std::vector<std::vector<double>>{{7}}));
  EXPECT_EQ(table->skipped(), 3U);
}

TEST_F(NumpyTable, AFileOfOneArrayHasColumnsByItsShape) {
  EXPECT_EQ(open("values.npy", npy_of({1, 2}))->columns(), std::vector<std::string>{"values"});
  const auto matrix = open("values.npy", npy_of({1, 2, 3, 4}, 2));
  EXPECT_EQ(matrix->columns(), (std::vector<std::string>{"x.0", "x.1"}));
  EXPECT_EQ(rows_of(*matrix, requests_of({"x.1"})), (std::vector<std::vector<double>>{{2}, {4}}));
}

TEST_F(NumpyTable, RecordsHaveTheColumnsOfTheirFields) {
  const std::string records = npy_bytes("[('a', '|u1'), ('b', '|u1', (2,)), ('t', '|S1')]", "(2,)", "abcdefgh");
  const auto table = open("log.npy", records);
  EXPECT_EQ(table->columns(), (std::vector<std::string>{"a", "b.0", "b.1"}));
  EXPECT_EQ(rows_of(*table, requests_of({"b.1", "a"})), (std::vector<std::vector<double>>{{'c', 'a'}, {'g', 'e'}}));
  const auto archived = open("log.npz", ZipWriter().add("log.npy", records).bytes());
  EXPECT_EQ(archived->columns(), (std::vector<std::string>{"log/a", "log/b.0", "log/b.1"}));
  EXPECT_EQ(short_of(rejection([&] { archived->select(requests_of({"log/t"})); })),
            "log.npz: array 'log': field 't' does not hold numbers");
}

TEST_F(NumpyTable, FilesWithoutRowsOrNumbersAreRejected) {
  EXPECT_EQ(short_of(rejection([&] { open("a.npy", npy_of({})); })), "a.npy has no rows");
  EXPECT_EQ(short_of(rejection([&] { open("a.npy", npy_bytes("<f8", "()", std::string(8, '\0'))); })),
            "a.npy has no rows");
  EXPECT_EQ(short_of(rejection([&] { open("a.npy", npy_bytes("|O", "(1,)", "?")); })),
            "a.npy has dtype '|O', which is not a type of plain numbers (float32, float64, integers, bool)");
  EXPECT_EQ(short_of(rejection([&] { open("a.npz", ZipWriter().bytes()); })), "a.npz holds no arrays");
}

using NumpyTableFromPython = testing::FromPython;

/// Whether a table is what Python has written beside it.
void expect_truth(TableReader& table, const testing::Truth& truth) {
  std::vector<ColumnRequest> requests = requests_of(truth.columns);
  EXPECT_EQ(rows_of(table, std::move(requests), 64), truth.rows);
}

TEST_F(NumpyTableFromPython, ArchivesHoldWhatNumPyWrote) {
  expect_truth(*open_numpy_table(testing::python_data("dense.npz")), testing::python_truth("dense"));
  expect_truth(*open_numpy_table(testing::python_data("compressed.npz")), testing::python_truth("dense"));
  expect_truth(*open_numpy_table(testing::python_data("float32.npz")), testing::python_truth("float32"));
}

TEST_F(NumpyTableFromPython, RecordsHoldWhatNumPyWrote) {
  const auto table = open_numpy_table(testing::python_data("records.npy"));
  EXPECT_EQ(table->columns(), testing::python_truth("records").columns);
  expect_truth(*table, testing::python_truth("records"));
}

}  // namespace
}  // namespace bellwether
