// Completion and the manual page, which are made from the declarations of the command line.
#include <algorithm>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/process.h"
#include "cli/program.h"

namespace bellwether::testing {
namespace {

using Words = std::vector<std::string>;

bool installed(const std::string& program) {
  return Process({"/bin/sh", "-c", "command -v " + program}).finish().code == 0;
}

Words lines_of(const std::string& text) {
  Words all;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  std::sort(all.begin(), all.end());
  return all;
}

bool has(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Words names_of(const char* kind) {
  Words names;
  const auto all = nlohmann::json::parse(bellwether("list --json").out);
  for (const auto& entry : all[kind]) names.push_back(entry["name"]);
  std::sort(names.begin(), names.end());
  return names;
}

class Completion : public ::testing::Test {
 protected:
  std::string script(const std::string& shell) const {
    const std::string file = folder_.path("completion." + shell);
    EXPECT_EQ(bellwether("completion " + shell, file).code, 0);
    return file;
  }

  /// What bash offers for the last of these words.
  Words bash(const Words& words) const {
    std::string list;
    for (const std::string& word : words) list += " '" + word + "'";
    const Finished done =
        Process({"/bin/bash", "-c",
                 "cd " + folder_.path() + " && source " + script("bash") + " && COMP_WORDS=(bellwether" + list +
                     ") COMP_CWORD=" + std::to_string(words.size()) +
                     " && _bellwether && printf '%s\\n' \"${COMPREPLY[@]}\""})
            .finish();
    EXPECT_EQ(done.err, "");
    Words found = lines_of(done.out);
    std::erase(found, "");
    return found;
  }

  TemporaryFolder folder_;
};

TEST_F(Completion, OfBashKnowsCommandsOptionsAndNames) {
  EXPECT_EQ(bash({"lea"}), Words{"learn"});
  EXPECT_EQ(bash({"re"}), (Words{"reference", "report", "reproduce", "results"}));
  EXPECT_EQ(bash({"learn", "--disc"}), Words{"--discount"});
  EXPECT_TRUE(has(bash({"predict", "-"}), "--keep"));
  EXPECT_EQ(bash({"run", "--learner", ""}), names_of("learners"));
  EXPECT_EQ(bash({"simulate", ""}), names_of("domains"));
  EXPECT_EQ(bash({"learn", "--features", ""}), names_of("features"));
  EXPECT_EQ(bash({"run", "--learner", "="}), names_of("learners")) << "--learner=";
  EXPECT_EQ(bash({"run", "--domain", "=", "boy"}), Words{"boyan_chain"}) << "--domain=boy";
  EXPECT_TRUE(has(bash({"reproduce", ""}), "boyan"));
  EXPECT_TRUE(has(bash({"help", "tile"}), "tile_coding"));
  EXPECT_EQ(bash({"report", "--curves", ""}), (Words{"all", "best"})) << "values that a parameter lists";
  EXPECT_EQ(bash({"completion", ""}), (Words{"bash", "fish", "zsh"}));
}

TEST_F(Completion, OfBashOffersFilesAlsoWithSpacesWhereFilesAreWanted) {
  bellwether("simulate boyan_chain --steps 10", "'" + folder_.path("a log.csv") + "'");
  script("bash");
  EXPECT_EQ(bash({"learn", "a"}), Words{"a log.csv"});
  EXPECT_EQ(bash({"learn", "--model", "a"}), Words{"a log.csv"});
  EXPECT_EQ(bash({"learn", "--seed", "a"}), Words{});
}

TEST_F(Completion, OfFishKnowsCommandsOptionsAndNames) {
  if (!installed("fish")) GTEST_SKIP() << "there is no fish here";
  const auto offered = [&](const std::string& line) {
    const Finished done =
        Process({"fish", "--no-config", "-c", "source " + script("fish") + "; complete -C '" + line + "'"}).finish();
    Words words;
    for (const std::string& found : lines_of(done.out)) words.push_back(found.substr(0, found.find('\t')));
    return words;
  };
  EXPECT_TRUE(has(offered("bellwether lea"), "learn"));
  EXPECT_TRUE(has(offered("bellwether learn --disc"), "--discount"));
  EXPECT_EQ(offered("bellwether run --learner "), names_of("learners"));
  EXPECT_EQ(offered("bellwether simulate "), names_of("domains"));
}

TEST_F(Completion, OfZshIsAccepted) {
  if (!installed("zsh")) GTEST_SKIP() << "there is no zsh here";
  const Finished done = Process({"zsh", "-f", "-c",
                                 "autoload -U compinit && compinit -D && source " + script("zsh") +
                                     " && print -r -- $_comps[bellwether] && functions _bellwether"})
                            .finish();
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.err, "");
  EXPECT_EQ(done.out.find("_bellwether\n"), 0U);
  EXPECT_NE(done.out.find("*--discount["), std::string::npos);
}

TEST_F(Completion, OfAnotherShellIsRefused) {
  const Finished done = bellwether("completion bsh");
  EXPECT_EQ(done.code, 2);
  EXPECT_NE(done.err.find("there is no shell 'bsh'; did you mean 'bash'?"), std::string::npos) << done.err;
}

TEST(ManPage, HasEveryCommandAndOption) {
  const Finished page = bellwether("man");
  ASSERT_EQ(page.code, 0) << page.err;
  std::string plain;
  for (std::size_t i = 0; i < page.out.size(); ++i) {
    if (page.out.compare(i, 2, "\\-") == 0) ++i;
    plain += page.out[i];
  }
  for (const char* verb : {"demo", "run", "sweep", "reproduce", "results", "report", "export", "learn", "predict",
                           "inspect", "merge", "simulate", "list", "help", "reference", "man", "completion"}) {
    EXPECT_NE(plain.find(std::string(".SS ") + verb + "\n"), std::string::npos) << verb;
    std::istringstream help(bellwether(std::string("help ") + verb).out);
    for (std::string word; help >> word;) {
      if (!word.starts_with("--") || word.size() < 4 || word[2] == '-') continue;
      word = word.substr(0, word.find(','));
      word.erase(word.find_last_not_of(".;:)") + 1);
      EXPECT_NE(plain.find(word), std::string::npos) << verb << ' ' << word;
    }
  }
}

TEST(ManPage, IsWellFormed) {
  const TemporaryFolder folder;
  const std::string page = folder.path("bellwether.1");
  ASSERT_EQ(bellwether("man", page).code, 0);
  if (!installed("mandoc") && !installed("groff")) GTEST_SKIP() << "there is neither mandoc nor groff here";
  if (installed("mandoc")) {
    const Finished done = Process({"mandoc", "-T", "lint", "-W", "warning", page}).finish();
    EXPECT_EQ(lines_of(done.out).size(), 1U) << done.out;
    EXPECT_NE(done.out.find("missing date"), std::string::npos) << "it has none, so that builds are the same";
  }
  if (installed("groff")) {
    const Finished done = Process({"groff", "-man", "-Tascii", "-ww", "-z", page}).finish();
    EXPECT_EQ(done.err, "");
  }
}

TEST(Help, TeachesFeatures) {
  const Finished done = bellwether("help features");
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_NE(done.out.find("own + noise(count=100 active=50)"), std::string::npos);
  for (const std::string& name : names_of("features")) EXPECT_NE(done.out.find(name), std::string::npos) << name;
}

TEST(Help, FormulasThatItTeachesWork) {
  const std::string run =
      "run --domain mountain_car --learner td --steps 20 --every 20 --runs 2 --states 10 --rollouts 2 --features ";
  for (const char* formula :
       {"tile_coding", "'tile_coding(tilings=8 tiles=10x5)'", "'tile_coding(tilings=8) + bias'",
        "'own + noise(count=100 active=50)'", "'tile_coding(groups=1,2) + fourier(order=3)'",
        "tile_coding+noise --set features.tile_coding.tilings=16 --set features.noise.redraw=episode"}) {
    const Finished done = bellwether(run + formula);
    EXPECT_EQ(done.code, 0) << formula << ": " << done.err;
  }
}

}  // namespace
}  // namespace bellwether::testing
