// Files of results that somebody made by hand, with the intention to harm: every function gives a clear error.
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

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
using testing::small_block;
using testing::small_settings;
using testing::small_study;
using testing::write_small_study;

/// Executes statements on a database as somebody does who means it.
void run_sql(const std::string& file, const std::string& sql) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr);
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
  sqlite3_close(database);
}

class CraftedResults : public ::testing::Test {
 protected:
  /// A file with this statement executed on it. It has no checksums, which who crafts a file would compute.
  std::string crafted(const std::string& sql) {
    if (!fs::exists(whole_)) write_small_study(whole_, 20, /*keeps_curves=*/true);
    fs::copy_file(whole_, file_, fs::copy_options::overwrite_existing);
    run_sql(file_, sql + "; DROP TABLE study_checksums; DROP TABLE checksums; PRAGMA user_version = 1");
    return file_;
  }

  /// The first error of reading everything.
  std::string reading(const std::string& sql) {
    crafted(sql);
    return failure([&] {
      const StoreReader reader(file_);
      for (const StoredStudy& study : reader.studies()) {
        for (const StoredSetting& setting : reader.settings(study.id)) {
          for (const std::string& metric : study.record.metrics) reader.curve(setting.id, metric);
          reader.runs(setting.id);
        }
        reader.summarise(study);
        reader.digest(study);
      }
    });
  }

  std::string damaged(const std::string& why) const { return file_ + " is damaged (" + why + ")"; }

  testing::TemporaryFolder folder_;
  std::string whole_ = folder_.path("whole.db");
  std::string file_ = folder_.path("crafted.db");
};

TEST_F(CraftedResults, ThatAreWholeAreRead) { EXPECT_EQ(reading("SELECT 1"), "went well"); }

TEST_F(CraftedResults, HaveCurvesOfTheLengthThatTheirStudySays) {
  const std::size_t points = small_study().at.size();
  const auto expected = [&](std::size_t bytes) {
    return damaged("a curve has " + std::to_string(bytes) + " bytes; " + std::to_string(points) + " points have " +
                   std::to_string(points * 8));
  };
  EXPECT_EQ(reading("UPDATE curves SET mean = zeroblob(800000), m2 = zeroblob(8)"), expected(800000));
  EXPECT_EQ(reading("UPDATE curves SET mean = zeroblob(8), m2 = zeroblob(800000)"), expected(8));
  EXPECT_EQ(reading("UPDATE curves SET m2 = x'' WHERE block = 1"), expected(0));
  EXPECT_EQ(reading("UPDATE curves SET m2 = substr(m2, 2)"), expected(points * 8 - 1));
  EXPECT_EQ(reading("UPDATE curves SET mean = 'text'"), expected(4));
  EXPECT_EQ(reading("UPDATE run_curves SET curve = zeroblob(80000)"), expected(80000));
  EXPECT_EQ(reading("UPDATE run_curves SET curve = 17"), expected(2));
  const std::string longer = "a curve has " + std::to_string(points * 8) + " bytes; " + std::to_string(points + 1);
  EXPECT_NE(reading("UPDATE studies SET at = substr(at, 1, length(at) - 1) || ',999999]'").find(longer),
            std::string::npos);
}

TEST_F(CraftedResults, HaveMetricsThatTheirStudyNames) {
  EXPECT_EQ(reading("UPDATE studies SET metrics = '[]'"), damaged("a study has no metric"));
  EXPECT_EQ(reading("UPDATE studies SET metrics = '[\"a\", \"a\"]'"), damaged("a study has a metric twice"));
  EXPECT_NE(reading("UPDATE scores SET metric = metric || 'x'").find("is not one of its study"), std::string::npos);
  EXPECT_NE(reading("UPDATE run_curves SET metric = metric || 'x'").find("is not one of its study"), std::string::npos);
  EXPECT_NE(reading("UPDATE curves SET metric = metric || 'x'").find("is not one of its study"), std::string::npos);
}

TEST_F(CraftedResults, HaveCountsThatMakeSense) {
  EXPECT_EQ(reading("UPDATE curves SET runs = 0"), damaged("a block has 0 runs"));
  EXPECT_EQ(reading("UPDATE curves SET runs = 9223372036854775807"), damaged("a block has 9223372036854775807 runs"));
  EXPECT_EQ(reading("UPDATE curves SET runs = -1"), damaged("-1 of something is impossible"));
  EXPECT_EQ(reading("UPDATE studies SET seeds = -5"), damaged("-5 of something is impossible"));
  EXPECT_EQ(reading("UPDATE settings SET dim = -1"), damaged("-1 of something is impossible"));
  EXPECT_EQ(reading("PRAGMA foreign_keys = OFF; DELETE FROM runs WHERE seed = 1"), damaged("a score has no run"));
}

TEST_F(CraftedResults, HaveTheTablesThatWeMakeAndNothingThatActsByItself) {
  const auto opening = [&](const std::string& sql) {
    crafted(sql);
    const std::string read = failure([&] { const StoreReader reader(file_); });
    EXPECT_EQ(failure([&] { const StoreWriter writer(file_); }), read);
    return read;
  };
  EXPECT_EQ(opening("CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM scores; END"),
            damaged("trigger t does not belong there"));
  EXPECT_EQ(opening("DROP TABLE run_curves"), damaged("table run_curves is missing"));
  EXPECT_EQ(opening("DROP TABLE run_curves; CREATE VIEW run_curves AS SELECT 1 setting, 2 seed, 'm' metric, 3 curve"),
            damaged("table run_curves is missing"));
  EXPECT_EQ(opening("ALTER TABLE curves ADD COLUMN more"), damaged("table curves has other columns"));
  EXPECT_EQ(opening("DROP TABLE run_curves; CREATE TABLE run_curves (setting, seed, metric, curve)"),
            damaged("table run_curves has other columns"));
  EXPECT_EQ(opening("CREATE VIRTUAL TABLE search USING fts5(words)"), damaged("table search does not belong there"));
  EXPECT_EQ(opening("CREATE INDEX mine ON runs (seconds); CREATE TABLE notes (text); CREATE VIEW v AS SELECT 1"),
            "went well");
}

TEST_F(CraftedResults, ThatAreDeletedOrReplacedWhileTheyAreWrittenAreNoticed) {
  const auto writing = [&](const std::function<void()>& meanwhile) {
    fs::remove(file_);
    return failure([&] {
      StoreWriter store(file_);
      const auto begun = store.begin(small_study(), small_settings());
      const BlockResult block = small_block(begun.settings[0], 0, 0, 20);
      meanwhile();
      store.commit({&block, 1});
      store.close();
    });
  };
  EXPECT_EQ(writing([] {}), "went well");
  const std::string meanwhile = " while the sweep was writing to it, and what was written is ";
  EXPECT_EQ(writing([&] { fs::remove(file_); }), file_ + " was deleted or moved" + meanwhile + "lost");
  const std::string moved = folder_.path("moved.db");
  EXPECT_EQ(writing([&] { fs::rename(file_, moved); }),
            file_ + " was deleted or moved" + meanwhile + "in the file that had this name");
  const std::string other = folder_.path("other.db");
  write_small_study(other);
  EXPECT_EQ(writing([&] { fs::rename(other, file_); }), file_ + " was replaced" + meanwhile + "lost");
}

TEST_F(CraftedResults, ThatAreDeletedAfterTheLastCommitAreNoticedAtTheEnd) {
  StoreWriter store(file_);
  store.begin(small_study(), small_settings());
  fs::remove(file_);
  EXPECT_EQ(failure([&] { store.close(); }),
            file_ + " was deleted or moved while the sweep was writing to it, and what was written is lost");
}

TEST_F(CraftedResults, ThatLoseRunsWhileTheyAreWrittenAreNoticedAtTheEnd) {
  const auto writing = [&](const std::function<void()>& meanwhile) {
    fs::remove(file_);
    return failure([&] {
      StoreWriter store(file_);
      const auto begun = store.begin(small_study(), small_settings());
      for (const std::uint64_t b : {0U, 1U}) {
        const BlockResult block = small_block(begun.settings[0], 0, b, 20);
        store.commit({&block, 1});
        if (b == 0) meanwhile();
      }
      store.close();
    });
  };
  const auto with = [&](const char* sql) { return [&, sql] { run_sql(file_, sql); }; };
  const std::string meddled = ": another program has changed it while the sweep was writing";
  EXPECT_EQ(writing([] {}), "went well");
  EXPECT_EQ(writing(with("DELETE FROM runs")), file_ + " lacks 10 of the 20 runs that were written" + meddled);
  EXPECT_EQ(writing(with("DELETE FROM runs WHERE seed = 7")),
            file_ + " lacks 1 of the 20 runs that were written" + meddled);
  EXPECT_EQ(writing(with("UPDATE scores SET average = 0")),
            damaged("block 0 of setting 1 is not what was written: its checksum differs"));
  EXPECT_EQ(writing(with("UPDATE settings SET planned = 0")),
            damaged("study 1 is not what was written: its checksum differs"));
  EXPECT_NE(writing([&] { fs::resize_file(file_ + "-wal", 0); }), "went well");
}

TEST_F(CraftedResults, ThatLoseRunsAreNoticedWhereASweepFoundThemDone) {
  const auto resuming = [&](const std::function<void()>& meanwhile) {
    fs::remove(file_);
    write_small_study(file_);
    StoreWriter store(file_);
    EXPECT_EQ(store.done(store.begin(small_study(), small_settings()).study).size(), 6U);
    meanwhile();
    return failure([&] { store.close(); });
  };
  EXPECT_EQ(resuming([] {}), "went well");
  const std::string meddled = "another program has changed it while the sweep was writing";
  EXPECT_EQ(resuming([&] { run_sql(file_, "DELETE FROM runs WHERE setting = 2"); }),
            file_ + " lacks 20 of the 60 runs that were written: " + meddled);
  const std::string cut = resuming([&] { fs::resize_file(file_, 0); });
  EXPECT_TRUE(cut.starts_with(file_) && cut != "went well") << cut;
}

TEST_F(CraftedResults, AreKeptFromASecondWriterWhoKnowsThemByAnotherName) {
  const std::string other = folder_.path("other.db");
  write_small_study(file_);
  fs::create_hard_link(file_, other);
  const StoreWriter first(file_);
  EXPECT_EQ(failure([&] { const StoreWriter second(other); }),
            other + " is being written to by another sweep under another name");
}

TEST_F(CraftedResults, MayBeMadeWhereALinkLeads) {
  const std::string link = folder_.path("link.db");
  fs::create_symlink("made.db", link);
  testing::write_small_study(link, 10, false);
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(testing::content(folder_.path("made.db")), testing::content(link));
}

TEST_F(CraftedResults, AreNotLockedThroughALink) {
  fs::create_symlink(folder_.path("victim"), file_ + ".lock");
  EXPECT_EQ(failure([&] { const StoreWriter store(file_); }),
            file_ + ".lock is not a lock file, and is in the way of one: move it elsewhere");
  EXPECT_FALSE(fs::exists(folder_.path("victim")));
}

}  // namespace
}  // namespace bellwether
