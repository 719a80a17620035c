// What happens to a stream when the outside fails: full disks, lost terminals, two at once.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

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
using testing::Finished;
using testing::holds_within;
using testing::Process;
using testing::shell;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

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

}  // namespace
}  // namespace bellwether
