// Studies over several MPI ranks, through the real program.
#include <csignal>
#include <cstdlib>

#include <gtest/gtest.h>

#include "cli/sweep_fixture.h"

namespace bellwether {
namespace {

using testing::Finished;
using testing::integrity_of;
using testing::lines_of;
using testing::Process;
using testing::SweepProgram;

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
