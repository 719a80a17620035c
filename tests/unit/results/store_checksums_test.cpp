// Files of results that a disk has damaged: no number is other than it was written.
#include <bellwether/results/store_checksums.h>

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <bellwether/core/support/files.h>
#include <bellwether/core/support/rng.h>
#include <bellwether/results/store_reader.h>

#include "support/mutations.h"
#include "support/rejection.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

namespace fs = std::filesystem;

using testing::failure;

class DamagedResults : public ::testing::Test {
 protected:
  DamagedResults() { testing::write_small_study(whole_, 20, /*keeps_curves=*/true); }

  /// Executes a statement on a copy of the file, and returns the error of reading it.
  std::string reading(const std::string& sql) {
    fs::copy_file(whole_, file_, fs::copy_options::overwrite_existing);
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open(file_.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    sqlite3_close(database);
    return failure([&] { everything(file_); });
  }

  /// All numbers that commands show.
  static std::string everything(const std::string& file) {
    std::string all = testing::content(file);
    const StoreReader reader(file);
    for (const StoredStudy& study : reader.studies()) {
      for (const Summary& s : reader.summarise(study)) {
        all += std::to_string(s.runs) + " " + std::to_string(s.diverged) + " " +
               std::to_string(s.setting.microseconds.value_or(-1)) + "\n";
        for (const Estimate& e : s.average) all += std::to_string(e.mean) + " ";
        for (const double first : s.first) all += std::to_string(first) + " ";
        for (const RunRecord& run : reader.runs(s.setting.id)) all += std::to_string(run.seconds) + " ";
      }
    }
    return all;
  }

  std::string damaged(const std::string& what) const {
    return file_ + " is damaged (" + what + " is not what was written: its checksum differs)";
  }

  testing::TemporaryFolder folder_;
  std::string whole_ = folder_.path("whole.db");
  std::string file_ = folder_.path("damaged.db");
};

TEST_F(DamagedResults, AreFoundByTheirChecksums) {
  EXPECT_EQ(reading("SELECT 1"), "went well");
  EXPECT_EQ(reading("UPDATE scores SET average = average * 1.0000001 WHERE setting = 2 AND seed = 13"),
            damaged("block 1 of setting 2"));
  EXPECT_EQ(reading("UPDATE curves SET mean = m2, m2 = mean WHERE setting = 1 AND block = 0"),
            damaged("block 0 of setting 1"));
  EXPECT_EQ(reading("DELETE FROM run_curves WHERE setting = 1 AND seed = 19"), damaged("block 1 of setting 1"));
  EXPECT_EQ(reading("UPDATE runs SET diverged_at = 7 WHERE setting = 3 AND seed = 4"), damaged("block 0 of setting 3"));
  EXPECT_EQ(reading("DELETE FROM checksums WHERE setting = 1 AND block = 0"), damaged("block 0 of setting 1"));
  EXPECT_EQ(reading("PRAGMA foreign_keys = ON; DELETE FROM runs WHERE setting = 2 AND seed >= 10"),
            file_ + " is damaged (blocks of setting 2 are missing)");
  EXPECT_EQ(reading("UPDATE settings SET parameters = replace(parameters, '0', '1') WHERE id = 2"),
            damaged("setting 2"));
  EXPECT_EQ(reading("UPDATE settings SET microseconds = 1 WHERE id = 3"), damaged("setting 3"));
  EXPECT_EQ(reading("UPDATE studies SET protocol = replace(protocol, '1', '2')"), damaged("setting 3"));
}

TEST_F(DamagedResults, AreNotDoneForASweep) {
  reading("UPDATE scores SET average = 0 WHERE setting = 2 AND seed = 13");
  EXPECT_EQ(failure([&] { testing::write_small_study(file_, 20, true); }), damaged("block 1 of setting 2"));
}

TEST_F(DamagedResults, HaveNoSeedsBeyondTheLastBlock) {
  for (const char* seed : {"9223372036854775807", "9223372036854775800", "-10"}) {
    EXPECT_EQ(reading(std::string("UPDATE runs SET seed = ") + seed + " WHERE setting = 1 AND seed = 1"),
              file_ + " is damaged (a run has a seed that cannot be)");
  }
}

TEST_F(DamagedResults, WhoDeletesAStudyDeletesItsChecksums) {
  EXPECT_EQ(reading("PRAGMA foreign_keys = ON; DELETE FROM settings WHERE id = 2"), "went well");
}

TEST_F(DamagedResults, FilesOfTheFirstFormatHaveNoChecksumsUntilASweepWritesToThem) {
  const std::string old = "DROP TABLE checksums; PRAGMA user_version = 1";
  EXPECT_EQ(reading(old), "went well");
  EXPECT_EQ(reading(old + "; UPDATE settings SET microseconds = 1 WHERE id = 3"), "went well");
  const std::string before = everything(file_);
  { const StoreWriter writer(file_); }
  EXPECT_EQ(everything(file_), before);
  fs::copy_file(file_, whole_, fs::copy_options::overwrite_existing);
  EXPECT_EQ(reading("UPDATE settings SET microseconds = 2 WHERE id = 3"), damaged("setting 3"));
}

/// An index repeats columns of its table. A reader that took them from there would show them unchecked.
TEST_F(DamagedResults, GiveNoOtherSettingsWhereTheirIndexIsDamaged) {
  const std::string good = read_file(whole_);
  const std::string expected = everything(whole_);
  const std::string parameter = "1e-05";
  std::size_t places = 0;
  for (std::size_t at = good.find(parameter); at != std::string::npos; at = good.find(parameter, at + 1)) {
    std::string changed = good;
    changed[at] = '2';
    write_file(file_, changed);
    try {
      EXPECT_EQ(everything(file_), expected) << at;
    } catch (const IoError&) {
    }
    ++places;
  }
  EXPECT_GE(places, 2U) << "the parameter is in the table and in its index";
}

TEST_F(DamagedResults, GiveNoOtherNumbersWhereverTheyAreDamaged) {
  const std::string good = read_file(whole_);
  const std::string expected = everything(whole_);
  Rng rng(5);
  std::size_t found = 0;
  const std::size_t changes = testing::mutations(400);
  for (std::size_t i = 0; i < changes; ++i) {
    write_file(file_, testing::mutated(good, 0, rng));
    try {
      // What titles and texts say is for people; the plan, which content begins with, is no result.
      const std::string all = everything(file_);
      EXPECT_EQ(all.substr(all.find('\n')), expected.substr(expected.find('\n'))) << i;
    } catch (const IoError&) {
      ++found;
    } catch (const InvalidArgument&) {
      ++found;
    }
  }
  EXPECT_GT(found, changes / 10);
}

}  // namespace
}  // namespace bellwether
