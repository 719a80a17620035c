// What happens to a stream when the outside fails: full disks, lost terminals, two at once.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/process.h"
#include "cli/program.h"

namespace bellwether {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::contains;
using testing::Finished;
using testing::holds_within;
using testing::Process;
using testing::shell;
using testing::times;

const std::string program = BELLWETHER_PROGRAM;

/// A pipe that this test writes to and a program learns from.
class Stream : public ::testing::Test {
 protected:
  Stream() {
    EXPECT_EQ(mkfifo(pipe_.c_str(), 0600), 0);
    // Opened for reading too, so that nobody waits for anybody.
    descriptor_ = open(pipe_.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    send("s,t,reward,done\n");
  }
  ~Stream() override { end(); }

  /// Fails when nobody reads any more.
  void send(const std::string& text) const {
    const auto sent = [&] {
      return ::write(descriptor_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    };
    EXPECT_TRUE(::testing::Test::HasFailure() || holds_within(sent, 5s));
  }

  /// Sends so many steps, two to an episode.
  void send_steps(int count) {
    for (int i = 0; i < count; ++i, ++sent_) send(fmt::format("{},{},1,{}\n", sent_ % 7, sent_ % 5, sent_ % 2));
  }

  void end() {
    if (descriptor_ >= 0) close(descriptor_);
    descriptor_ = -1;
  }

  std::vector<std::string> learn(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{program,      "learn",       pipe_,   "--learner",           "td",
                                   "--features", "tile_coding", "--set", "features.tilings=16", "--sample",
                                   "500",        "-m",          model_};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  std::string steps_of_model() const {
    const auto inspected = testing::bellwether("inspect " + model_);
    EXPECT_EQ(inspected.code, 0) << inspected.err;
    const std::size_t end = inspected.out.find(" steps,");
    const std::size_t begin = inspected.out.find_last_of(" \n", end - 1) + 1;
    return inspected.out.substr(begin, end - begin);
  }

  /// Names of files in the folder, apart from the pipe.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      if (!entry.is_fifo()) names.push_back(entry.path().filename());
    }
    return names;
  }

  testing::TemporaryFolder folder_;
  std::string pipe_ = folder_.path("pipe");
  std::string model_ = folder_.path("m.bw");
  int descriptor_ = -1;
  int sent_ = 0;
};

TEST_F(Stream, GoesOnWhenValuesCannotBeWrittenAndSaysSoAtTheEnd) {
  Process learner(learn({"--predict", "/dev/full"}));
  send_steps(600);
  ASSERT_TRUE(holds_within([&] { return contains(learner.err(), "No space left on device"); })) << learner.err();
  send_steps(600);
  learner.signal(SIGTERM);
  const Finished done = learner.finish();
  EXPECT_EQ(done.code, 1) << done.err;
  EXPECT_EQ(times(done.err, "learning continues, values are left out"), 1U) << done.err;
  EXPECT_TRUE(contains(done.err, "bellwether: cannot write /dev/full: No space left on device: 1,200 of 1,200 values"))
      << done.err;
  EXPECT_TRUE(contains(done.out, "1,200 steps")) << "the summary is shown: " << done.out;
  EXPECT_EQ(steps_of_model(), "1,200");
}

TEST_F(Stream, WritesItsModelAtTheNextCheckpointWhenThereWasNoRoomAtTheLast) {
  Process learner(learn({"--checkpoint", "0.05s"}), 4000);
  ASSERT_TRUE(holds_within([&] {
    send_steps(50);
    return contains(learner.err(), "cannot write");
  })) << learner.err();
  send_steps(50);
  std::this_thread::sleep_for(200ms);
  send_steps(50);
  EXPECT_FALSE(fs::exists(model_));
  learner.lift_file_size_limit();
  ASSERT_TRUE(holds_within([&] {
    send_steps(50);
    return fs::exists(model_);
  }));
  learner.signal(SIGTERM);
  const Finished done = learner.finish();
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.err,
            "cannot write " + model_ + ": File too large: learning continues, the next checkpoint tries again\n");
  EXPECT_EQ(files(), std::vector<std::string>{"m.bw"});
}

TEST_F(Stream, ThatHasNoRoomAtItsEndSaysWhatIsLost) {
  Process learner(learn({"--checkpoint", "0.05s"}), 4000);
  send_steps(700);
  ASSERT_TRUE(holds_within([&] {
    send_steps(50);
    return contains(learner.err(), "cannot write");
  })) << learner.err();
  learner.signal(SIGTERM);
  const Finished done = learner.finish();
  EXPECT_EQ(done.code, 1) << done.err;
  EXPECT_TRUE(contains(done.err, "bellwether: cannot write " + model_ + ": File too large; the ")) << done.err;
  EXPECT_TRUE(contains(done.err, " steps learned are lost\n")) << done.err;
  EXPECT_EQ(files(), std::vector<std::string>{});
}

TEST_F(Stream, EndsWithItsModelWhenItsTerminalIsGone) {
  Process learner(learn({"--checkpoint", "0.05s"}));
  ASSERT_TRUE(holds_within([&] {
    send_steps(50);
    return fs::exists(model_);
  }));
  learner.signal(SIGHUP);
  const Finished done = learner.finish();
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_TRUE(contains(done.out, steps_of_model() + " steps")) << done.out;
}

TEST_F(Stream, StartedByNohupOutlivesItsTerminal) {
  Process learner(
      {"/bin/bash", "-c", fmt::format("trap '' HUP; exec {}", fmt::join(learn({"--checkpoint", "0.05s"}), " "))});
  ASSERT_TRUE(holds_within([&] {
    send_steps(50);
    return fs::exists(model_);
  }));
  learner.signal(SIGHUP);
  std::this_thread::sleep_for(300ms);
  EXPECT_TRUE(learner.running());
  learner.signal(SIGTERM);
  EXPECT_EQ(learner.finish().code, 0);
}

TEST_F(Stream, HoldsItsModelAgainstASecondOne) {
  Process learner(learn({"--checkpoint", "0.05s"}));
  ASSERT_TRUE(holds_within([&] {
    send_steps(50);
    return fs::exists(model_);
  }));
  const std::string log = folder_.path("log.csv");
  std::ofstream(log) << "s,t,reward,done\n1,2,3,1\n";
  const std::string refused =
      fmt::format("bellwether: {} is being learned by another process (process {} on ", model_, learner.pid());
  for (const std::string second : {" --continue", "", " --checkpoint 1s"}) {
    const Finished other = testing::bellwether("learn " + log + second + " -m " + model_);
    EXPECT_EQ(other.code, 1) << other.err;
    EXPECT_TRUE(other.err.starts_with(refused)) << other.err;
  }
  const std::string other_model = folder_.path("other.bw");
  ASSERT_EQ(testing::bellwether("learn " + log + " -m " + other_model).code, 0);
  const Finished merged = testing::bellwether(fmt::format("merge {0} {0} -o {1}", other_model, model_));
  EXPECT_EQ(merged.code, 1);
  EXPECT_TRUE(merged.err.starts_with(refused)) << merged.err;
  fs::remove(other_model);
  EXPECT_EQ(shell(program + " learn - -m " + model_ + " < " + log).code, 1);
  learner.signal(SIGKILL);
  EXPECT_EQ(learner.finish().code, 128 + SIGKILL);
  const Finished next = testing::bellwether("learn " + log + " --continue -m " + model_);
  EXPECT_EQ(next.code, 0) << "one that was killed is in nobody's way: " << next.err;
  fs::remove(log);
  EXPECT_EQ(files(), std::vector<std::string>{"m.bw"});
}

TEST_F(Stream, WithABadRowKeepsWhatItLearnedBefore) {
  Process learner(learn());
  send_steps(700);
  send("oops\n");
  const Finished done = learner.finish();
  EXPECT_EQ(done.code, 2);
  EXPECT_EQ(done.err, "bellwether: " + pipe_ +
                          ": row 701 has 1 cell, the header 4; with --skip-bad such rows are left out and counted; " +
                          model_ + " holds the 700 steps learned before\n");
  EXPECT_EQ(steps_of_model(), "700");
  EXPECT_EQ(files(), std::vector<std::string>{"m.bw"});

  // And of a model that it continues; here the reader of steps finds what is wrong.
  send("s,t,reward,done\n");
  Process next(learn());
  send_steps(20);
  send("1,1,,1\n");
  const Finished more = next.finish();
  EXPECT_EQ(more.code, 2);
  EXPECT_TRUE(contains(more.err, "the row holds more than an observation")) << more.err;
  EXPECT_TRUE(more.err.ends_with("; " + model_ + " holds the 720 steps learned before\n")) << more.err;
  EXPECT_EQ(steps_of_model(), "720");
}

TEST_F(Stream, WithABadRowAmongTheFirstLearnsNothingAndSaysNothingOfAModel) {
  Process learner(learn());
  send_steps(100);
  send("oops\n");
  send_steps(400);
  const Finished done = learner.finish();
  EXPECT_EQ(done.code, 2);
  EXPECT_TRUE(done.err.ends_with("; with --skip-bad such rows are left out and counted\n")) << done.err;
  EXPECT_EQ(files(), std::vector<std::string>{});
}

TEST_F(Stream, WithoutRoomForWhatItLearnedBeforeABadRowSaysSo) {
  Process learner(learn(), 4000);
  send_steps(700);
  send("oops\n");
  const Finished done = learner.finish();
  EXPECT_EQ(done.code, 2);
  EXPECT_TRUE(done.err.ends_with("; cannot write " + model_ + ": File too large; the 700 steps learned are lost\n"))
      << done.err;
  EXPECT_EQ(files(), std::vector<std::string>{});
}

/// A log that has one bad row behind many good ones, in blocks that are not full.
TEST(BadRows, OfStandardInputLoseNothingBeforeThemAndThoseOfFilesNothingAtAll) {
  const testing::TemporaryFolder folder;
  const std::string model = folder.path("m.bw");
  std::string table = "s,reward,done\n";
  std::string sparse;
  for (int i = 0; i < 20000; ++i) {
    table += fmt::format("{},1,{}\n", i % 7, i % 2);
    sparse += fmt::format("1 {} | {} | {}\n", i % 2, i % 7, (i + 1) % 7);
  }
  const std::string options = " --learner td -m " + model;
  for (const auto& [log, more] :
       {std::pair(table, " --features tile_coding --set features.tilings=16"), std::pair(sparse, " --dim 7")}) {
    std::ofstream(folder.path("log")) << log << "oops\n";
    for (const std::string from : {" < ", " cat "}) {
      const std::string input = folder.path("log");
      const std::string words = " learn -" + options + more;
      const Finished done =
          from == " < " ? shell(program + words + " < " + input) : shell("cat " + input + " | " + program + words);
      EXPECT_EQ(done.code, 2) << done.err;
      EXPECT_EQ(times(done.err, "\n"), 1U) << done.err;
      EXPECT_TRUE(contains(done.err, "standard input: row 20001")) << done.err;
      EXPECT_TRUE(done.err.ends_with("; " + model + " holds the 20,000 steps learned before\n")) << done.err;
      fs::remove(model);
    }
    const Finished file = shell(program + " learn " + folder.path("log") + options + more);
    EXPECT_EQ(file.code, 2);
    EXPECT_TRUE(file.err.ends_with("; with --skip-bad such rows are left out and counted\n")) << file.err;
    EXPECT_FALSE(fs::exists(model)) << "a file can be read again";
  }
}

TEST(BadRows, AreNotTheOnlyEndOfAStream) {
  const testing::TemporaryFolder folder;
  const std::string model = folder.path("m.bw");
  std::ofstream log(folder.path("log"));
  log << "s,reward,done\n";
  for (int i = 0; i < 20000; ++i) log << fmt::format("{},1,{}\n", i * 7919 % 10007, i % 2);
  log.close();
  const Finished cut = shell("gzip -c " + folder.path("log") + " | head -c 20000 | " + program +
                             " learn - --learner td --features tile_coding -m " + model);
  EXPECT_EQ(cut.code, 1) << cut.err;
  EXPECT_TRUE(contains(cut.err, "standard input: the compressed data end early; " + model + " holds the ")) << cut.err;
  EXPECT_TRUE(fs::exists(model));
}

TEST_F(Stream, WhoseValuesNobodyReadsHasItsCheckpointsAndCanBeStopped) {
  const std::string values = folder_.path("values");
  ASSERT_EQ(mkfifo(values.c_str(), 0600), 0);
  const int reader = open(values.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  Process learner(learn({"--predict", values, "--checkpoint", "0.1s"}));
  send_steps(6000);  // their values are more than a pipe takes
  EXPECT_TRUE(holds_within([&] { return fs::exists(model_); }, 10s)) << learner.err();
  learner.signal(SIGTERM);
  EXPECT_TRUE(holds_within([&] { return !learner.running(); }, 5s)) << learner.err();
  const Finished done = learner.finish();
  EXPECT_EQ(done.code, 1) << done.err;
  EXPECT_TRUE(contains(done.err, "bellwether: cannot write " + values + ": nobody reads it: ")) << done.err;
  EXPECT_TRUE(contains(done.err, " values are missing\n")) << done.err;
  EXPECT_TRUE(contains(done.out, steps_of_model() + " steps")) << done.out;
  close(reader);
}

TEST_F(Stream, WhoseValuesHaveNoReaderYetLosesNothing) {
  const std::string values = folder_.path("values");
  ASSERT_EQ(mkfifo(values.c_str(), 0600), 0);
  Process learner(learn({"--predict", values, "--checkpoint", "0.1s"}));
  send_steps(6000);
  EXPECT_TRUE(holds_within([&] { return fs::exists(model_); }, 10s)) << learner.err();
  Process reader({"/bin/bash", "-c", "cat " + values});
  end();
  EXPECT_EQ(learner.finish().code, 0);
  EXPECT_EQ(times(reader.finish().out, "\n"), 6000U);
}

TEST_F(Stream, ThatLosesItsLockTakesItAgain) {
  Process learner(learn({"--checkpoint", "0.05s"}));
  ASSERT_TRUE(holds_within([&] {
    send_steps(50);
    return fs::exists(model_);
  }));
  fs::remove(model_ + ".lock");
  EXPECT_TRUE(holds_within([&] {
    send_steps(50);
    return fs::exists(model_ + ".lock");
  }));
  const Finished second = testing::bellwether("learn " + pipe_ + " -m " + model_);
  EXPECT_EQ(second.code, 1);
  EXPECT_TRUE(contains(second.err, "is being learned by another process")) << second.err;
  learner.signal(SIGTERM);
  EXPECT_EQ(learner.finish().code, 0);
  EXPECT_EQ(files(), std::vector<std::string>{"m.bw"});
}

TEST_F(Stream, ThatLosesItsLockDoesNotOverwriteWhatAnotherHasLearned) {
  const std::string values = folder_.path("values.jsonl");
  Process learner(learn({"--checkpoint", "1h", "--predict", values}));
  send_steps(600);
  ASSERT_TRUE(holds_within([&] { return fs::exists(values) && times(testing::read_file(values), "\n") == 600; }));
  fs::remove(model_ + ".lock");
  const std::string log = folder_.path("log.csv");
  std::ofstream(log) << "s,t,reward,done\n1,2,3,1\n";
  const Finished second = testing::bellwether("learn " + log + " -m " + model_);
  ASSERT_EQ(second.code, 0) << second.err;
  fs::remove(log);
  learner.signal(SIGTERM);
  const Finished done = learner.finish();
  EXPECT_EQ(done.code, 1);
  EXPECT_EQ(done.err, "bellwether: " + model_ +
                          " was changed by another process, after its lock had been removed; the 600 steps learned are "
                          "lost\n");
  EXPECT_EQ(steps_of_model(), "1") << "what the other learned";
  fs::remove(values);
  EXPECT_EQ(files(), std::vector<std::string>{"m.bw"});
}

/// A program that waits for the other end of a pipe is ended by the first signal.
TEST(Pipes, WithoutAnotherEndDoNotHoldAProgramThatIsToEnd) {
  const testing::TemporaryFolder folder;
  const std::string pipe = folder.path("pipe.csv");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string log = folder.path("log.csv");
  std::ofstream(log) << "s,reward,done\n0,1,0\n1,2,0\n2,1,1\n";
  std::vector<std::vector<std::string>> all{{"sweep", pipe},
                                            {"sweep", "--dry-run", pipe},
                                            {"learn", log, "--like", pipe},
                                            {"learn", log, "-m", pipe},
                                            {"learn", log, "-m", pipe, "--continue"},
                                            {"learn", log, "--weights", pipe},
                                            {"learn", log, "--predict", pipe},
                                            {"learn", pipe, "-m", folder.path("m.bw")}};
  if (testing::has_page) all.push_back({"learn", log, "--report", pipe});
  for (std::vector<std::string> words : all) {
    const std::string what = fmt::format("{}", fmt::join(words, " "));
    words.insert(words.begin(), program);
    Process waiting(words);
    std::this_thread::sleep_for(400ms);
    EXPECT_TRUE(waiting.running()) << what;
    waiting.signal(SIGTERM);
    EXPECT_TRUE(holds_within([&] { return !waiting.running(); }, 5s)) << what;
    const Finished done = waiting.finish();
    EXPECT_TRUE(done.code == 0 || done.code == 1 || done.code == 130 ||
                (words[1] == "sweep" && done.code == 128 + SIGTERM))
        << what << ": " << done.code << done.err;
  }
}

/// A stream that was told to stop does not wait for a reader of its model either.
TEST_F(Stream, IsNotHeldByAPipeForItsModel) {
  ASSERT_EQ(mkfifo(model_.c_str(), 0600), 0);
  Process learner(learn());
  send_steps(600);
  std::this_thread::sleep_for(400ms);
  learner.signal(SIGTERM);
  EXPECT_TRUE(holds_within([&] { return !learner.running(); }, 5s));
  const Finished done = learner.finish();
  EXPECT_EQ(done.code, 1);
  EXPECT_EQ(done.err,
            "bellwether: cannot write " + model_ + ": Interrupted system call; the 600 steps learned are lost\n");
}

}  // namespace
}  // namespace bellwether
