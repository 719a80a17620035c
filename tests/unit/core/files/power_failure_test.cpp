// What a power failure leaves: the order in which files and folders are synchronised with the disk.
#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <bellwether/core/files/files.h>
#include <bellwether/core/files/output_file.h>

#include "support/rejection.h"
#include "support/temporary_folder.h"

namespace bellwether::interposed {

/// What the library asked of the system, and what the system is to answer.
struct Disk {
  std::vector<std::string> calls;
  int reason = 0;  // why synchronising fails; 0: it does not
};

Disk disk;

}  // namespace bellwether::interposed

using bellwether::interposed::disk;

// They take the place of those of the C library in this program.
extern "C" int fsync(int file) {
  struct stat status {};
  fstat(file, &status);
  disk.calls.emplace_back(S_ISDIR(status.st_mode) ? "synchronise folder" : "synchronise file");
  if (disk.reason == 0) return static_cast<int>(syscall(SYS_fsync, file));
  errno = disk.reason;
  return -1;
}

extern "C" int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  disk.calls.emplace_back("rename");
  return static_cast<int>(syscall(SYS_renameat2, from_folder, from, to_folder, to, 0));
}

namespace bellwether {
namespace {

TEST(PowerFailure, LeavesTheOldFileOrTheWholeNewOne) {
  const testing::TemporaryFolder folder;
  disk = {};
  write_file(folder.path("m.bw"), "new");
  EXPECT_EQ(disk.calls, (std::vector<std::string>{"synchronise file", "rename", "synchronise folder"}));
}

TEST(PowerFailure, LeavesFoldersWithWhatIsInThem) {
  const testing::TemporaryFolder folder;
  disk = {};
  make_folders(folder.path("a/b/c"));
  EXPECT_EQ(disk.calls, std::vector<std::string>(3, "synchronise folder"));
  EXPECT_TRUE(std::filesystem::is_directory(folder.path("a/b/c")));
  disk = {.calls = {}, .reason = EIO};
  make_folders(folder.path("a/b"));  // it is there
  EXPECT_EQ(disk.calls, std::vector<std::string>{});
  EXPECT_EQ(testing::failure([&] { make_folders(folder.path("d")); }),
            "cannot make " + folder.path("d") + ": Input/output error");
  disk = {};
}

TEST(PowerFailure, IsNoReasonToReplaceAFileByOneThatTheDiskDidNotTake) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path("m.bw");
  write_file(path, "old");
  disk = {.calls = {}, .reason = EIO};
  EXPECT_EQ(testing::failure([&] { write_file(path, "new"); }), "cannot write " + path + ": Input/output error");
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
  disk = {.calls = {}, .reason = EINVAL};  // of file systems that cannot
  write_file(path, "new");
  EXPECT_EQ(read_file(path), "new");
  disk = {};
}

}  // namespace
}  // namespace bellwether
