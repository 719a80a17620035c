// Studies through the real program, disturbed in every way.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <thread>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>
#include <bellwether/results/store_reader.h>

#include "cli/process.h"
#include "cli/program.h"

namespace bellwether {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::Finished;
using testing::Process;

/// About half a second of work: ten settings, two of which diverge, and 30 seeds.
constexpr const char* small_study = R"(
title = "A small study"
[domain]
name = "random_walk"
size = 19
[run]
steps = 1200
every = 100
seeds = 30
curves = true
metrics = ["rmse"]
[[learner]]
name = "td"
lambda = [0, 0.5]
alpha = [0.05, 0.1, 1e9]
[[learner]]
name = "lstd"
lambda = [0, 0.5]
[[learner]]
name = "atd"
rank = 10
eta = [0, 0.001]
[scale.quick.run]
seeds = 4
[scale.tiny.run]
seeds = 2
[scale.long.run]
seeds = 120
)";

/// A folder with the study and a file of results for it.
class SweepProgram : public ::testing::Test {
 protected:
  SweepProgram() { std::ofstream(study) << small_study; }

  std::vector<std::string> command(const std::vector<std::string>& more = {}, const char* jobs = "2") const {
    std::vector<std::string> words{BELLWETHER_PROGRAM, "sweep", study, "--out", out, "--jobs", jobs};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  /// Runs it to the end.
  Finished sweep(const std::vector<std::string>& more = {}) const { return Process(command(more)).finish(); }

  Finished bellwether(const std::string& arguments) const { return testing::bellwether(arguments); }

  static std::string digest_of(const std::string& file) {
    const StoreReader reader(file);
    const auto studies = reader.studies();
    EXPECT_EQ(studies.size(), 1U);
    return reader.digest(studies.front());
  }

  /// What a sweep that nothing disturbs comes to, and how long it takes.
  struct Undisturbed {
    Undisturbed() {
      const testing::TemporaryFolder fresh;
      std::ofstream(fresh.path("small.toml")) << small_study;
      const std::string file = fresh.path("small.db");
      const auto begun = std::chrono::steady_clock::now();
      Process({BELLWETHER_PROGRAM, "sweep", fresh.path("small.toml"), "--out", file, "--jobs", "2"}).finish();
      duration = std::chrono::steady_clock::now() - begun;
      digest = digest_of(file);
    }
    std::string digest;
    std::chrono::duration<double> duration{};
  };
  static const Undisturbed& undisturbed() {
    static const Undisturbed one;
    return one;
  }

  void expect_undisturbed_results() const {
    EXPECT_EQ(digest_of(out), undisturbed().digest);
    EXPECT_FALSE(fs::exists(out + "-wal"));
    EXPECT_FALSE(fs::exists(out + ".lock"));
  }

  /// Runs that are in the file, also while it is written.
  std::uint64_t runs_there() const {
    try {
      const StoreReader reader(out);
      std::uint64_t runs = 0;
      for (const auto& stored : reader.studies()) {
        for (const Summary& summary : reader.summarise(stored)) runs += summary.runs;
      }
      return runs;
    } catch (const std::exception&) {  // it is not there yet
      return 0;
    }
  }

  /// Waits until the program has stored something; false when it ended before.
  bool wait_for_runs(Process& process, std::uint64_t more_than) const {
    while (process.running()) {
      if (runs_there() > more_than) return true;
      std::this_thread::sleep_for(5ms);
    }
    return false;
  }

  void forget_results() const {
    for (const char* beside : {"", "-wal", "-shm", ".lock", "-journal"}) fs::remove(out + beside);
  }

  testing::TemporaryFolder folder;
  std::string study = folder.path("small.toml");
  std::string out = folder.path("small.db");
};

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// The values of a curve with one metric as CSV.
std::vector<double> curve_of(const std::string& csv) {
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "step,rmse");
  std::vector<double> curve;
  while (std::getline(lines, line)) curve.push_back(std::stod(line.substr(line.find(',') + 1)));
  return curve;
}

std::string integrity_of(const std::string& file) {
  SQLite::Database database(file, SQLite::OPEN_READWRITE);
  return database.execAndGet("PRAGMA integrity_check").getString();
}

TEST_F(SweepProgram, SaysWhatItDidInOneLine) {
  const Finished finished = sweep();
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_TRUE(std::regex_match(
      finished.out, std::regex("small \\(paper\\): 300 runs in .*small.db, 60 of them diverged; [0-9]+ s\n")))
      << finished.out;
  EXPECT_EQ(finished.err, "");
  expect_undisturbed_results();
  const Finished again = sweep();
  EXPECT_EQ(again.code, 0) << "nothing is left to do";
  EXPECT_NE(again.out.find("300 runs"), std::string::npos);
  expect_undisturbed_results();
}

TEST_F(SweepProgram, SurvivesThirtyKillsAtRandomMoments) {
  Rng rng(1);
  int kills = 0;
  int half_done = 0;
  while (kills < 30) {
    Process process(command());
    std::this_thread::sleep_for(0.7 * rng.uniform() * undisturbed().duration);
    process.signal(SIGKILL);
    const int code = process.finish().code;
    if (code == 0) {  // it was finished before: once more
      expect_undisturbed_results();
      forget_results();
      continue;
    }
    ++kills;
    EXPECT_EQ(code, 128 + SIGKILL);
    EXPECT_TRUE(!fs::exists(out) || integrity_of(out) == "ok");
    const std::uint64_t runs = runs_there();
    half_done += runs > 0 && runs < 300 ? 1 : 0;
  }
  EXPECT_GT(half_done, 2);
  EXPECT_EQ(sweep().code, 0);
  expect_undisturbed_results();
}

TEST_F(SweepProgram, StopsWhenInterruptedAndGoesOn) {
  int stops = 0;
  std::uint64_t before = 0;
  Rng rng(2);
  for (const int signal : {SIGINT, SIGTERM, SIGINT}) {
    Process process(command());
    if (!wait_for_runs(process, before)) break;
    std::this_thread::sleep_for(std::chrono::duration<double>(0.03 * rng.uniform()));
    process.signal(signal);
    const Finished finished = process.finish();
    if (runs_there() == 300) break;  // the signal came too late
    ++stops;
    EXPECT_EQ(finished.code, 130);
    EXPECT_EQ(finished.out, "");
    before = runs_there();
    EXPECT_EQ(finished.err,
              fmt::format("small (paper): stopped after {} of 300 runs, which are in {}; the same command "
                          "continues from there\n",
                          before, out));
    EXPECT_FALSE(fs::exists(out + "-wal")) << "it ended cleanly";
  }
  EXPECT_GT(stops, 0);
  EXPECT_EQ(sweep().code, 0);
  expect_undisturbed_results();
}

TEST_F(SweepProgram, SaysThatAFileCannotGrowAndGoesOnWhenItCan) {
  ASSERT_EQ(sweep().code, 0);
  const auto size = fs::file_size(out);
  forget_results();
  int half_done = 0;
  for (auto limit = size / 4; limit < 10 * size; limit += size / 4) {
    const Finished finished = Process(command(), limit).finish();
    if (finished.code == 0) break;
    EXPECT_EQ(finished.code, 1) << finished.out;
    EXPECT_EQ(lines_of(finished.err), 1U) << finished.err;
    EXPECT_NE(finished.err.find("what was finished is kept, the same command resumes"), std::string::npos)
        << finished.err;
    EXPECT_EQ(integrity_of(out), "ok");
    const std::uint64_t runs = runs_there();
    half_done += runs > 0 && runs < 300 ? 1 : 0;
  }
  EXPECT_GT(half_done, 0);
  EXPECT_EQ(sweep().code, 0);
  expect_undisturbed_results();
}

TEST_F(SweepProgram, RefusesAFileThatAnotherSweepWrites) {
  Process first(command());
  ASSERT_TRUE(wait_for_runs(first, 0));
  first.signal(SIGSTOP);  // so that it does not end meanwhile
  ASSERT_TRUE(first.running());
  const Finished second = sweep();
  first.signal(SIGCONT);
  EXPECT_EQ(second.code, 1);
  const std::string said =
      fmt::format("bellwether: {} is being written to by another sweep (process {} on ", out, first.pid());
  EXPECT_TRUE(second.err.starts_with(said)) << second.err;
  EXPECT_EQ(lines_of(second.err), 1U) << second.err;
  EXPECT_EQ(first.finish().code, 0);
  expect_undisturbed_results();
}

TEST_F(SweepProgram, GivesTheSameHoweverItIsRun) {
  for (const auto& way : std::vector<std::vector<std::string>>{{"--unshared"}, {"--scale", "paper"}}) {
    EXPECT_EQ(sweep(way).code, 0);
    expect_undisturbed_results();
    forget_results();
  }
  EXPECT_EQ(Process(command({}, "1")).finish().code, 0);
  expect_undisturbed_results();
}

TEST_F(SweepProgram, KeepsScalesApart) {
  EXPECT_EQ(sweep({"--scale", "quick"}).code, 0);
  EXPECT_EQ(sweep({"--scale", "tiny"}).code, 0);
  const StoreReader reader(out);
  const auto studies = reader.studies();
  ASSERT_EQ(studies.size(), 2U);
  EXPECT_EQ(studies[0].record.scale, "quick");
  EXPECT_EQ(studies[0].record.seeds, 4U);
  EXPECT_EQ(studies[1].record.seeds, 2U);
  EXPECT_EQ(studies[1].record.title, "A small study");
  EXPECT_NE(studies[1].record.command.find("--scale tiny"), std::string::npos);
}

TEST_F(SweepProgram, OnDryRunSaysWhatItTakesAndDoesNothing) {
  const Finished finished = sweep({"--dry-run"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  for (const char* said : {"small (paper)", "10 of learners on 1 case, in ", " with shared work\n",
                           "300 (30 seeds each)", "3.6e+05", "with 2 jobs", "MB for each job"}) {
    EXPECT_NE(finished.out.find(said), std::string::npos) << said << " in " << finished.out;
  }
  EXPECT_FALSE(fs::exists(out));
}

TEST_F(SweepProgram, KnowsTheStudiesThatComeWithTheProgram) {
  const Finished finished = bellwether("sweep boyan --scale quick --dry-run");
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_NE(finished.out.find("boyan (quick)"), std::string::npos) << finished.out;
}

TEST_F(SweepProgram, RepeatsASingleRun) {
  ASSERT_EQ(sweep().code, 0);
  const StoreReader reader(out);
  const auto settings = reader.settings(reader.studies().front().id);
  for (const auto& [index, seed] : {std::pair{0U, 0U}, {1U, 1U}, {7U, 29U}}) {
    const Finished finished =
        bellwether(fmt::format("sweep {} --out {} --only {}:{}", study, out, settings[index].id, seed));
    ASSERT_EQ(finished.code, 0) << finished.err;
    EXPECT_EQ(finished.err.rfind(settings[index].record.label + " ", 0), 0U) << finished.err;
    EXPECT_NE(finished.err.find(fmt::format(", seed {}\n", seed)), std::string::npos) << finished.err;
    EXPECT_EQ(curve_of(finished.out), reader.runs(settings[index].id)[seed].curves.at(0));
  }
  const Finished diverged = bellwether(fmt::format("sweep {} --out {} --only 3", study, out));
  EXPECT_EQ(diverged.code, 0);
  EXPECT_NE(diverged.err.find("seed 0: diverged at step"), std::string::npos) << diverged.err;
}

TEST_F(SweepProgram, RepeatsTheRunOfASettingByTheIdThatResultsShow) {
  ASSERT_EQ(sweep({"--scale", "quick"}).code, 0);  // takes ids 1 to 10
  ASSERT_EQ(sweep({"--scale", "tiny"}).code, 0);
  const Finished shown = bellwether("results " + out + " --csv");
  std::istringstream lines(shown.out);
  std::string line;
  for (int i = 0; i <= 10; ++i) std::getline(lines, line);
  std::getline(lines, line);  // the best setting of the second study
  ASSERT_TRUE(line.starts_with("small,tiny,rmse,1,")) << line;
  const std::int64_t id = std::stoll(line.substr(std::string("small,tiny,rmse,1,").size()));
  EXPECT_GT(id, 10);
  const std::string command = fmt::format("sweep {} --out {} --only {}:1 --scale ", study, out, id);
  const Finished repeated = bellwether(command + "tiny");
  ASSERT_EQ(repeated.code, 0) << repeated.err;
  EXPECT_EQ(curve_of(repeated.out), StoreReader(out).runs(id)[1].curves.at(0));
  const Finished other = bellwether(command + "quick");
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(
      other.err.find(fmt::format("small (quick) has no setting {}; bellwether results {} shows the ids", id, out)),
      std::string::npos)
      << other.err;
}

TEST_F(SweepProgram, RepeatsARunAlsoWithoutResults) {
  const Finished before = bellwether(fmt::format("sweep {} --out {} --only 2:29", study, out));
  ASSERT_EQ(before.code, 0) << before.err;
  EXPECT_FALSE(fs::exists(out));
  ASSERT_EQ(sweep().code, 0);
  EXPECT_EQ(curve_of(before.out), StoreReader(out).runs(2)[29].curves.at(0));
}

TEST_F(SweepProgram, TakesFilesWhoseNamesBeginWithADash) {
  fs::copy_file(study, folder.path("-s.toml"));
  const auto here = [&](const std::string& arguments) {
    return std::system(fmt::format("cd {} && " BELLWETHER_PROGRAM " {} > said 2>&1", folder.path(), arguments).c_str());
  };
  EXPECT_EQ(here("sweep -s.toml --scale tiny --out -x.db"), 0) << testing::read_file(folder.path("said"));
  EXPECT_TRUE(fs::exists(folder.path("-x.db")));
  EXPECT_EQ(here("results -x.db"), 0) << testing::read_file(folder.path("said"));
  EXPECT_EQ(here("export -x.db -o -tables.csv"), 0) << testing::read_file(folder.path("said"));
  EXPECT_TRUE(fs::exists(folder.path("-tables.csv/runs.csv")));
}

TEST_F(SweepProgram, UsesAllThreadsForOneSetting) {
  std::ofstream(study) << "[domain]\nname = \"mountain_car\"\n[evaluation]\nstates = 50\nrollouts = 4\n[run]\n"
                          "steps = 500\nseeds = 10\n[[learner]]\nname = \"lstd\"\n";
  ASSERT_EQ(Process(command({}, "4")).finish().code, 0);
  const std::string in_parallel = digest_of(out);
  forget_results();
  ASSERT_EQ(Process(command({}, "1")).finish().code, 0);
  EXPECT_EQ(digest_of(out), in_parallel) << "joined in the order of the seeds, whichever came first";
}

TEST_F(SweepProgram, SaysWhatIsWrongInOneLine) {
  std::ofstream(folder.path("bad.toml")) << "[domain]\nname = \"boyan\"\n";
  std::ofstream(folder.path("other.db")) << "not a database, although it is long enough to be mistaken for one";
  struct Mistake {
    std::string arguments;
    int code;
    std::string message;
  };
  const std::string db = " --out " + out;
  for (const Mistake& mistake : std::vector<Mistake>{
           {"", 2, "study is required"},
           {study + db + " --jobs 0", 2, "sweep: jobs = 0 is outside [1, 1024]"},
           {study + db + " --jobs many", 2, "sweep: jobs = 'many' is not a whole number"},
           {study + db + " --scale quik", 2,
            "there is no scale 'quik'; did you mean 'quick'? (known: paper, long, quick, tiny)"},
           {study + db + " --only 11", 2, "small (paper) has no setting 11; they are numbered from 1 to 10"},
           {study + db + " --only 1:30", 2, "sweep: seed 30 is outside [0, 30)"},
           {study + db + " --only 0", 2, "sweep: only = 0 is not an id from 1 and a seed from 0, such as 3:7"},
           {study + db + " --only -1", 2, "sweep: only = -1 is not an id from 1"},
           {study + db + " --only 1:", 2, "sweep: only = '' is not a whole number"},
           {study + db + " --only x", 2, "sweep: only = 'x' is not a whole number"},
           {study + db + " --only 1 --dry-run", 2, "--only"},
           {study + db + " --job 2", 2, "--job"},
           {study + db + " more", 2, "more"},
           {folder.path("none.toml"), 1, "none.toml: the study file cannot be opened"},
           {"boian", 1, "boian: the study file cannot be opened; did you mean 'boyan'?"},
           {folder.path(), 1, ": it is a directory, not a study file"},
           {folder.path("bad.toml"), 2, "bad.toml:2: there is no domain 'boyan'; did you mean 'boyan_chain'?"},
           {study + " --out " + folder.path("other.db"), 2, "other.db is not a file of results"},
           {study + " --out " + folder.path(), 2, "is a directory, not a file of results"},
           {study + " --out " + folder.path("no/such/folder.db"), 1, "there is no folder "},
       }) {
    const Finished finished = bellwether("sweep " + mistake.arguments);
    EXPECT_EQ(finished.code, mistake.code) << mistake.arguments;
    EXPECT_EQ(finished.out, "") << mistake.arguments;
    EXPECT_EQ(lines_of(finished.err), 1U) << finished.err;
    EXPECT_EQ(finished.err.rfind("bellwether: ", 0), 0U) << finished.err;
    EXPECT_NE(finished.err.find(mistake.message), std::string::npos) << finished.err;
  }
  EXPECT_FALSE(fs::exists(out));
}

TEST_F(SweepProgram, RefusesResultsThatCouldNotBeCompared) {
  ASSERT_EQ(sweep({"--scale", "quick"}).code, 0);
  std::string other = small_study;
  other.replace(other.find("steps = 1200"), 12, "steps = 1000");
  std::ofstream(study) << other;
  const Finished finished = sweep({"--scale", "quick"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_EQ(lines_of(finished.err), 1U) << finished.err;
  EXPECT_NE(finished.err.find("steps"), std::string::npos) << finished.err;
}

class SweepWithMpi : public SweepProgram {
 protected:
  void SetUp() override {
    if (std::system("command -v mpirun >/dev/null") != 0) GTEST_SKIP() << "mpirun is not installed";
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  }

  static std::vector<std::string> on_three_ranks(const std::vector<std::string>& program) {
    std::vector<std::string> words = testing::mpirun(3);
    words.insert(words.end(), program.begin(), program.end());
    return words;
  }
};

TEST_F(SweepWithMpi, GivesTheSame) {
  const Finished finished = Process(on_three_ranks(command())).finish();
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(lines_of(finished.out), 1U) << finished.out;
  expect_undisturbed_results();
  EXPECT_EQ(Process(on_three_ranks(command())).finish().code, 0) << "when nothing is left to do";
  expect_undisturbed_results();
}

TEST_F(SweepWithMpi, LosesARankAndGoesOn) {
  ASSERT_EQ(sweep({"--scale", "long"}).code, 0);
  const std::string expected = digest_of(out);
  const auto command_line = on_three_ranks(command({"--scale", "long"}, "1"));
  bool lost = false;
  for (int attempt = 0; attempt < 5 && !lost; ++attempt) {
    forget_results();
    Process process(command_line);
    ASSERT_TRUE(wait_for_runs(process, 0));
    const auto ranks = process.children();
    if (ranks.size() == 3) kill(ranks.back(), SIGKILL);
    lost = process.finish().code != 0 && runs_there() < 1200;
    EXPECT_EQ(integrity_of(out), "ok");
  }
  EXPECT_TRUE(lost);
  EXPECT_EQ(Process(command_line).finish().code, 0);
  EXPECT_EQ(digest_of(out), expected);
}

TEST_F(SweepWithMpi, FailsTogether) {
  const Finished finished = Process(on_three_ranks(command({"--scale", "quik"}))).finish();
  EXPECT_EQ(finished.code, 2);
  EXPECT_NE(finished.err.find("there is no scale 'quik'; did you mean 'quick'?"), std::string::npos) << finished.err;
}

}  // namespace
}  // namespace bellwether
