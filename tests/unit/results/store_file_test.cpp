#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <bellwether/results/store_reader.h>
#include <bellwether/results/store_writer.h>

#include "support/rejection.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

namespace fs = std::filesystem;

using testing::content;
using testing::failure;
using testing::rejection;
using testing::write_small_study;

void run_sql(const std::string& file, const char* sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
  sqlite3_close(database);
}

class StoreFile : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder_;
  std::string file_ = folder_.path("boyan.db");
};

TEST_F(StoreFile, RefusesFilesThatAreNotResults) {
  const auto both = [](const std::string& file) {
    const std::string written = rejection([&] { const StoreWriter store(file); });
    EXPECT_EQ(rejection([&] { const StoreReader store(file); }), written);
    return written;
  };
  EXPECT_EQ(both(folder_.path()), folder_.path() + " is a directory, not a file of results");
  EXPECT_EQ(both("/dev/null"), "/dev/null is not a file of results");
  const std::string text = folder_.path("text.csv");
  std::ofstream(text) << std::string(5000, 'x');
  EXPECT_EQ(both(text), text + " is not a file of results (file is not a database)");
  const std::string foreign = folder_.path("foreign.db");
  run_sql(foreign, "CREATE TABLE t (x)");
  EXPECT_EQ(both(foreign), foreign + " is a database, but not one of Bellwether's results");
  write_small_study(file_);
  run_sql(file_, "PRAGMA user_version = 7");
  EXPECT_EQ(both(file_), file_ + " was written by a newer Bellwether: its format is 7, and this one knows 3");
  EXPECT_FALSE(fs::exists(foreign + ".lock"));
}

TEST_F(StoreFile, SaysThatAFileIsDamaged) {
  write_small_study(file_, 500);
  const std::string damaged = folder_.path("damaged.db");
  fs::copy(file_, damaged);
  fs::resize_file(damaged, fs::file_size(file_) / 2);
  EXPECT_EQ(failure([&] { const StoreReader store(damaged); }),
            damaged + " is damaged (database disk image is malformed)");
  EXPECT_EQ(failure([&] { const StoreWriter store(damaged); }),
            damaged + " is damaged (database disk image is malformed)");
  std::fstream bytes(file_, std::ios::in | std::ios::out | std::ios::binary);
  bytes.seekp(2 * 4096);  // the pages after the first two, which hold the list of tables
  bytes << std::string(fs::file_size(file_) - 3 * 4096, '\x55');
  bytes.close();
  EXPECT_NE(failure([&] { content(file_); }).find(file_ + " is damaged"), std::string::npos);
}

TEST_F(StoreFile, SaysThatACellIsNotWhatItShouldBe) {
  write_small_study(file_);
  run_sql(file_, "UPDATE settings SET parameters = '{\"alpha\":' WHERE id = 2");
  const StoreReader reader(file_);
  EXPECT_EQ(failure([&] { reader.settings(1); }), file_ + " is damaged (a cell is not the JSON it should be)");
}

TEST_F(StoreFile, SaysThatAFileCannotBeOpened) {
  EXPECT_EQ(failure([&] { const StoreReader store(file_); }), "cannot read " + file_ + ": No such file or directory");
  EXPECT_EQ(failure([&] { const StoreWriter store(folder_.path("no/such.db")); }),
            folder_.path("no/such.db") + ": there is no folder " + folder_.path("no"));
  EXPECT_NE(rejection([&] { const StoreWriter store(""); }), "accepted");
}

TEST_F(StoreFile, TakesAnEmptyFileForANewOne) {
  std::ofstream{file_};
  EXPECT_EQ(rejection([&] { const StoreReader store(file_); }), file_ + " holds no results yet");
  write_small_study(file_);
  EXPECT_EQ(StoreReader(file_).studies().size(), 1U);
}

}  // namespace
}  // namespace bellwether
