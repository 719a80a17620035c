#include <bellwether/experiment/truth/value_cache.h>

#include <fstream>
#include <iterator>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace bellwether {
namespace {

namespace fs = std::filesystem;

const std::string key = "everything that determines the values\n";
const std::vector<double> numbers{1.5, -2, 0, 1e300};

class Cache : public ::testing::Test {
 protected:
  std::string content() const {
    std::ifstream file(cache_.file_of(key), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void overwrite(const std::string& bytes) const {
    std::ofstream(cache_.file_of(key), std::ios::binary | std::ios::trunc) << bytes;
  }

  testing::TemporaryFolder folder_;
  ValueCache cache_{folder_.path("made/when needed")};
};

TEST_F(Cache, GivesBackWhatItKept) {
  EXPECT_FALSE(cache_.find(key, 4).has_value());
  cache_.keep(key, numbers);
  EXPECT_EQ(cache_.find(key, 4), numbers);
  EXPECT_EQ(std::distance(fs::directory_iterator(cache_.file_of(key).parent_path()), {}), 1) << "nothing is left over";
}

TEST_F(Cache, TellsKeysAndCountsApart) {
  cache_.keep(key, numbers);
  EXPECT_FALSE(cache_.find(key + "!", 4).has_value());
  EXPECT_FALSE(cache_.find(key, 3).has_value());
  fs::copy_file(cache_.file_of(key), cache_.file_of("other key of the same length"));
  EXPECT_FALSE(cache_.find("other key of the same length", 4).has_value());
}

TEST_F(Cache, DetectsEveryDamagedByteAndEveryLostEnd) {
  cache_.keep(key, numbers);
  const std::string whole = content();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    overwrite(damaged);
    EXPECT_FALSE(cache_.find(key, 4).has_value()) << "byte " << i;
    overwrite(whole.substr(0, i));
    EXPECT_FALSE(cache_.find(key, 4).has_value()) << "cut at " << i;
  }
  overwrite(whole + "x");
  EXPECT_FALSE(cache_.find(key, 4).has_value());
  fs::resize_file(cache_.file_of(key), std::uintmax_t{1} << 40U);
  EXPECT_FALSE(cache_.find(key, 4).has_value()) << "and is not read: it does not fit into memory";
  cache_.keep(key, numbers);
  EXPECT_EQ(cache_.find(key, 4), numbers);
}

TEST_F(Cache, BelievesNeitherLinksNorPipesNorFilesOfOthers) {
  cache_.keep(key, numbers);
  const fs::path file = cache_.file_of(key);
  const fs::path elsewhere = folder_.path("elsewhere");
  fs::rename(file, elsewhere);
  fs::create_symlink(elsewhere, file);
  EXPECT_FALSE(cache_.find(key, 4).has_value());
  fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  EXPECT_FALSE(cache_.find(key, 4).has_value()) << "and does not wait";
  fs::rename(elsewhere, file);
  EXPECT_EQ(cache_.find(key, 4), numbers);
  if (geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  ASSERT_EQ(chown(file.c_str(), 1234, 1234), 0);
  EXPECT_FALSE(cache_.find(key, 4).has_value());
}

TEST_F(Cache, WritesNeitherThroughLinksNorToPipes) {
  const fs::path file = cache_.file_of(key);
  const fs::path elsewhere = folder_.path("elsewhere");
  fs::create_directories(file.parent_path());
  std::ofstream(elsewhere) << "precious";
  fs::create_symlink(elsewhere, file);
  cache_.keep(key, numbers);
  EXPECT_EQ(fs::file_size(elsewhere), 8U);
  fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  cache_.keep(key, numbers);
  EXPECT_TRUE(fs::is_fifo(file)) << "and does not wait for a reader";
}

TEST_F(Cache, MayForget) {
  const ValueCache nowhere("");
  nowhere.keep(key, numbers);
  EXPECT_FALSE(nowhere.find(key, 4).has_value());

  const fs::path file = folder_.path("a file");
  std::ofstream(file) << "in the way";
  const ValueCache blocked(file);
  blocked.keep(key, numbers);
  EXPECT_FALSE(blocked.find(key, 4).has_value());
}

}  // namespace
}  // namespace bellwether
