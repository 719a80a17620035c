// Parquet and Arrow files, which a module of the program reads in a process of its own.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <bellwether/core/params/settings.h>
#include <bellwether/data/categories.h>
#include <bellwether/data/process/table_process.h>

#include "cli/program.h"
#include "support/data/python_data.h"
#include "support/data/tables.h"
#include "support/mutations.h"
#include "support/rejection.h"

namespace bellwether::testing {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<TableReader> opened(const std::string& path, const TableOptions& options = {}) {
  return open_table_apart({BELLWETHER_PROGRAM, table_server}, path, options);
}

class LearnArrow : public FileTest {
 protected:
  LearnArrow() : FileTest("log.parquet") {}
};

TEST_F(LearnArrow, WithoutTheModuleTheAnswerIsAConversionAndHowToBuildIt) {
  // A copy of the program, beside which there is no module.
  const std::string program = folder_.path("bellwether");
  fs::copy_file(BELLWETHER_PROGRAM, program);
  const auto answer = [&](const std::string& path) {
    return rejection([&] { open_table_apart({program, table_server}, path); });
  };
  write_file(file_, "PAR1");
  EXPECT_EQ(short_of(answer(file_)),
            "log.parquet: is not read as it is; this makes a CSV file of it: python3 -c \"import pandas; "
            "pandas.read_parquet('" +
                file_ + "').to_csv('" + folder_.path("log.csv") +
                "', index=False)\"; or `make parquet` builds the program with Arrow, which reads it");
  fs::create_directories(folder_.path("minari/data/0"));
  EXPECT_NE(answer(folder_.path("minari")).find("data_format='hdf5'"), std::string::npos);
}

class ArrowFromPython : public FromPython {
 protected:
  void SetUp() override {
    FromPython::SetUp();
    if (IsSkipped()) return;
    if (!has_arrow) GTEST_SKIP() << "the module was not built: BELLWETHER_ARROW_PYTHON is not set";
    if (!fs::exists(python_data("types.parquet"))) GTEST_SKIP() << "there is no pyarrow for this Python";
  }
};

/// Checks the numbers of a table from some row of the truth on.
void expect_numbers(const std::string& path, const std::string& name, std::size_t first = 0) {
  const Truth truth = python_truth(name);
  const auto table = opened(path);
  std::vector<ColumnRequest> requests = requests_of(truth.columns);
  for (ColumnRequest& request : requests) request.may_be_empty = true;
  table->select(requests);
  const TableBlock all = read_all(*table, 100);
  ASSERT_EQ(all.rows, truth.rows.size() - first);
  for (std::size_t i = 0; i < all.rows; ++i) {
    for (std::size_t c = 0; c < all.columns; ++c) {
      const double expected = truth.rows[first + i][c];
      if (std::isnan(expected)) EXPECT_TRUE(std::isnan(all[i][c])) << truth.columns[c] << " in row " << i;
      else EXPECT_EQ(all[i][c], expected) << truth.columns[c] << " in row " << i;
    }
  }
}

TEST_F(ArrowFromPython, EveryTypeIsReadAsPyarrowWroteIt) {
  expect_numbers(python_data("types.parquet"), "types");
  expect_numbers(python_data("types.feather"), "types");
  expect_numbers(python_data("types.arrow"), "types", 10);  // a slice of the table
}

TEST_F(ArrowFromPython, TextsOfEveryTypeAreTheSameCategories) {
  for (const char* file : {"types.feather", "types.arrow"}) {
    const auto table = opened(python_data(file));
    const std::vector<std::string> names{"text", "coded", "view"};
    EXPECT_EQ(table->hold_text(names, 50), std::vector<bool>(3, true));
    EXPECT_EQ(table->hold_text({"int8", "levels"}, 50), std::vector<bool>(2, false));
    std::vector<ColumnRequest> requests;
    const auto categories = std::make_shared<Categories>();
    const auto texts = std::make_shared<std::vector<std::string>>();
    for (const std::string& name : names) {
      requests.push_back({.name = name, .kind = CellKind::category, .categories = categories});
    }
    requests.push_back({.name = "view", .kind = CellKind::text, .texts = texts});
    table->select(requests);
    const TableBlock all = read_all(*table, 100);
    ASSERT_GT(all.rows, 200U);
    EXPECT_EQ(categories->texts().size(), 4U);
    for (std::size_t i = 0; i < all.rows; ++i) {
      EXPECT_EQ(all[i][0], all[i][1]);
      EXPECT_EQ(all[i][0], all[i][2]);
      EXPECT_EQ(texts->at(i), categories->texts().at(static_cast<std::size_t>(all[i][0])));
    }
    EXPECT_EQ(
        rejection([&] {
          opened(python_data(file))->select({{.name = "int8", .kind = CellKind::category, .categories = categories}});
        }),
        python_data(file) + ": column 'int8' holds numbers; it was text in the data before");
  }
}

TEST_F(ArrowFromPython, LearningGivesWhatTheSameNumbersAsCsvGive) {
  const TemporaryFolder folder;
  const auto learned = [&](const std::string& file) {
    const auto done = bellwether("learn " + python_data(file) + " --state day,x --discount 0.9 --skip-bad --weights " +
                                 folder.path("w.csv") + " --json");
    EXPECT_EQ(done.code, 0) << done.err;
    auto summary = nlohmann::json::parse(done.out, nullptr, false);
    EXPECT_GT(summary["episodes"], 100);
    EXPECT_GT(summary["skipped_rows"], 10) << "rewards are missing";
    const std::string answer = summary["targets"].dump();
    return std::pair(answer, read_file(folder.path("w.csv")));
  };
  const auto expected = learned("arrow_log.csv");
  for (const char* ending : {"parquet", "feather", "ipc", "arrow"}) {
    EXPECT_EQ(learned(std::string("arrow_log.") + ending), expected) << ending;
  }
}

TEST_F(ArrowFromPython, MinariDatasetsThatAreStoredAsArrowOrParquetAreThoseInHdf5) {
  const TemporaryFolder folder;
  const auto weights = [&](const std::string& data) {
    const auto done = bellwether("learn " + data + " --discount 0.9 --weights " + folder.path("w.csv"));
    EXPECT_EQ(done.code, 0) << done.err;
    return read_file(folder.path("w.csv"));
  };
  const std::string expected = weights(python_data("minari/bellwether/cartpole-v0"));
  for (const char* format : {"arrow", "parquet"}) {
    const std::string dataset = python_data(std::string("minari/bellwether/cartpole_") + format + "-v0");
    expect_numbers(dataset, "cartpole");
    EXPECT_TRUE(weights(dataset) == expected) << format;
  }
}

TEST_F(ArrowFromPython, FilesThatAreDamagedOrSomethingElseAreOneLine) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& name, const std::string& bytes) {
    const auto done = bellwether("learn " + write_file(folder.path(name), bytes));
    EXPECT_TRUE(done.code == 1 || done.code == 2) << done.code;
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
    return done.err.substr(done.err.find(name));
  };
  EXPECT_EQ(refused("a.parquet", "a,b\n1,2\n"), "a.parquet: is neither Parquet nor Arrow\n");
  EXPECT_EQ(refused("a.parquet", ""), "a.parquet: is neither Parquet nor Arrow\n");
  EXPECT_EQ(refused("a.feather", "FEA1xxxx"), "a.feather: is Feather 1, which is not read; pandas writes Feather 2\n");
  const std::string parquet = read_file(python_data("arrow_log.parquet"));
  refused("a.parquet", parquet.substr(0, parquet.size() / 2));
  const std::string feather = read_file(python_data("arrow_log.feather"));
  refused("a.feather", feather.substr(0, feather.size() / 2));
  EXPECT_EQ(failure([&] { opened(folder.path("none.parquet")); }),
            folder.path("none.parquet") + ": cannot open: there is no such file");
}

TEST_F(ArrowFromPython, ChangedFilesGiveRowsOrOneLine) {
  const TemporaryFolder folder;
  int refused = 0;
  for (const char* name : {"types.parquet", "types.feather", "types.arrow"}) {
    const std::string good = read_file(python_data(name));
    Rng rng(7);
    for (std::size_t i = 0; i < mutations(25); ++i) {
      // What describes the data is at the end of files, and at the beginning of streams.
      const std::size_t from = i % 2 == 0 ? 0 : good.size() * 3 / 4;
      const std::string path = write_file(folder.path(name), mutated(good, from, rng));
      try {
        const auto table = opened(path);
        std::vector<ColumnRequest> requests;
        const auto texts = std::make_shared<std::vector<std::string>>();
        for (const std::string& column : table->columns()) {
          requests.push_back({.name = column, .kind = CellKind::text, .may_be_empty = true, .texts = texts});
        }
        table->select(requests);
        read_all(*table, 100);
      } catch (const std::exception& error) {
        ++refused;
        EXPECT_EQ(std::string(error.what()).find(path), 0U) << error.what();
      }
    }
  }
  EXPECT_GT(refused, 5);
}

}  // namespace
}  // namespace bellwether::testing
