// What happens to the program when the outside fails: closed streams, limits, hostile files.
#include <csignal>
#include <filesystem>
#include <fstream>

#include <sys/stat.h>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bellwether/results/store_reader.h>

#include "cli/process.h"
#include "cli/program.h"

namespace bellwether {
namespace {

namespace fs = std::filesystem;
using testing::contains;
using testing::Finished;
using testing::holds_within;
using testing::Process;
using testing::read_file;
using testing::shell;
using testing::times;

const std::string program = BELLWETHER_PROGRAM;

/// A log, a study and models from them.
class Faults : public ::testing::Test {
 protected:
  Faults() {
    std::string rows = "s,reward,done\n";
    for (int i = 0; i < 300; ++i) rows += fmt::format("{},1,{}\n", i % 3, i % 3 == 2 ? 1 : 0);
    std::ofstream(log) << rows;
    std::ofstream(study) << R"(
title = "Two settings"
[domain]
name = "random_walk"
size = 9
[run]
steps = 400
every = 100
seeds = 20
metrics = ["rmse"]
[[learner]]
name = "td"
alpha = [0.05, 0.1]
[scale.long.run]
steps = 20000
seeds = 20000
)";
  }

  static std::uint64_t runs_in(const std::string& file) {
    const StoreReader reader(file);
    std::uint64_t runs = 0;
    for (const auto& stored : reader.studies()) {
      for (const Summary& summary : reader.summarise(stored)) runs += summary.runs;
    }
    return runs;
  }

  bool has_begun() const {
    try {
      return fs::exists(results) && runs_in(results) > 0;
    } catch (const std::exception&) {
      return false;
    }
  }

  testing::TemporaryFolder folder;
  std::string log = folder.path("log.csv");
  std::string study = folder.path("two.toml");
  std::string results = folder.path("two.db");
  std::string model = folder.path("m.bw");
};

TEST_F(Faults, OfStandardErrorDoNotStopWork) {
  for (const std::string broken : {"2>/dev/full", "2>&-", "2>&1 >/dev/null | true"}) {
    fs::remove(results);
    fs::remove(model);
    const Finished swept =
        shell(program + " sweep " + study + " --out " + results + " " + broken + "; exit ${PIPESTATUS[0]}");
    EXPECT_EQ(swept.code, 0) << broken;
    EXPECT_EQ(runs_in(results), 40U) << broken;
    for (int i = 0; i < 2; ++i) {  // the second time, it says that it goes on
      const Finished learned = shell(program + " learn " + log + " --continue --again -m " + model + " " + broken +
                                     "; exit ${PIPESTATUS[0]}");
      EXPECT_EQ(learned.code, 0) << broken;
    }
    const Finished refused = shell(program + " learn " + broken + "; exit ${PIPESTATUS[0]}");
    EXPECT_EQ(refused.code, 2) << broken;
  }
}

TEST_F(Faults, OfStandardOutputFailAfterTheWorkIsDone) {
  for (const std::string broken : {">/dev/full", ">&-"}) {
    fs::remove(results);
    fs::remove(model);
    const Finished swept = shell(program + " sweep " + study + " --out " + results + " " + broken);
    EXPECT_EQ(swept.code, 1) << broken;
    EXPECT_TRUE(swept.err.starts_with("bellwether: cannot write standard output: ")) << swept.err;
    EXPECT_EQ(runs_in(results), 40U) << broken;
    const Finished learned = shell(program + " learn " + log + " -m " + model + " " + broken);
    EXPECT_EQ(learned.code, 1) << broken;
    EXPECT_EQ(testing::bellwether("inspect " + model).code, 0) << "nothing was printed into the model";
  }
  const Finished dead = shell(program + " sweep " + study + " --out " + results + " >&- 2>&- <&-");
  EXPECT_EQ(dead.code, 1);
  EXPECT_EQ(runs_in(results), 40U);
}

TEST_F(Faults, AreNotWhatAReaderIsWhoHasSeenEnough) {
  for (const std::string& command :
       {std::string("simulate boyan_chain --steps 200000"), std::string("reference"), "learn " + log + " --json"}) {
    const Finished done = shell(program + " " + command + " | head -n 1; exit ${PIPESTATUS[0]}");
    EXPECT_EQ(done.code, 0) << command;
    EXPECT_EQ(done.err, "") << command;
    EXPECT_EQ(times(done.out, "\n"), 1U) << command;
  }
}

TEST_F(Faults, OfALimitOnFilesAreErrorsAndNoSignals) {
  for (const std::string& command :
       {"simulate boyan_chain --steps 20000 -o " + folder.path("out.csv"),
        "learn " + log + (testing::has_page ? " --report " + folder.path("page.html") : " -m " + model),
        "learn " + log + " -m " + model}) {
    const Finished done = Process({"/bin/bash", "-c", "exec " + program + " " + command}, 1000).finish();
    EXPECT_EQ(done.code, 1) << command;
    EXPECT_TRUE(contains(done.err, "File too large")) << done.err;
  }
  for (const auto& entry : fs::directory_iterator(folder.path())) EXPECT_NE(entry.path().extension(), ".partial");
}

TEST_F(Faults, OfAModelThatIsSecretDoNotMakeItPublic) {
  ASSERT_EQ(testing::bellwether("learn " + log + " -m " + model).code, 0);
  ASSERT_EQ(chmod(model.c_str(), 0600), 0);
  ASSERT_EQ(testing::bellwether("learn " + log + " --continue --again -m " + model).code, 0);
  struct stat status {};
  ASSERT_EQ(stat(model.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST_F(Faults, OfResultsThatVanishAreNoticedByTheSweep) {
  Process sweep({program, "sweep", study, "--scale", "long", "--out", results});
  ASSERT_TRUE(holds_within([&] { return has_begun(); }));
  fs::remove(results);
  const Finished done = sweep.finish();
  EXPECT_EQ(done.code, 1) << done.out;
  EXPECT_EQ(done.err, "bellwether: " + results +
                          " was deleted or moved while the sweep was writing to it, and what was written is lost\n");
}

TEST_F(Faults, OfASweepWhoseTerminalIsGoneAreAnInterruption) {
  Process sweep({program, "sweep", study, "--scale", "long", "--out", results});
  ASSERT_TRUE(holds_within([&] { return has_begun(); }));
  sweep.signal(SIGHUP);
  EXPECT_EQ(sweep.finish().code, 130);
  EXPECT_GT(runs_in(results), 0U);
}

TEST_F(Faults, InResultsAreOneLineFromEveryCommandThatReadsThem) {
  ASSERT_EQ(testing::bellwether("sweep " + study + " --out " + results).code, 0);
  SQLite::Database(results, SQLite::OPEN_READWRITE).exec("UPDATE curves SET mean = zeroblob(800000), m2 = zeroblob(8)");
  for (const std::string& command :
       {"report " + results + " -o " + folder.path("r.html"), "report " + results + " --figures " + folder.path("f"),
        "export " + results + " -o " + folder.path("e"), "results " + results, "results --digest " + results}) {
    const Finished done = testing::bellwether(command);
    EXPECT_EQ(done.code, 1) << command;
    EXPECT_TRUE(done.err.starts_with("bellwether: " + results + " is damaged (block 0 of setting "))
        << command << done.err;
  }
}

TEST_F(Faults, InFilesNeverReachTheTerminalAsCommands) {
  const std::string hostile = folder.path("hostile.csv");
  std::ofstream(hostile) << "s\x1b]0;owned\a,t\x9b"
                            "2J,u\xc2\x9b"
                            "3J,v\x7f,w\xe2\x80\xaeltr\n1,2,3,4,5\n";
  const Finished refused = testing::bellwether("learn " + hostile);
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, "s\\u001b]0;owned\\u0007, t\\u009b2J, u\\u009b3J, v\\u007f, w\\u202eltr"))
      << refused.err;
  std::ofstream(hostile) << "s\x1b[2J,reward,done\n1,2,0\n3,4,1\n5,6,0\n7,8,1\n";
  const Finished learned = testing::bellwether("learn " + hostile + " --state 's\x1b[2J' -m " + model);
  EXPECT_EQ(learned.code, 0) << learned.err;
  for (const std::string& text : {learned.out, testing::bellwether("inspect " + model).out}) {
    EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
  }
  EXPECT_TRUE(contains(testing::bellwether("learn " + folder.path("n\xc3\xa9.csv")).err, "n\xc3\xa9.csv"))
      << "letters stay";
}

TEST_F(Faults, InTextsAreNoFormulasInExportedTables) {
  std::string text = read_file(study);
  text.replace(text.find("name = \"td\""), 11, "name = \"td\"\nlabel = \"=cmd|' /C calc'!A0\"");
  text.replace(text.find("Two settings"), 12, "@SUM(A1:A9)");
  std::ofstream(study) << text;
  const Finished swept = testing::bellwether("sweep " + study + " --out " + results);
  ASSERT_EQ(swept.code, 0) << swept.err;
  ASSERT_EQ(testing::bellwether("export " + results + " -o " + folder.path("e")).code, 0);
  const std::string settings = read_file(folder.path("e") + "/settings.csv");
  EXPECT_TRUE(contains(settings, ",'=cmd|' /C calc'!A0,")) << settings;
  EXPECT_FALSE(contains(settings, ",=")) << settings;
  const std::string studies = read_file(folder.path("e") + "/studies.csv");
  EXPECT_TRUE(contains(studies, ",'@SUM(A1:A9),")) << studies;
}

}  // namespace
}  // namespace bellwether
