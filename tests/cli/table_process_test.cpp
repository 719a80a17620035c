// HDF5 files are read by a process of their own: the rows are the same, and whatever happens to it is one line.
#include <bellwether/data/process/table_process.h>

#include <chrono>
#include <csignal>
#include <filesystem>

#include <gtest/gtest.h>

#include <bellwether/data/hdf5/minari.h>

#include "cli/process.h"
#include "cli/program.h"
#include "support/data/hdf5_writer.h"
#include "support/data/tables.h"
#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::failure;
using testing::Finished;
using testing::Hdf5Writer;
using testing::rejection;

const std::vector<std::string> program{BELLWETHER_PROGRAM, table_server};

/// A process that does something else than to serve a table.
std::vector<std::string> doing(const std::string& commands) { return {"/bin/sh", "-c", commands}; }

class Hdf5Process : public testing::FileTest {
 protected:
  Hdf5Process() : FileTest("log.hdf5") {
    Hdf5Writer writer(file_);
    writer.episode(0, 5, 2);
    writer.episode(1, 300, 2);
  }
};

TEST_F(Hdf5Process, GivesTheRowsThatReadingWithinTheProgramGives) {
  for (const std::size_t rows : {1U, 7U, 10'000U}) {
    const auto within = open_minari(file_);
    const auto apart = open_table_apart(program, file_);
    EXPECT_EQ(apart->name(), file_);
    ASSERT_EQ(apart->columns(), within->columns());
    for (TableReader* table : {within.get(), apart.get()}) {
      std::vector<ColumnRequest> requests = testing::requests_of({"rewards", "observations.1", "episode"});
      requests[0].may_be_empty = true;
      table->select(requests);
    }
    TableBlock a, b;
    bool more = true;
    while (more) {
      more = within->read(a, rows);
      ASSERT_EQ(apart->read(b, rows), more);
      ASSERT_EQ(a.row, b.row);
      ASSERT_EQ(a.columns, b.columns);
      ASSERT_EQ(a.cells.size(), b.cells.size());
      if (!a.cells.empty()) {
        ASSERT_EQ(0, std::memcmp(a.cells.data(), b.cells.data(), a.cells.size() * sizeof(double)));
      }
      EXPECT_EQ(apart->fraction(), within->fraction());
    }
  }
}

TEST_F(Hdf5Process, RefusesInTheWordsOfTheReader) {
  const auto both = [&](const auto& use) {
    EXPECT_EQ(rejection([&] { use(*open_minari(file_)); }), rejection([&] { use(*open_table_apart(program, file_)); }));
    return rejection([&] { use(*open_table_apart(program, file_)); });
  };
  EXPECT_EQ(short_of(both([](TableReader& table) { table.select({{.name = "reward"}}); }).substr(0, file_.size())),
            "log.hdf5");
  EXPECT_NE(both([](TableReader& table) {
              table.select({{.name = "rewards", .range = between(0, 100)}});
              testing::read_all(table);
            }).find("is outside [0, 100]"),
            std::string::npos);
  EXPECT_EQ(failure([&] { open_table_apart(program, folder_.path("none.h5")); }),
            folder_.path("none.h5") + ": cannot open: No such file or directory");
}

TEST_F(Hdf5Process, SkipsAndCountsBadRows) {
  const TableOptions skip{.bad_rows = BadRows::skip};
  const auto apart = open_table_apart(program, file_, skip);
  apart->select({{.name = "rewards", .range = between(0, 10)}});
  EXPECT_EQ(testing::read_all(*apart, 10'000).rows, 5U + 1 + 11 + 1);
  EXPECT_EQ(apart->skipped(), 289U);
  EXPECT_NE(apart->first_skipped().find("row 18, column 'rewards'"), std::string::npos) << apart->first_skipped();
}

TEST_F(Hdf5Process, ThatCrashesIsOneLine) {
  EXPECT_EQ(short_of(failure([&] { open_table_apart(doing("kill -SEGV $$"), file_); })),
            "log.hdf5: HDF5 failed while reading it (Segmentation fault): the file is damaged");
  EXPECT_EQ(short_of(failure([&] { open_table_apart(doing("exit 3"), file_); })),
            "log.hdf5: HDF5 failed while reading it (exit code 3): the file is damaged");
  EXPECT_EQ(short_of(failure([&] { open_table_apart(doing("kill -XCPU $$"), file_); })),
            "log.hdf5: HDF5 failed while reading it (it took a minute for one answer): the file is damaged");
}

TEST_F(Hdf5Process, ThatAnswersNonsenseIsRefused) {
  const std::string refusal = "log.hdf5: HDF5 failed while reading it";
  for (const char* nonsense :
       {R"(printf '\010\0\0\0\0\0\0\0\377\377\377\377\377\377\377\377' >&0; sleep 9)",
        R"(printf '\377\377\377\377\377\377\377\377' >&0)", R"(printf '\0\0\0\0\0\0\0\0' >&0)"}) {
    EXPECT_EQ(short_of(failure([&] { open_table_apart(doing(nonsense), file_); })).substr(0, refusal.size()), refusal);
  }
}

TEST_F(Hdf5Process, ThatDoesNotAnswerCanBeInterrupted) {
  const auto begin = std::chrono::steady_clock::now();
  const TableOptions stopped{.interrupted = [] { return true; }};
  EXPECT_EQ(short_of(failure([&] { open_table_apart(doing("exec sleep 1000"), file_, stopped); })),
            "log.hdf5: reading was interrupted");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(100));
}

TEST_F(Hdf5Process, ThatCannotBeStartedIsAnError) {
  EXPECT_EQ(short_of(failure([&] { open_table_apart({"/none"}, file_); })),
            "log.hdf5: cannot start a process that reads it: No such file or directory");
}

TEST_F(Hdf5Process, IsUsedByTheProgramAndLeavesNothingBehind) {
  const std::string model = folder_.path("m.bw");
  EXPECT_EQ(testing::bellwether("learn " + file_ + " --discount 0.9 --model " + model).code, 0);
  testing::Process learning({BELLWETHER_PROGRAM, "learn", file_, "--discount", "0.9", "--passes", "100000"});
  learning.signal(SIGTERM);
  learning.finish();
  EXPECT_TRUE(learning.children().empty());
}

/// Files that crash libhdf5 1.10.8: changes to good ones, by support/mutations.h.
TEST(Hdf5Crashes, AreOneLineAndExitCodeOne) {
  namespace fs = std::filesystem;
  const testing::TemporaryFolder folder;
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(BELLWETHER_SOURCE_DIR "/tests/fuzz/corpus/hdf5_crashes")) {
    const std::string file = folder.path("crash.hdf5");
    fs::copy_file(entry.path(), file, fs::copy_options::overwrite_existing);
    const Finished learned = testing::bellwether("learn " + file + " --discount 0.9");
    EXPECT_TRUE(learned.code == 1 || learned.code == 2) << entry.path() << ": " << learned.code;
    EXPECT_EQ(std::count(learned.err.begin(), learned.err.end(), '\n'), 1) << learned.err;
    ++files;
  }
  EXPECT_GT(files, 0U);
}

}  // namespace
}  // namespace bellwether
