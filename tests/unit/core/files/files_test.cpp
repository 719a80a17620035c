#include <bellwether/core/files/files.h>

#include <gtest/gtest.h>

#include "support/rejection.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

using testing::rejection;
using testing::TemporaryFolder;

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
