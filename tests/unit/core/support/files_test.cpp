#include <bellwether/core/support/files.h>

#include <filesystem>

#include <gtest/gtest.h>

#include "support/rejection.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

namespace fs = std::filesystem;
using testing::failure;
using testing::rejection;
using testing::TemporaryFolder;

TEST(OutputFile, AppearsUnderItsNameOnlyWhenItIsComplete) {
  const TemporaryFolder folder;
  const std::string path = folder.path("m.bw");
  write_file(path, "old");
  {
    OutputFile discarded(path);
    discarded.write("half of");
  }
  EXPECT_EQ(read_file(path), "old");
  OutputFile file(path);
  file.write("new ");
  EXPECT_EQ(read_file(path), "old");
  file.write(std::string_view("and\0whole", 9));
  file.commit();
  EXPECT_EQ(read_file(path), std::string("new and\0whole", 13));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1) << "no partial file is left";
}

TEST(OutputFile, ALinkStaysALink) {
  const TemporaryFolder folder;
  write_file(folder.path("file"), "old");
  fs::create_symlink("file", folder.path("link"));
  write_file(folder.path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(folder.path("link")));
  EXPECT_EQ(read_file(folder.path("file")), "new");
}

TEST(OutputFile, SaysWhatCannotBeReadOrWritten) {
  const TemporaryFolder folder;
  EXPECT_EQ(failure([&] { read_file(folder.path("no")); }),
            "cannot read " + folder.path("no") + ": No such file or directory");
  EXPECT_EQ(failure([&] { read_file(folder.path()); }), "cannot read " + folder.path() + ": Is a directory");
  EXPECT_EQ(failure([&] { write_file(folder.path("no/file"), ""); }),
            "cannot write " + folder.path("no/file") + ": No such file or directory");
  EXPECT_EQ(failure([] { write_file("/dev/full", "x"); }), "cannot write /dev/full: No space left on device");
}

TEST(Overwriting, IsRejectedByWhateverNameAFileIsGiven) {
  const TemporaryFolder folder;
  const std::string log = folder.path("log.csv"), other = folder.path("./log.csv");
  write_file(log, "x");
  EXPECT_EQ(rejection([&] {
              reject_overwriting("learn", {log}, {"", other});
            }),
            "learn: " + log + " would be overwritten");
  EXPECT_EQ(rejection([&] {
              reject_overwriting("learn", {}, {folder.path("a"), folder.path("a")});
            }),
            "learn: " + folder.path("a") + " would be overwritten");
  EXPECT_EQ(rejection([&] {
              reject_overwriting("learn", {"-", log}, {folder.path("m.bw"), "/dev/null", "-"});
            }),
            "accepted");
}

}  // namespace
}  // namespace bellwether
