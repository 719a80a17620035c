// Waiting at a pipe ends when the program is asked to stop.
#include <bellwether/core/files/patience.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include <gtest/gtest.h>

#include <bellwether/core/files/files.h>
#include <bellwether/core/files/output_file.h>

#include "support/rejection.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

using namespace std::chrono_literals;
using testing::failure;

std::atomic<bool> stop{false};

class Patience : public ::testing::Test {
 protected:
  Patience() {
    stop = false;
    stop_waiting_when([] { return stop.load(); });
    EXPECT_EQ(mkfifo(path_.c_str(), 0600), 0);
  }
  ~Patience() override { stop_waiting_when(nullptr); }

  /// Asks to stop after a moment, and returns how `wait` fails.
  template <class Wait>
  static std::string stopped(Wait wait) {
    std::jthread asking([] {
      std::this_thread::sleep_for(50ms);
      stop = true;
    });
    const auto begin = std::chrono::steady_clock::now();
    const std::string said = failure(wait);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
    return said;
  }

  testing::TemporaryFolder folder_;
  std::string path_ = folder_.path("pipe");
  std::string not_written_ = "cannot write " + path_ + ": Interrupted system call";
  std::string not_read_ = "cannot read " + path_ + ": Interrupted system call";
};

TEST_F(Patience, WithAReaderWhoDoesNotComeEndsWhenTheProgramIsAskedToStop) {
  EXPECT_EQ(stopped([&] { OutputFile file(path_); }), not_written_);
}

TEST_F(Patience, WithAReaderWhoDoesNotReadEndsWhenTheProgramIsAskedToStop) {
  const Descriptor reader(open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  EXPECT_EQ(stopped([&] { write_file(path_, std::string(1 << 20, 'x')); }), not_written_);
}

TEST_F(Patience, WithAWriterWhoDoesNotComeOrWriteEndsWhenTheProgramIsAskedToStop) {
  EXPECT_EQ(stopped([&] { (void)read_file(path_); }), not_read_);
  stop = false;
  const Descriptor writer(open(path_.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
  EXPECT_EQ(stopped([&] { (void)read_file(path_); }), not_read_);
}

TEST_F(Patience, WithAReaderWhoReadsLastsThoughTheProgramWasAskedToStop) {
  stop = true;
  const std::string text(1 << 20, 'x');
  std::string read;
  std::jthread reading([&] { read = read_file(path_); });
  write_file(path_, text);
  reading.join();
  EXPECT_EQ(read, text);
}

TEST_F(Patience, IsNotWhatAProgramNeedsThatWritesForUs) {
  const Descriptor reader(open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  const OutputFile file(path_);
  EXPECT_EQ(fcntl(file.descriptor(), F_GETFL) & O_NONBLOCK, 0);
}

}  // namespace
}  // namespace bellwether
