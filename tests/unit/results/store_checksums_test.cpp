// Files of results that a disk has damaged: no number is other than it was written.
#include <bellwether/results/store_checksums.h>

#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <bellwether/core/files/files.h>
#include <bellwether/core/support/rng.h>
#include <bellwether/results/store_reader.h>
#include <bellwether/results/store_writer.h>

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
  EXPECT_EQ(reading("DELETE FROM checksums WHERE setting = 3 AND block = -1"), damaged("setting 3"));
}

TEST_F(DamagedResults, HaveTheSettingsSeedsAndTextsThatTheirStudyHad) {
  for (const char* change :
       {"UPDATE settings SET planned = 0 WHERE id = 2", "UPDATE settings SET planned = 2 WHERE id = 2",
        "UPDATE settings SET study = 2 WHERE id = 2", "UPDATE settings SET id = 7 WHERE id = 2",
        "DELETE FROM settings WHERE id = 2", "PRAGMA foreign_keys = ON; DELETE FROM settings WHERE id = 2",
        "DELETE FROM settings", "UPDATE studies SET seeds = 52", "UPDATE studies SET title = 'another'",
        "UPDATE studies SET source = ''", "UPDATE studies SET keeps_curves = 0",
        "UPDATE studies SET protocol = replace(protocol, '1', '2')", "DELETE FROM study_checksums",
        "UPDATE study_checksums SET value = value + 1"}) {
    EXPECT_EQ(reading(change), damaged("study 1")) << change;
    EXPECT_EQ(failure([&] { testing::write_small_study(file_, 20, true); }), damaged("study 1")) << change;
  }
}

TEST_F(DamagedResults, HaveNothingOfASettingOrAStudyThatIsMissing) {
  const auto missing = [&](const std::string& what) { return file_ + " is damaged (" + what + " is missing)"; };
  EXPECT_EQ(reading("DELETE FROM studies"), missing("the study of setting 1"));
  EXPECT_EQ(reading("DELETE FROM studies; DELETE FROM settings"), missing("study 1"));
  EXPECT_EQ(reading("DELETE FROM studies; DELETE FROM settings; DELETE FROM study_checksums"), missing("setting 1"));
  EXPECT_EQ(reading("INSERT INTO checksums VALUES (9, 0, 0)"), missing("setting 9"));
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

TEST_F(DamagedResults, GetNoNewChecksumsFromASweep) {
  for (const char* change :
       {"UPDATE settings SET microseconds = 1 WHERE id = 3", "UPDATE settings SET parameters = '{}' WHERE id = 3"}) {
    EXPECT_EQ(reading(change), damaged("setting 3"));
    EXPECT_EQ(failure([&] { testing::write_small_study(file_, 20, true); }), damaged("setting 3")) << change;
  }
}

/// A sweep finds its settings by their index. One that leads to another row would give its runs to another setting.
TEST_F(DamagedResults, AreNotWrittenToByAnIndexThatIsDamaged) {
  std::string bytes = read_file(whole_);
  const std::string parameter = "1e-05";
  const std::size_t first = bytes.find(parameter);
  const std::size_t second = bytes.find(parameter, first + 1);
  ASSERT_NE(second, std::string::npos);
  std::size_t refused = 0;
  for (const std::size_t at : {first, second}) {
    std::string changed = bytes;
    changed[at] = '2';
    write_file(file_, changed);
    const std::string error = failure([&] { testing::write_small_study(file_, 20, true); });
    EXPECT_NE(error, "went well");
    refused += error.find("missing from index") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(refused, 1U) << "the other is found by its checksum";
}

TEST_F(DamagedResults, WhoDeletesAStudyDeletesItsChecksums) {
  EXPECT_EQ(reading("PRAGMA foreign_keys = ON; DELETE FROM studies"), "went well");
  EXPECT_EQ(everything(file_), "");
}

TEST_F(DamagedResults, FilesOfTheFirstFormatHaveNoChecksumsUntilASweepWritesToThem) {
  const std::string old = "DROP TABLE study_checksums; DROP TABLE checksums; PRAGMA user_version = 1";
  EXPECT_EQ(reading(old), "went well");
  EXPECT_EQ(reading(old + "; UPDATE settings SET microseconds = 1 WHERE id = 3"), "went well");
  const std::string before = everything(file_);
  { const StoreWriter writer(file_); }
  EXPECT_EQ(everything(file_), before);
  fs::copy_file(file_, whole_, fs::copy_options::overwrite_existing);
  EXPECT_EQ(reading("UPDATE settings SET microseconds = 2 WHERE id = 3"), damaged("setting 3"));
  EXPECT_EQ(reading("UPDATE studies SET seeds = 52"), damaged("study 1"));
}

TEST_F(DamagedResults, FilesOfTheSecondFormatHaveNoChecksumsOfStudiesUntilASweepWritesToThem) {
  const std::string old = "DROP TABLE study_checksums; PRAGMA user_version = 2";
  EXPECT_EQ(reading(old + "; UPDATE scores SET average = 0 WHERE setting = 2 AND seed = 13"),
            damaged("block 1 of setting 2"));
  { const StoreWriter writer(file_); }
  EXPECT_EQ(failure([&] { everything(file_); }), damaged("block 1 of setting 2")) << "these checksums stay";
  EXPECT_EQ(reading(old + "; UPDATE settings SET planned = 0 WHERE id = 2"), "went well");
  EXPECT_EQ(reading(old), "went well");
  const std::string before = everything(file_);
  { const StoreWriter writer(file_); }
  EXPECT_EQ(everything(file_), before);
  fs::copy_file(file_, whole_, fs::copy_options::overwrite_existing);
  EXPECT_EQ(reading("UPDATE settings SET planned = 0 WHERE id = 2"), damaged("study 1"));
}

TEST_F(DamagedResults, OfTheSecondFormatStayAsTheyAreWhereASettingIsMissing) {
  const std::string old = "DROP TABLE study_checksums; PRAGMA user_version = 2; DELETE FROM settings WHERE id = 2";
  EXPECT_EQ(reading(old), "went well");
  const std::string before = everything(file_);
  EXPECT_EQ(failure([&] { const StoreWriter writer(file_); }), file_ + " is damaged (setting 2 is missing)");
  EXPECT_EQ(everything(file_), before);
}

TEST_F(DamagedResults, HaveTheTablesOfTheirFormatAndNoOthers) {
  const auto of_format = [&](int format) { return reading("PRAGMA user_version = " + std::to_string(format)); };
  EXPECT_EQ(of_format(2), file_ + " is damaged (format 2 has no table study_checksums)");
  EXPECT_EQ(of_format(1), file_ + " is damaged (format 1 has no table checksums)");
  EXPECT_EQ(of_format(-1).find(file_ + " is damaged (format -1 has no table"), 0U);
}

TEST_F(DamagedResults, AreNotMadeByASweepThatChangesThePlan) {
  const auto settings = testing::small_settings();
  for (const std::uint64_t seeds : {30U, 10U}) {
    StudyRecord study = testing::small_study(seeds);
    study.keeps_curves = true;
    for (std::size_t first : {1U, 0U}) {
      { StoreWriter(whole_).begin(study, std::span(settings).subspan(first)); }
      EXPECT_EQ(reading("SELECT 1"), "went well");
    }
  }
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
  std::size_t changes = 0;
  std::size_t found = 0;
  const auto read = [&](const std::string& bytes) {
    ++changes;
    fs::remove(file_);
    std::ofstream(file_, std::ios::binary) << bytes;  // write_file, and a file that is cut, would wait for the disk
    try {
      EXPECT_EQ(everything(file_), expected) << changes;
    } catch (const IoError&) {
      ++found;
    } catch (const InvalidArgument&) {
      ++found;
    }
  };
  for (std::size_t i = 0, of = testing::mutations(250); i < of; ++i) read(testing::mutated(good, 0, rng));
  EXPECT_GT(found, changes / 10);

  // A setting and a study begin with small numbers, of which one bit may hide them. Chance seldom hits these: they are
  // before the first text, whose place we know.
  found = changes = 0;
  for (const std::string first_text : {"boyan_chain", "boyanquick"}) {
    for (std::size_t at = good.find(first_text); at != std::string::npos; at = good.find(first_text, at + 1)) {
      for (std::size_t i = 0, of = testing::mutations(40); i < of; ++i) {
        std::string changed = good;
        changed[at - 1 - rng.below(20)] ^= static_cast<char>(1U << rng.below(8));
        read(changed);
      }
    }
  }
  EXPECT_GT(found, changes / 3);
}

}  // namespace
}  // namespace bellwether
