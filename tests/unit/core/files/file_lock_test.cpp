#include <bellwether/core/files/file_lock.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include <sys/stat.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bellwether/core/files/files.h>

#include "support/rejection.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

namespace fs = std::filesystem;
using testing::failure;

class Locks : public ::testing::Test {
 protected:
  std::string attempt(const std::string& file) const {
    return failure([&] { const FileLock lock(file, "is taken"); });
  }

  testing::TemporaryFolder folder_;
  std::string file_ = folder_.path("m.bw");
};

TEST_F(Locks, NameTheirHolderAndVanishWithIt) {
  {
    const FileLock first(file_, "is taken");
    EXPECT_TRUE(attempt(file_).starts_with(fmt::format("{} is taken (process {} on ", file_, getpid())));
  }
  EXPECT_FALSE(fs::exists(file_ + ".lock"));
  EXPECT_EQ(attempt(file_), "went well");
}

TEST_F(Locks, AreThoseOfTheFileThatLinksLeadTo) {
  fs::create_symlink(file_, folder_.path("link"));
  const FileLock first(file_, "is taken");
  EXPECT_TRUE(attempt(folder_.path("link")).starts_with(folder_.path("link") + " is taken"));
}

TEST_F(Locks, AreTakenOverFromAProcessThatWasKilled) {
  std::ofstream(file_ + ".lock") << "process 1 on elsewhere";
  EXPECT_EQ(attempt(file_), "went well");
}

TEST_F(Locks, AreTakenFromNobodyWhereAPowerFailureLeftZeros) {
  const std::string lock = file_ + ".lock";
  std::ofstream(lock) << std::string(30, '\0');
  EXPECT_EQ(attempt(file_), "went well");
  EXPECT_FALSE(fs::exists(lock));
  const std::string long_one(4096, '\0');
  std::ofstream(lock) << long_one;
  EXPECT_EQ(attempt(file_), lock + " is not a lock file, and is in the way of one: move it elsewhere");
  EXPECT_EQ(read_file(lock), long_one) << "no lock is as long";
}

TEST_F(Locks, ThatWereRemovedAreNoticedAndTakenAgain) {
  FileLock first(file_, "is taken");
  EXPECT_TRUE(first.in_place());
  fs::remove(file_ + ".lock");
  EXPECT_FALSE(first.in_place());
  first.hold_again();
  EXPECT_TRUE(first.in_place());
  EXPECT_TRUE(attempt(file_).starts_with(file_ + " is taken (process "));
}

TEST_F(Locks, ThatOthersHoldAreNotRemoved) {
  auto first = std::make_unique<FileLock>(file_, "is taken");
  fs::remove(file_ + ".lock");
  const FileLock second(file_, "is taken");
  const std::string refused = failure([&] { first->hold_again(); });
  EXPECT_TRUE(refused.starts_with(file_ + " is taken (process ")) << refused;
  EXPECT_TRUE(refused.ends_with("; " + file_ + ".lock was removed while this process held it")) << refused;
  first.reset();
  EXPECT_TRUE(second.in_place());
  EXPECT_NE(attempt(file_), "went well") << "nobody else gets in";
}

TEST_F(Locks, NeverTouchWhatIsNotALock) {
  const std::string lock = file_ + ".lock";
  const std::string refused = lock + " is not a lock file, and is in the way of one: move it elsewhere";
  const std::string precious = folder_.path("precious");
  std::ofstream(precious) << "precious";
  fs::create_symlink(precious, lock);
  EXPECT_EQ(attempt(file_), refused);
  fs::remove(lock);
  fs::create_hard_link(precious, lock);
  EXPECT_EQ(attempt(file_), refused);
  EXPECT_EQ(read_file(precious), "precious");
  fs::remove(lock);
  std::ofstream(lock) << "my notes";
  EXPECT_EQ(attempt(file_), refused);
  EXPECT_EQ(read_file(lock), "my notes");
  fs::remove(lock);
  fs::create_directory(lock);
  EXPECT_EQ(attempt(file_), refused);
  fs::remove(lock);
  ASSERT_EQ(mkfifo(lock.c_str(), 0600), 0);
  EXPECT_EQ(attempt(file_), refused);
  EXPECT_TRUE(fs::is_fifo(lock));
}

TEST_F(Locks, NeedAFolder) {
  EXPECT_EQ(attempt(folder_.path("no/m.bw")), folder_.path("no/m.bw") + ": there is no folder " + folder_.path("no"));
}

}  // namespace
}  // namespace bellwether
