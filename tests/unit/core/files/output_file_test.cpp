// Files are whole, keep their permissions, and meet links, kills and limits.
#include <bellwether/core/files/output_file.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include <sys/resource.h>
#include <sys/stat.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bellwether/core/files/files.h>

#include "support/child.h"
#include "support/rejection.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

namespace fs = std::filesystem;
using testing::Child;
using testing::failure;
using testing::TemporaryFolder;

class Outputs : public ::testing::Test {
 protected:
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_.path()), {}));
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.path("m.bw");
};

struct stat status_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(lstat(path.c_str(), &status), 0) << path;
  return status;
}

unsigned mode_of(const std::string& path) { return status_of(path).st_mode & 07777U; }

int code_of_child(const std::function<int()>& work) { return Child(work).code(); }

TEST_F(Outputs, AppearUnderTheirNameOnlyWhenTheyAreComplete) {
  write_file(path_, "old");
  {
    OutputFile discarded(path_);
    discarded.write("half of");
  }
  EXPECT_EQ(read_file(path_), "old");
  OutputFile file(path_);
  file.write("new ");
  EXPECT_EQ(read_file(path_), "old");
  file.write(std::string_view("and\0whole", 9));
  file.commit();
  EXPECT_EQ(read_file(path_), std::string("new and\0whole", 13));
  EXPECT_EQ(files(), 1U) << "no partial file is left";
}

TEST_F(Outputs, KeepThePermissionsAndTheOwnerOfWhatTheyReplace) {
  for (const unsigned mode : {0600U, 0640U, 0666U, 0400U}) {
    write_file(path_, "old");
    ASSERT_EQ(chmod(path_.c_str(), mode), 0);
    write_file(path_, "new");
    EXPECT_EQ(mode_of(path_), mode);
  }
  if (geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  ASSERT_EQ(chown(path_.c_str(), 1234, 2345), 0);
  write_file(path_, "newer");
  EXPECT_EQ(status_of(path_).st_uid, 1234U);
  EXPECT_EQ(status_of(path_).st_gid, 2345U);
}

TEST_F(Outputs, ThatAreSecretAreNeverReadableByOthersOnTheWay) {
  write_file(path_, "old");
  ASSERT_EQ(chmod(path_.c_str(), 0600), 0);
  const OutputFile file(path_);
  for (const auto& entry : fs::directory_iterator(folder_.path())) EXPECT_EQ(mode_of(entry.path()), 0600U);
}

TEST_F(Outputs, ThatAreNewFollowTheUmask) {
  const mode_t before = umask(0027);
  write_file(path_, "new");
  umask(before);
  EXPECT_EQ(mode_of(path_), 0640U);
}

TEST_F(Outputs, ReplaceTheFileThatLinksLeadToAndLeaveTheLinks) {
  write_file(folder_.path("file"), "old");
  fs::create_symlink("file", folder_.path("link"));
  fs::create_symlink(folder_.path("link"), folder_.path("link to link"));
  write_file(folder_.path("link to link"), "new");
  EXPECT_TRUE(fs::is_symlink(folder_.path("link")));
  EXPECT_TRUE(fs::is_symlink(folder_.path("link to link")));
  EXPECT_EQ(read_file(folder_.path("file")), "new");
  fs::create_symlink("not yet", folder_.path("ahead"));
  write_file(folder_.path("ahead"), "made");
  EXPECT_EQ(read_file(folder_.path("not yet")), "made");
  fs::create_symlink("round", folder_.path("round"));
  EXPECT_EQ(failure([&] { write_file(folder_.path("round"), "x"); }),
            "cannot write " + folder_.path("round") + ": Too many levels of symbolic links");
}

/// In a container every start has the same process id, so a name that is made from it meets itself again.
TEST_F(Outputs, AreWrittenWhereAProcessOfTheSameIdWasKilledBefore) {
  std::ofstream(fmt::format("{}.{}.partial", path_, getpid())) << "half of a file";
  EXPECT_EQ(failure([&] { write_file(path_, "new"); }), "went well");
  EXPECT_EQ(read_file(path_), "new");
}

TEST_F(Outputs, HaveNamesUntilTheyAreCompleteThatNobodyCanForesee) {
  std::string first;
  for (int i = 0; i < 2; ++i) {
    const OutputFile file(path_);
    const std::string name = fs::directory_iterator(folder_.path())->path().filename();
    EXPECT_EQ(name.size(), std::string("m.bw.0123456789abcdef.partial").size()) << name;
    EXPECT_NE(name, first);
    first = name;
  }
}

TEST_F(Outputs, RemoveWhatAKilledProgramLeftAndNothingElse) {
  EXPECT_EQ(code_of_child([&]() -> int {
              OutputFile killed(path_);
              killed.write("half");
              return raise(SIGKILL);
            }),
            -SIGKILL);
  EXPECT_EQ(files(), 1U);
  const std::string foreign = folder_.path("other.bw.0123456789abcdef.partial");
  const std::string longer = folder_.path("m.bw.mine.partial");
  const std::string link = folder_.path("m.bw.0123456789abcdef.partial");
  std::ofstream(foreign) << "other";
  std::ofstream(longer) << "mine";
  fs::create_symlink(longer, link);
  OutputFile running(path_);
  running.write("running");
  EXPECT_EQ(files(), 4U) << "what was left is gone";
  write_file(path_, "second");
  EXPECT_EQ(read_file(path_), "second");
  running.commit();  // what is being written was left alone
  EXPECT_EQ(read_file(path_), "running");
  EXPECT_EQ(read_file(longer), "mine");
  EXPECT_EQ(read_file(foreign), "other");
  EXPECT_TRUE(fs::is_symlink(link));
}

TEST_F(Outputs, OfManyWritersAreAlwaysWhole) {
  const auto writing_often = [&](char letter) {
    return [&, letter] {
      for (int i = 0; i < 50; ++i) write_file(path_, std::string(300'000, letter));
      return 0;
    };
  };
  Child first(writing_often('a'));
  Child second(writing_often('b'));
  EXPECT_EQ(first.code(), 0);
  EXPECT_EQ(second.code(), 0);
  const std::string end = read_file(path_);
  EXPECT_TRUE(end == std::string(300'000, 'a') || end == std::string(300'000, 'b'));
  EXPECT_EQ(files(), 1U);
}

TEST_F(Outputs, ThatMayNotGrowFailLikeThoseOnAFullDiskAndLeaveTheOldFile) {
  write_file(path_, "old");
  EXPECT_EQ(code_of_child([&] {
              std::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{100'000, 100'000};
              setrlimit(RLIMIT_FSIZE, &limit);
              const std::string said = failure([&] { write_file(path_, std::string(200'000, 'x')); });
              return said == "cannot write " + path_ + ": File too large" ? 0 : 1;
            }),
            0);
  EXPECT_EQ(read_file(path_), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(Outputs, MayHaveNamesAsLongAsTheFileSystemAllows) {
  const std::string longest = folder_.path(std::string(255, 'n'));
  write_file(longest, "x");
  EXPECT_EQ(read_file(longest), "x");
}

TEST_F(Outputs, ThatAreNotCompleteAreGoneWhenTheProgramEndsWithoutDestructors) {
  EXPECT_EQ(code_of_child([&]() -> int {
              OutputFile one(path_);
              OutputFile other(folder_.path("other"));
              OutputFile done(folder_.path("done"));
              done.commit();
              discard_unfinished_files();
              std::_Exit(3);
            }),
            3);
  EXPECT_EQ(files(), 1U);
  EXPECT_TRUE(fs::exists(folder_.path("done")));
}

TEST(OutputFile, SaysWhatCannotBeReadOrWritten) {
  const TemporaryFolder folder;
  EXPECT_EQ(failure([&] { read_file(folder.path("no")); }),
            "cannot read " + folder.path("no") + ": No such file or directory");
  EXPECT_EQ(failure([&] { read_file(folder.path()); }), "cannot read " + folder.path() + ": Is a directory");
  fs::create_symlink("no/file", folder.path("link"));
  for (const char* name : {"no/file", "link"}) {
    EXPECT_EQ(failure([&] { write_file(folder.path(name), ""); }),
              folder.path(name) + ": there is no folder " + folder.path("no"));
    EXPECT_EQ(failure([&] { AppendedFile(folder.path(name)); }),
              folder.path(name) + ": there is no folder " + folder.path("no"));
  }
  EXPECT_EQ(failure([&] { write_file(folder.path("no/"), ""); }),
            "cannot write " + folder.path("no/") + ": Is a directory");
  write_file(folder.path("file"), "");
  EXPECT_EQ(failure([&] { make_folders(folder.path("file/below")); }),
            "cannot make " + folder.path("file/below") + ": Not a directory");
  EXPECT_EQ(failure([] { write_file("/dev/full", "x"); }), "cannot write /dev/full: No space left on device");
}

TEST_F(Outputs, ThatAreAppendedToEndWithAWholeEntryWhenThereIsNoRoom) {
  EXPECT_EQ(code_of_child([&] {
              std::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{100, RLIM_INFINITY};
              const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
              AppendedFile file(path_);
              file.append("first\n");
              setrlimit(RLIMIT_FSIZE, &limit);
              const std::string said = failure([&] { file.append(std::string(200, 'x') + "\n"); });
              setrlimit(RLIMIT_FSIZE, &none);
              file.append("last\n");
              return said == "cannot write " + path_ + ": File too large" ? 0 : 1;
            }),
            0);
  EXPECT_EQ(read_file(path_), "first\nlast\n");
  EXPECT_EQ(failure([] { AppendedFile("/dev/full").append("x"); }), "cannot write /dev/full: No space left on device");
}

}  // namespace
}  // namespace bellwether
