#include <bellwether/model/learned_file.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "support/rejection.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

class LearnedFileTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_.path(name), std::ios::binary) << bytes;
    return folder_.path(name);
  }
  testing::TemporaryFolder folder_;
};

TEST_F(LearnedFileTest, AFileIsRecognisedByWhatItHoldsAndAlsoWhenItHasGrown) {
  for (const std::size_t size : {0U, 1U, 16384U, 16385U, 100000U, 3000000U}) {
    std::string bytes(size, ' ');
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>('0' + i * i % 10 + i / 1000 % 7);
    const LearnedFile log = LearnedFile::of(write("log", bytes));
    EXPECT_EQ(log.bytes, size);
    EXPECT_TRUE(log.begins(write("copy", bytes))) << size;
    EXPECT_TRUE(log.begins(write("longer", bytes + "more"))) << size;
    if (size == 0) continue;
    EXPECT_FALSE(log.begins(write("shorter", bytes.substr(1)))) << size;
    for (const std::size_t at : {std::size_t{0}, size - 1}) {
      std::string other = bytes;
      other[at] = 'x';
      EXPECT_FALSE(log.begins(write("other", other))) << size << " " << at;
    }
  }
}

TEST_F(LearnedFileTest, AFolderIsRecognisedByItsFiles) {
  for (const char* folder : {"a", "b", "c"}) std::filesystem::create_directory(folder_.path(folder));
  write("a/data", "1");
  write("b/data", "1");
  write("c/data", "2");
  const LearnedFile a = LearnedFile::of(folder_.path("a"));
  EXPECT_TRUE(a.begins(folder_.path("b")));
  EXPECT_FALSE(a.begins(folder_.path("c")));
  EXPECT_FALSE(a.begins(folder_.path("nowhere")));
  EXPECT_EQ(testing::failure([&] { LearnedFile::of(folder_.path("nowhere")); }),
            folder_.path("nowhere") + ": cannot read: No such file or directory");
}

}  // namespace
}  // namespace bellwether
