#include <bellwether/data/log/log_steps.h>

#include <gtest/gtest.h>

#include "support/data/files.h"
#include "support/rejection.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

using testing::rejection;
using testing::write_file;

class LogStepsTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    return write_file(folder_.path(name), text);
  }
  static StepFormat format() {
    return {.columns = {.state = {"s"}, .reward = {"reward"}, .done = "done"}, .map = nullptr};
  }
  /// The rewards of all steps, with a bar before those that do not continue the step before.
  static std::string rewards(LogSteps& steps) {
    std::string all;
    while (const StepBlock* block = steps.next()) {
      for (std::size_t i = 0; i < block->size(); ++i) {
        if (!block->restart.empty() && block->restart[i] != 0) all += "| ";
        all += format_number(block->rewards[0][i]) + " ";
      }
    }
    return all;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(LogStepsTest, EveryFileIsALogOfItsOwn) {
  const std::string a = write("a.csv", "s,reward,done\n1,10,0\n2,20,0\n3,30,0\n"),
                    b = write("b.csv", "s,reward,done\n4,40,0\n5,50,1\n"),
                    sparse = write("a.sparse", "1 0.9 | 0 | 1\n2 0.9 | 1 | 0\n");
  LogSteps tables({a, b}, {}, format());
  EXPECT_EQ(rewards(tables), "10 20 | 40 50 ");
  EXPECT_EQ(tables.without_end(), 1U) << "the last row of the first file";
  EXPECT_EQ(tables.fraction(), 1);
  LogSteps steps({sparse, sparse}, {}, {.columns = {}, .map = nullptr, .layout = Layout::sparse, .dim = 2});
  EXPECT_EQ(rewards(steps), "1 2 | 1 2 ");
}

TEST_F(LogStepsTest, WhatWasPeekedAtIsStillToCome) {
  LogSteps steps({write("a.csv", "s,reward,done\n1,10,1\n2,20,1\n")}, {}, format());
  ASSERT_NE(steps.peek(), nullptr);
  EXPECT_EQ(steps.peek()->size(), 2U);
  EXPECT_EQ(rewards(steps), "10 20 ");
  EXPECT_EQ(steps.peek(), nullptr);
  steps.rewind();
  EXPECT_EQ(rewards(steps), "10 20 ");
}

TEST_F(LogStepsTest, BlocksDoubleInLength) {
  std::string text = "s,reward,done\n";
  for (int i = 0; i < 2000; ++i) text += "1,1,1\n";
  LogSteps steps({write("a.csv", text)}, {}, format());
  std::vector<std::size_t> sizes;
  while (const StepBlock* block = steps.next()) sizes.push_back(block->size());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{256, 512, 1024, 208}));
}

TEST_F(LogStepsTest, ThreadsReadTheSameBlocksAndSayTheSameOfThem) {
  std::vector<LogSource> files;
  for (int f = 0; f < 5; ++f) {
    std::string text = "s,reward,done\n";
    for (int i = 0; i < 700 * f + 1; ++i) text += i % 300 == 200 ? "1,x,0\n" : "1," + std::to_string(i) + ",0\n";
    files.push_back(write(std::to_string(f) + ".csv", text));
  }
  const auto told = [&](unsigned threads) {
    std::vector<std::string> all;
    LogSteps steps(files, {.bad_rows = BadRows::skip}, format(), nullptr, threads);
    for (int pass = 0; pass < 2; ++pass) {
      const auto tell = [&](std::size_t size, const std::string& what) {
        all.push_back(format_number(static_cast<double>(size)) + " " + what + " " + format_number(*steps.fraction()) +
                      " " + format_number(static_cast<double>(steps.skipped())) + " " + steps.first_skipped() + " " +
                      format_number(static_cast<double>(steps.without_end())) + " " + steps.reader_state());
      };
      while (const StepBlock* block = steps.next()) {
        std::string what;
        for (std::size_t i = 0; i < block->size(); ++i) {
          what += format_number(block->rewards[0][i]) + (block->restart[i] != 0 ? "|" : " ");
        }
        tell(block->size(), what);
      }
      tell(0, "end");
      steps.rewind();
    }
    return all;
  };
  const std::vector<std::string> expected = told(0);
  EXPECT_GT(expected.size(), 15U);
  for (const unsigned threads : {1U, 2U, 3U, 9U}) EXPECT_EQ(told(threads), expected) << threads;
}

TEST_F(LogStepsTest, TheErrorOfAnEarlierFileComesFirstAndAfterItsSteps) {
  std::string text = "s,reward,done\n";
  for (int i = 0; i < 1000; ++i) text += i == 900 ? "1,wrong,1\n" : "1,1,1\n";
  const std::string a = write("a.csv", text), b = write("b.csv", "s,reward\n1,1\n");
  for (const unsigned threads : {0U, 1U, 4U}) {
    LogSteps steps({a, b, folder_.path("missing.csv")}, {}, format(), nullptr, threads);
    EXPECT_EQ(steps.next()->size(), 256U);
    EXPECT_EQ(steps.next()->size(), 512U);
    EXPECT_EQ(rejection([&] { steps.next(); }), a + ": row 901, column 'reward': 'wrong' is not a number");
  }
}

TEST_F(LogStepsTest, FilesThatDoNotFitAreRejected) {
  const std::string table = write("a.csv", "s,reward,done\n1,10,1\n"), sparse = write("a.sparse", "1 0 | 7\n");
  LogSteps steps({table}, {}, {.columns = {}, .map = nullptr, .layout = Layout::sparse, .dim = 2});
  EXPECT_EQ(rejection([&] { steps.next(); }),
            table + ": is a table, but the model learned from steps with ready-made features");
  LogSteps dense({sparse}, {}, {.columns = {}, .map = nullptr, .layout = Layout::dense, .dim = 9});
  EXPECT_EQ(rejection([&] { dense.next(); }), sparse + ": has sparse features, the model dense ones");
  const std::string pipe = "-";
  LogSteps stream({pipe}, {}, format());
  EXPECT_EQ(rejection([&] { stream.rewind(); }), "-: a stream can be read only once, not in several passes");
}

}  // namespace
}  // namespace bellwether
