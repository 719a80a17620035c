// Lines reach a reader who is slow, late or gone, whole and without holding their writer.
#include <bellwether/core/files/line_pipe.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/rejection.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

using namespace std::chrono_literals;
using testing::failure;

class LinePipes : public ::testing::Test {
 protected:
  LinePipes() { EXPECT_EQ(mkfifo(path_.c_str(), 0600), 0); }

  Descriptor reader() const { return Descriptor(open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)); }

  static std::string all_of(const Descriptor& from) {
    std::string text;
    std::array<char, 4096> some{};
    for (ssize_t count = 0; (count = read(*from, some.data(), some.size())) > 0;) {
      text.append(some.data(), static_cast<std::size_t>(count));
    }
    return text;
  }

  /// More than a pipe takes.
  static std::string many_lines(int first = 0) {
    std::string text;
    for (int i = first; i < first + 20000; ++i) text += fmt::format("line {}\n", i);
    return text;
  }

  testing::TemporaryFolder folder_;
  std::string path_ = folder_.path("pipe");
  std::string stuck_ = "cannot write " + path_ + ": nobody has read it for 0.05 s";
};

TEST_F(LinePipes, WaitForAReaderWhoComesLate) {
  LinePipe pipe(path_);
  pipe.add("one\n");
  EXPECT_FALSE(pipe.deliver(1ms));
  const Descriptor late = reader();
  EXPECT_TRUE(pipe.deliver(1s));
  EXPECT_EQ(all_of(late), "one\n");
  EXPECT_EQ(pipe.given_up(), 0U);
}

TEST_F(LinePipes, LoseNothingWhileTheirReaderTakesSomethingNowAndThen) {
  const Descriptor slow = reader();
  LinePipe pipe(path_);
  pipe.add(many_lines());
  std::string taken;
  for (int i = 0; i < 1000 && !pipe.deliver(1ms); ++i) taken += all_of(slow);
  EXPECT_EQ(taken + all_of(slow), many_lines());
}

TEST_F(LinePipes, GiveUpLinesOfAReaderWhoIsStuckAndGoOnWithWholeOnes) {
  const Descriptor stuck = reader();
  LinePipe pipe(path_, 50ms);
  pipe.add(many_lines());
  EXPECT_FALSE(pipe.deliver(1ms)) << "not at once";
  EXPECT_EQ(failure([&] { pipe.deliver(10s); }), stuck_);
  const std::uint64_t first = pipe.given_up();
  EXPECT_GT(first, 1000U);
  EXPECT_LT(first, 20000U);
  pipe.add("lost\n");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(failure([&] { pipe.deliver(10s); }), stuck_);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s) << "patience is lost only once";
  EXPECT_EQ(pipe.given_up(), first + 1);

  const std::string before = all_of(stuck);
  pipe.add("found\n");
  EXPECT_TRUE(pipe.deliver(1s));
  const std::string text = before + all_of(stuck);
  const std::string expected = many_lines();
  const std::string kept = text.substr(0, text.size() - 6);
  EXPECT_EQ(text.substr(kept.size()), "found\n");
  EXPECT_TRUE(expected.starts_with(kept) && kept.ends_with('\n')) << "the line that was cut was finished";
  EXPECT_EQ(static_cast<std::uint64_t>(std::count(kept.begin(), kept.end(), '\n')), 20000 - first);
}

TEST_F(LinePipes, CountALineThatWasCutWhenTheyAreAbandoned) {
  const Descriptor stuck = reader();
  LinePipe pipe(path_, 50ms);
  pipe.add(many_lines());
  EXPECT_EQ(failure([&] { pipe.deliver(10s); }), stuck_);
  pipe.abandon();
  const std::string text = all_of(stuck);
  EXPECT_EQ(pipe.given_up() + static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')), 20000U);
}

TEST_F(LinePipes, AreRefusedLikeFilesWhereTheReaderIsGone) {
  const auto usual = std::signal(SIGPIPE, SIG_IGN);
  LinePipe pipe(path_);
  {
    const Descriptor gone = reader();
    pipe.add("one\n");
    EXPECT_TRUE(pipe.deliver(1s));
    EXPECT_EQ(all_of(gone), "one\n");
  }
  pipe.add("two\n");
  EXPECT_EQ(failure([&] { pipe.deliver(1s); }), "cannot write " + path_ + ": Broken pipe");
  EXPECT_EQ(pipe.given_up(), 1U);
  const Descriptor next = reader();
  pipe.add("three\n");
  EXPECT_TRUE(pipe.deliver(1s));
  EXPECT_EQ(all_of(next), "three\n");
  std::signal(SIGPIPE, usual);
  EXPECT_EQ(failure([&] { LinePipe missing(folder_.path("no/pipe")); }),
            "cannot write " + folder_.path("no/pipe") + ": No such file or directory");
}

}  // namespace
}  // namespace bellwether
