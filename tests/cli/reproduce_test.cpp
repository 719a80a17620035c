// The studies that come with the program.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "cli/program.h"

namespace bellwether {
namespace {

TEST(Reproduce, KnowsEveryStudyOfTheStudiesFolder) {
  const testing::Finished printed = testing::bellwether("reproduce all --print");
  ASSERT_EQ(printed.code, 0) << printed.err;
  std::size_t studies = 0;
  for (const auto& entry : std::filesystem::directory_iterator(BELLWETHER_SOURCE_DIR "/studies")) {
    ++studies;
    EXPECT_NE(printed.out.find(testing::read_file(entry.path().string())), std::string::npos) << entry.path();
  }
  EXPECT_GT(studies, 1U);
}

}  // namespace
}  // namespace bellwether
