// Studies through the real program, disturbed in every way.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <regex>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>

#include "cli/sweep_fixture.h"

namespace bellwether {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::Finished;
using testing::integrity_of;
using testing::lines_of;
using testing::Process;
using testing::study_text;
using testing::SweepProgram;

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
  std::string other = study_text;
  other.replace(other.find("steps = 1200"), 12, "steps = 1000");
  std::ofstream(study) << other;
  const Finished finished = sweep({"--scale", "quick"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_EQ(lines_of(finished.err), 1U) << finished.err;
  EXPECT_NE(finished.err.find("steps"), std::string::npos) << finished.err;
}

}  // namespace
}  // namespace bellwether
