// Requests, files and surroundings that `learn` cannot do anything with.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/learn_fixture.h"
#include "support/sanitizers.h"

namespace bellwether::testing {
namespace {

TEST_F(Learn, AParameterThatTheChosenLearnerDoesNotHaveIsRefusedWithItsName) {
  const std::string log = write("log.csv", "s,reward,done\n0,1,0\n1,1,1\n");
  const auto done = bellwether("learn " + log + " --set alpha=0.1");
  EXPECT_EQ(done.code, 2);
  EXPECT_NE(done.err.find("there is no parameter 'alpha'"), std::string::npos) << done.err;
  EXPECT_NE(done.err.find("(lstd was chosen; --learner names another)"), std::string::npos) << done.err;
  EXPECT_EQ(bellwether("learn " + log + " --learner lstd --set alpha=0.1").err.find("was chosen"), std::string::npos);
}

/// Inputs that cannot be learned from, and the line that says why.
TEST_F(Learn, EveryBadInputGetsOneLineAndTheRightCodeAndLeavesNothing) {
  struct Case {
    std::string text, options, message;
  };
  const std::string file = path("log.csv");
  const std::vector<Case> cases{
      {"s,done\n1,0\n", "", file + ": which column is the reward? Say so with --reward NAME (columns: s, done)"},
      {"s,reward,done\n1,1,1\n", "--reward gain", file + ": there is no column 'gain' (columns: s, reward, done)"},
      {"s,reward,done\n1,abc,1\n", "", file + ": row 1, column 'reward': 'abc' is not a number"},
      {"s,reward,done\n1,nan,1\n", "",
       file + ": row 1, column 'reward': is empty, but the row holds more than an observation"},
      {"s,reward,done\ninf,1,1\n", "", file + ": row 1, column 's': 'inf' is not finite"},
      {"s,reward,done\n1,1\n", "", file + ": row 1 has 2 cells, the header 3"},
      {"", "", file + ": is empty"},
      {"s,reward,done\n", "", file + ": has a header but no rows"},
      {"s,reward,discount\n1,1,1.1\n", "", file + ": row 1, column 'discount' = 1.1 is outside [0, 1]"},
      {"s,reward,done,rho\n1,1,1,-2\n", "", file + ": row 1, column 'rho' = -2 is outside [0, inf)"},
      {"s,reward,done\n1,1,2\n", "", file + ": row 1, column 'done': '2' is neither 0 nor 1"},
      {"s,reward,done\n1,1,1\n", "--discount 1.5", "learn: discount = 1.5 is outside [0, 1]"},
      {"s,reward\n1,1\n2,1\n", "",
       file + ": nothing says where episodes end, so values need a discount: --discount "
              "0.99, say"},
      {"s,reward,done\n1,1,0\n", "", file + ": holds no step to learn from"},
      {"s,reward,done\n1,1,1\n", "--learner lst", "there is no learner 'lst'; did you mean 'lstd'?"},
      {"s,reward,done\n1,1,1\n", "--features tiles", "there is no feature map 'tiles'"},
      {"s,reward,done\n1,1,1\n", "--learner LSTD", "there is no learner 'LSTD'; did you mean 'lstd'?"},
      {"0.1,1,0\n0.2,1,1\n", "", file + ": the first line holds numbers, but should hold the names of the columns"},
      {"s,reward,done\n1,1,1\n", "--features 'tile_coding(tilings 8)'",
       "tile_coding: there is no variable 'tilings'; tilings is a parameter: tilings=8"},
      {"pos,vel,reward,done\n1,1,1,1\n", "--state pos vel",
       "learn: there is no file 'vel', but " + file +
           " has such a column; names have commas between them: --state NAME,NAME"},
      {"s,reward,done\n1,1,1\n", "--checkpoint soon", "learn: checkpoint = 'soon' is not a time such as 10s, 5m or 1h"},
      {"s,reward,done\n1,1,1\n", "--checkpoint 5mm", "learn: checkpoint = '5mm' is not a time"},
      {"s,reward,done\n1,1,1\n", "--checkpoint 0s", "learn: checkpoint = '0s' is not a time"},
      {"s,reward,done\n1,1,1\n", "--weights w.txt", "learn: --weights w.txt ends neither in .csv nor in .npy"},
  };
  for (const Case& c : cases) {
    write("log.csv", c.text);
    const auto done = bellwether("learn " + file + " " + c.options + " -m " + path("m.bw"));
    EXPECT_EQ(done.code, 2) << c.text << c.options;
    EXPECT_TRUE(done.err.starts_with("bellwether: " + c.message)) << done.err;
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
    EXPECT_FALSE(std::filesystem::exists(path("m.bw"))) << c.text << c.options;
  }
}

TEST_F(Learn, AModelIsNoLog) {
  const std::string log = write("log.csv", "s,reward,done\n0,1,0\n1,1,1\n0,1,0\n1,2,1\n");
  ASSERT_EQ(bellwether("learn " + log + " -m " + path("m.bw")).code, 0);
  const auto done = bellwether("learn " + path("m.bw"));
  EXPECT_EQ(done.code, 2);
  EXPECT_EQ(done.err, "bellwether: learn: " + path("m.bw") + " is a model, not a log; predict and inspect read it\n");
}

TEST_F(Learn, OutputsNeedAFolderBeforeAnythingIsLearned) {
  const std::string log = write("walks.csv", walks);
  for (const std::string option : {"-m", "--report", "--predict", "--weights"}) {
    const auto done = bellwether("learn " + log + " " + option + " " + path("no/file.csv"));
    EXPECT_EQ(done.code, 1);
    EXPECT_EQ(done.out, "");
    EXPECT_EQ(done.err, "bellwether: " + path("no/file.csv") + ": there is no folder " + path("no") + "\n");
  }
}

TEST_F(Learn, WhatIsReadIsNeverWrittenOver) {
  const std::string log = write("walks.csv", walks);
  for (const char* output : {"-m ", "--weights ", "--report ", "--predict "}) {
    const auto done = bellwether("learn " + log + " " + output + log);
    EXPECT_EQ(done.code, 2) << output;
    EXPECT_EQ(done.err, "bellwether: learn: " + log + " would be overwritten\n");
  }
  EXPECT_EQ(read_file(log), walks);
}

TEST_F(Learn, WhatIsWrongWithTheOutsideIsExitCodeOne) {
  const std::string log = write("walks.csv", walks);
  const auto missing = bellwether("learn " + path("no.csv"));
  EXPECT_EQ(missing.code, 1);
  EXPECT_EQ(missing.err, "bellwether: " + path("no.csv") + ": cannot open: No such file or directory\n");
  std::filesystem::create_directory(path("folder.csv"));
  EXPECT_EQ(bellwether("learn " + path("folder.csv")).code, 1);
  const auto full = bellwether("learn " + log + " -m /dev/full");
  EXPECT_EQ(full.code, 1);
  EXPECT_NE(full.err.find("cannot write /dev/full: No space left on device"), std::string::npos) << full.err;
  EXPECT_EQ(bellwether("predict " + path("no.bw") + " " + log).code, 1);
}

TEST_F(Learn, ALibraryThatOnlySomeFilesNeedMayBeMissing) {
  const std::string log = write("walks.csv", walks), dataset = write("d.hdf5", "x"), arrays = write("a.npz", "x");
  const std::string without = "env BELLWETHER_HDF5=/nowhere/libhdf5.so BELLWETHER_LIBZIP=/nowhere/libzip.so ";
  const auto learn = [&](const std::string& file) {
    return Process({"/bin/sh", "-c", without + BELLWETHER_PROGRAM " learn " + file}).finish();
  };
  EXPECT_EQ(learn(log).code, 0);
  const std::string why = ".so: cannot open shared object file: No such file or directory): install ";
  for (const auto& [file, needs, package] : {std::array{dataset, std::string("HDF5"), std::string("libhdf5")},
                                             std::array{arrays, std::string("libzip"), std::string("libzip")}}) {
    const Finished done = learn(file);
    EXPECT_EQ(done.code, 1);
    EXPECT_EQ(done.err.rfind("bellwether: " + file + ": needs " + needs + ", which cannot be loaded (", 0), 0U)
        << done.err;
    EXPECT_NE(done.err.find(package + why + package + "-dev, or set BELLWETHER_"), std::string::npos) << done.err;
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
  }
}

TEST_F(Learn, AModelForOtherDataIsRefused) {
  const std::string log = write("walks.csv", walks);
  ASSERT_EQ(bellwether("learn " + log + " -m " + path("m.bw")).code, 0);
  const auto other = bellwether("predict " + path("m.bw") + " " + write("other.csv", "temperature\n1\n"));
  EXPECT_EQ(other.code, 2);
  EXPECT_EQ(other.err, "bellwether: " + path("other.csv") + ": there is no column 's' (columns: temperature)\n");
  const auto wrong = bellwether("predict " + log + " " + path("other.csv"));
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(wrong.err, "bellwether: " + log + ": is not a model of Bellwether\n");
  const auto no_interval =
      bellwether("learn " + log + " --resamples 0 -m " + path("m.bw") + " && " + std::string(BELLWETHER_PROGRAM) +
                 " predict --interval " + path("m.bw") + " " + log);
  EXPECT_EQ(no_interval.code, 2);
  EXPECT_NE(no_interval.err.find("--resamples 20"), std::string::npos) << no_interval.err;
}

TEST_F(Learn, StoresStepsWhereAddressesAreLimited) {
  if (sanitized) GTEST_SKIP() << "sanitizers need addresses of their own";
  // The default capacity would be 8 GB.
  const std::string log = simulated("mountain_car", 60);
  const auto done = Process({"/bin/sh", "-c",
                             "ulimit -v 4000000; exec " BELLWETHER_PROGRAM " learn " + log +
                                 " --learner lstd_krylov --model " + path("m.bw")})
                        .finish();
  EXPECT_EQ(done.code, 0) << done.err;
}

TEST_F(Learn, SaysHowMuchMemoryIsNeededBeforeItTakesAny) {
  if (sanitized) GTEST_SKIP() << "sanitizers need addresses of their own";
  const auto message = [&](const std::string& rows, const std::string& options) {
    const std::string log = path("log.sparse");
    std::ofstream(log) << rows;
    const auto done = Process({"/bin/sh", "-c",
                               "ulimit -v 3000000; exec " BELLWETHER_PROGRAM " learn " + log + " --discount 0.9 " +
                                   options + " --model " + path("m.bw")})
                          .finish();
    EXPECT_EQ(done.code, 2) << done.err;
    return done.err;
  };
  const std::string plain = "1 1 | 0:1 | 1:1\n2 0 | 1:1 | 0:1\n";
  const std::string matrix = message(plain, "--dim 30000 --learner lstd --resamples 0");
  EXPECT_NE(matrix.find("lstd with 30,000 features needs 7.2 GB; "), std::string::npos) << matrix;
  EXPECT_NE(matrix.find(" are free: take lstd_krylov"), std::string::npos) << matrix;
  const std::string far = message("1 1 | 0:1 | 400000000:1\n2 0 | 1:1 | 0:1\n", "--learner td");
  EXPECT_NE(far.find("td with 400,000,001 features needs 29 GB; "), std::string::npos) << far;
}

TEST_F(Learn, ReadsNothingThatNeverEndsForAModelOrAStudy) {
  EXPECT_EQ(bellwether("inspect /dev/zero").err, "bellwether: /dev/zero: is not a model of Bellwether\n");
  EXPECT_EQ(bellwether("sweep /dev/zero").err, "bellwether: /dev/zero: is too long for a study file\n");
}

TEST_F(Learn, TakesNoFileWithoutAName) {
  const std::string log = simulated("mountain_car", 60);
  for (const char* option : {"-m ''", "--model=''", "--weights ''", "--report=''"}) {
    const auto done = Process({"/bin/sh", "-c", BELLWETHER_PROGRAM " learn " + log + " " + option}).finish();
    EXPECT_EQ(done.code, 2) << option;
    EXPECT_NE(done.err.find(" needs the name of a file\n"), std::string::npos) << done.err;
  }
}

TEST_F(Learn, WorksAloneWhereAJobManagerGaveItARankAndThereIsNoMpi) {
  if (sanitized) GTEST_SKIP() << "a copy of the program finds no libraries of sanitizers";
  std::filesystem::copy_file(BELLWETHER_PROGRAM, path("alone"));
  const std::string log = simulated("mountain_car", 60);
  const auto code = [&](const std::string& mark) {
    return Process({"/bin/sh", "-c", mark + " exec " + path("alone") + " learn " + log + " --model " + path("m.bw")})
        .finish()
        .code;
  };
  EXPECT_EQ(code("PMIX_RANK=0"), 0);
  EXPECT_EQ(code("PMIX_RANK=1"), 2);
  EXPECT_EQ(code("PMIX_RANK=0 OMPI_COMM_WORLD_SIZE=2"), 2);
}

}  // namespace
}  // namespace bellwether::testing
