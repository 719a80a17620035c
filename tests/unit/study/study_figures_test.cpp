#include <bellwether/study/figure.h>

#include <filesystem>

#include <gtest/gtest.h>

#include <bellwether/study/study.h>

#include "support/rejection.h"

namespace bellwether {
namespace {

const std::string study = R"toml(about = "Two learners"
[domain]
name = "boyan_chain"

[run]
metrics = ["relative", "rmse"]

[[learner]]
name = "td"
label = "TD"
alpha = [0.1, 0.2]
lambda = [0, 0.5]

[[learner]]
name = "lstd"
)toml";

TEST(StudyFigures, AreReadWithEveryKey) {
  const StudyText text = study_text(study + R"toml(
[[figure]]
title = "All of them"

[[figure]]
title    = "One of them"
shows    = "sensitivity"
learners = ["TD", "lstd"]
x        = "lambda"
panels   = "trace"
at       = {alpha = 0.2, trace = "accumulating"}
metric   = "rmse"
y        = "linear"
)toml",
                                    "paper");
  EXPECT_EQ(text.about, "Two learners");
  ASSERT_EQ(text.figures.size(), 2U);
  EXPECT_EQ(text.figures[0].title, "All of them");
  EXPECT_EQ(text.figures[0].shows, Shows::curves);
  EXPECT_EQ(text.figures[0].x, "steps");
  EXPECT_EQ(text.figures[0].y, Axis::log);
  const Figure& one = text.figures[1];
  EXPECT_EQ(one.shows, Shows::sensitivity);
  EXPECT_EQ(one.learners, (std::vector<std::string>{"TD", "lstd"}));
  EXPECT_EQ(one.x, "lambda");
  EXPECT_EQ(one.panels, "trace");
  EXPECT_EQ(one.at, (Settings{{"alpha", "0.2"}, {"trace", "accumulating"}}));
  EXPECT_EQ(one.metric, "rmse");
  EXPECT_EQ(one.y, Axis::linear);
}

TEST(StudyFigures, HaveTheUsualXOfWhatTheyShow) {
  const auto x_of = [](const std::string& shows) {
    return study_text("[[figure]]\ntitle = \"x\"\nshows = \"" + shows + "\"", "paper").figures.at(0).x;
  };
  EXPECT_EQ(x_of("curves"), "steps");
  EXPECT_EQ(x_of("sensitivity"), "own");
  EXPECT_EQ(x_of("cost"), "time");
}

TEST(StudyFigures, OfATextThatCannotBeReadAreNone) {
  EXPECT_TRUE(study_text("= nonsense", "paper").figures.empty());
  EXPECT_TRUE(study_text("[[figure]]\ntitel = \"x\"", "paper").figures.empty());
  EXPECT_TRUE(study_text("[[figure]]\ntitle = \"x\"", "another scale").figures.empty());
}

TEST(StudyFigures, AreNoPartOfWhatIsRun) {
  const std::string with = study + "\n[[figure]]\ntitle = \"x\"\n";
  EXPECT_EQ(parse_study(study, "s.toml").protocol(), parse_study(with, "s.toml").protocol());
  EXPECT_EQ(parse_study(study, "s.toml").settings.size(), parse_study(with, "s.toml").settings.size());
}

TEST(StudyFigures, ThatNameWhatTheStudyLacksAreRefusedWithFileAndLine) {
  const std::vector<std::pair<std::string, std::string>> mistakes{
      {"shows = \"curves\"", "17: a [[figure]] has no title"},
      {"title = \"x\"\ncolour = \"red\"", "19: there is no key 'colour' (known: title, shows, "},
      {"title = \"x\"\nshows = \"curve\"", "19: figure: shows = 'curve' is not one of curves, sensitivity, cost"},
      {"title = \"x\"\nlearners = [\"TDD\"]", "19: there is no learner 'TDD'; did you mean 'TD'? (known: TD, lstd)"},
      {"title = \"x\"\nlearners = \"TD\"", "19: figure: learners is a list of texts"},
      {"title = \"x\"\nx = \"lambda\"", "19: there is no x 'lambda' (known: steps, time)"},
      {"title = \"x\"\nshows = \"sensitivity\"\nx = \"rank\"", "20: there is no x 'rank' (known: alpha, "},
      {"title = \"x\"\nshows = \"cost\"\nx = \"steps\"", "20: there is no x 'steps' (known: time, memory)"},
      {"title = \"x\"\npanels = \"n1\"", "19: there is no parameter 'n1'; did you mean 'n0'?"},
      {"title = \"x\"\nlearners = [\"lstd\"]\npanels = \"alpha\"", "20: there is no parameter 'alpha'"},
      {"title = \"x\"\nat = {lambda = 0.7}", "19: figure: no setting has lambda = 0.7"},
      {"title = \"x\"\nat = 0.7", "19: figure: at is a table of parameters"},
      {"title = \"x\"\nmetric = \"msbe\"",
       "19: there is no metric 'msbe'; did you mean 'rmse'? (known: relative, rmse)"},
      {"title = \"x\"\ny = \"logg\"", "19: figure: y = 'logg' is not one of log, linear; did you mean 'log'?"}};
  for (const auto& [figure, message] : mistakes) {
    const std::string said = testing::rejection([&] { parse_study(study + "\n[[figure]]\n" + figure, "s.toml"); });
    EXPECT_TRUE(said.starts_with("s.toml:" + message)) << figure << "\n" << said;
  }
  EXPECT_EQ(testing::rejection([&] { parse_study(study + "figure = 3", "s.toml"); }).substr(0, 6), "s.toml");
}

TEST(StudyFigures, OfTheShippedStudiesAreAll) {
  for (const auto& entry : std::filesystem::directory_iterator(BELLWETHER_SOURCE_DIR "/studies")) {
    EXPECT_NO_THROW(read_study(entry.path())) << entry.path();
  }
}

}  // namespace
}  // namespace bellwether
