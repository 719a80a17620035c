// `bellwether report`: the page as a file, the figures, and what goes wrong. What the page shows is tested in a browser
// (web/tests).
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "support/results.h"

namespace bellwether {
namespace {

namespace fs = std::filesystem;

using testing::bellwether;
using testing::Finished;
using testing::has_page;
using testing::read_file;

class Report : public ::testing::Test {
 protected:
  Report() { testing::write_small_study(file_, 20); }

  std::vector<std::string> files_with(const std::string& ending) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
      if (entry.path().extension() == ending) names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  testing::TemporaryFolder folder_;
  std::string file_ = folder_.path("boyan.db");
  std::string page_ = folder_.path("report.html");
};

TEST_F(Report, IsOnePageThatHoldsTheStudy) {
  if (!has_page) GTEST_SKIP() << "built without Node.js";
  const Finished done = bellwether("report " + file_ + " -o " + page_);
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.err.find("wrote " + page_), 0U) << done.err;
  EXPECT_EQ(done.out, "");
  const std::string page = read_file(page_);
  const std::string before = R"(<script type="application/json" id="bellwether-data">)";
  const std::size_t begin = page.find(before);
  ASSERT_NE(begin, std::string::npos);
  const std::size_t end = page.find("</script>", begin);
  const auto data = nlohmann::json::parse(page.substr(begin + before.size(), end - begin - before.size()));
  ASSERT_EQ(data["studies"].size(), 1U);
  EXPECT_EQ(data["studies"][0]["name"], "boyan");
}

TEST_F(Report, NeedsNothingFromOutside) {
  if (!has_page) GTEST_SKIP() << "built without Node.js";
  ASSERT_EQ(bellwether("report " + file_ + " -o " + page_).code, 0);
  const std::string page = read_file(page_);
  for (const char* outside : {"rel=\"stylesheet\"", "<script src", "<img", "@import", "url(http", "href=\"http"}) {
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  }
}

TEST_F(Report, GoesToStandardOutputWhenAsked) {
  if (!has_page) GTEST_SKIP() << "built without Node.js";
  const Finished done = bellwether("report " + file_ + " -o -");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.err, "");
  EXPECT_NE(done.out.find("id=\"bellwether-data\""), std::string::npos);
}

TEST_F(Report, TakesStudiesFromSeveralFiles) {
  if (!has_page) GTEST_SKIP() << "built without Node.js";
  const std::string other = folder_.path("other.db");
  testing::write_small_study(other, 10);
  const Finished done = bellwether("report " + file_ + " " + other + " -o -");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_NE(done.out.find("\"file\":\"" + file_ + "\""), std::string::npos);
  EXPECT_NE(done.out.find("\"file\":\"" + other + "\""), std::string::npos);
}

TEST_F(Report, ReadsAFileThatIsNamedTwiceOnce) {
  if (!has_page) GTEST_SKIP() << "built without Node.js";
  fs::create_symlink(file_, folder_.path("link.db"));
  const Finished once = bellwether("report " + file_ + " -o -");
  const Finished twice = bellwether("report " + file_ + " " + file_ + " " + folder_.path("link.db") + " -o -");
  EXPECT_EQ(once.out, twice.out);
}

TEST_F(Report, WritesFiguresUnderNamesThatTellWhatTheyAre) {
  const Finished done = bellwether("report " + file_ + " --figures " + folder_.path("figures"));
  EXPECT_EQ(done.code, 0) << done.err;
  const auto names = files_with(".svg");
  ASSERT_FALSE(names.empty());
  for (const std::string& name : names) EXPECT_EQ(name.find("boyan-quick-"), 0U) << name;
  EXPECT_TRUE(files_with(".html").empty()) << "only figures were asked for";
  EXPECT_TRUE(files_with(".partial").empty());
}

TEST_F(Report, WritesPdfAndPngWhereAConverterIsFound) {
  if (std::system("command -v rsvg-convert > /dev/null") != 0) GTEST_SKIP() << "there is no rsvg-convert here";
  const Finished done = bellwether("report " + file_ + " --figures " + folder_.path("figures"));
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(files_with(".pdf").size(), files_with(".svg").size());
  EXPECT_EQ(files_with(".png").size(), files_with(".svg").size());
  EXPECT_EQ(read_file(folder_.path("figures/" + files_with(".pdf").at(0))).substr(0, 5), "%PDF-");
}

TEST_F(Report, OfAHostileStudyWritesFilesInItsFolderOnly) {
  {
    StoreWriter store(file_);
    StudyRecord study = testing::small_study(10);
    study.name = "../../<escape>";
    study.source = "[[figure]]\ntitle = \"../../../x; rm -rf $HOME\"\n";
    study.scale = "paper";
    const auto begun = store.begin(study, testing::small_settings());
    const BlockResult block = testing::small_block(begun.settings[0], 0, 0, 10);
    store.commit({&block, 1});
  }
  const Finished done = bellwether("report " + file_ + " --figures " + folder_.path("figures"));
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_TRUE(fs::exists(folder_.path("figures/escape-paper-x-rm-rf-home.svg"))) << done.err;
}

/// Exit code and the one line that says why.
void expect_refusal(const std::string& arguments, int code, const std::string& why) {
  const Finished done = bellwether(arguments);
  EXPECT_EQ(done.code, code) << arguments << "\n" << done.err;
  EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
  EXPECT_NE(done.err.find(why), std::string::npos) << done.err;
}

TEST_F(Report, OfAnythingButResultsIsRefusedAndNothingIsWritten) {
  const std::string text = folder_.path("text.db");
  std::ofstream(text) << "This is not a file of results.\n";
  const std::string empty = folder_.path("empty.db");
  StoreWriter(empty).close();
  const std::string begun = folder_.path("begun.db");
  StoreWriter(begun).begin(testing::small_study(), testing::small_settings());
  const std::string damaged = folder_.path("damaged.db");
  fs::copy_file(file_, damaged);
  {
    std::fstream file(damaged, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(4096);
    const std::string noise(static_cast<std::size_t>(fs::file_size(damaged)) - 4096, '\x5a');
    file << noise;
  }
  const std::string to = " -o " + page_;
  expect_refusal("report " + folder_.path("none.db") + to, 1, "none.db");
  expect_refusal("report " + folder_.path() + to, 2, folder_.path() + " is a directory");
  expect_refusal("report " + text + to, 2, "text.db");
  expect_refusal("report " + empty + to, 2, "empty.db holds no study yet");
  expect_refusal("report " + begun + to, 2, "begun.db has no finished run yet");
  expect_refusal("report " + damaged + to, 1, "damaged.db");
  expect_refusal("report " + file_ + " " + text + to, 2, "text.db");
  expect_refusal("report " + file_ + " --study boian" + to, 2, "there is no study 'boian'; did you mean 'boyan'?");
  expect_refusal("report " + file_ + " --curves som" + to, 2, "curves = 'som' is not one of all, best");
  EXPECT_FALSE(fs::exists(page_));
}

TEST_F(Report, NeverReplacesTheResults) {
  if (!has_page) GTEST_SKIP() << "built without Node.js";
  const std::string before = read_file(file_);
  expect_refusal("report " + file_ + " -o " + file_, 2, "is a file of results, or belongs to one");
  expect_refusal("report " + file_ + " -o ''", 2, "--out needs the name of a file");
  EXPECT_EQ(read_file(file_), before);
}

TEST_F(Report, ThatCannotBeWrittenSaysSo) {
  if (has_page) {
    expect_refusal("report " + file_ + " -o " + folder_.path("none/report.html"), 1, "none/report.html");
    expect_refusal("report " + file_ + " -o /dev/full", 1, "/dev/full");
  }
  expect_refusal("report " + file_ + " --figures " + file_, 1, file_);
}

TEST_F(Report, WithoutItsPageSaysHowToGetIt) {
  if (has_page) GTEST_SKIP() << "built with its page";
  expect_refusal("report " + file_, 2, "was built without its page");
}

}  // namespace
}  // namespace bellwether
