// Names of files are bytes, which need not be UTF-8; JSON is UTF-8. Nothing that was computed is lost for that.
#include <algorithm>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/learn_fixture.h"
#include "cli/program.h"

namespace bellwether::testing {
namespace {

class NamesOfAnyBytes : public Learn {};

TEST_F(NamesOfAnyBytes, AreThoseOfLogs) {
  const std::string log = write("l\xff.csv", walks), model = path("m\xff.bw");
  const json learned = summary(log + " -m " + model);
  EXPECT_EQ(learned["learned_from"], json::array({path("l\xef\xbf\xbd.csv")}));
  EXPECT_EQ(bellwether("predict " + model + " " + log).code, 0);
  if (has_page) {
    const Finished page = bellwether("learn " + log + " --report " + path("page.html"));
    EXPECT_EQ(page.code, 0) << page.err;
  }
}

TEST_F(NamesOfAnyBytes, AreThoseOfStudies) {
  const std::string study = write("s\xff.toml",
                                  "title = \"Two\"\n[domain]\nname = \"random_walk\"\nsize = 9\n[run]\nsteps = 200\n"
                                  "every = 100\nseeds = 2\nmetrics = [\"rmse\"]\n[[learner]]\nname = \"td\"\n"
                                  "alpha = [0.05, 0.1]\n"),
                    results = path("r\xff.db");
  const Finished swept = bellwether("sweep " + study + " --out " + results);
  ASSERT_EQ(swept.code, 0) << swept.err;
  const Finished shown = bellwether("results --json " + results);
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_EQ(json::parse(shown.out)[0]["study"], "s\xef\xbf\xbd");
}

/// A stream is lost where its model cannot be written in the end.
TEST_F(NamesOfAnyBytes, AreNotThoseOfColumns) {
  std::string text;
  for (int i = 0; i < 60; ++i) {
    text += "{\"s\xff\": " + std::to_string(i % 3) + ", \"reward\": 1, \"done\": " + (i % 3 == 2 ? "1" : "0") + "}\n";
  }
  const std::string log = write("log.jsonl", text), model = path("m.bw");
  const Finished refused = piped(log, "learn - --state 's\xff' -m " + model);
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
  EXPECT_NE(refused.err.find("there is no column"), std::string::npos) << refused.err;
  const Finished learned = piped(log, "learn - --state 's\xc3\xbf' --json -m " + model);
  ASSERT_EQ(learned.code, 0) << learned.err;
  EXPECT_TRUE(std::filesystem::exists(model));
  EXPECT_EQ(bellwether("predict " + model + " " + log).code, 0);
}

TEST_F(NamesOfAnyBytes, MayBeLinksThatLeadToThemselves) {
  const std::string loop = path("loop"), log = write("log.csv", walks);
  std::filesystem::create_symlink(loop, loop);
  const Finished done = bellwether("predict " + loop + " " + log);
  EXPECT_EQ(done.code, 1);
  EXPECT_EQ(done.err, "bellwether: cannot read " + loop + ": Too many levels of symbolic links\n");
  EXPECT_EQ(bellwether("sweep " + loop).err, "bellwether: " + loop + ": the study file cannot be opened\n");
}

}  // namespace
}  // namespace bellwether::testing
