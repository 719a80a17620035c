#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/drawn_results.h"

namespace bellwether {
namespace {

using namespace testing;

TEST(Figures, AreThoseOfTheStudyOrTheThreeUsualOnes) {
  const std::string source = "[[figure]]\ntitle = \"Mine\"\nshows = \"cost\"\nx = \"memory\"\n[scale.quick]\n";
  const Results asked({{"A", "td", td("0.1"), 0.5}}, source);
  ASSERT_EQ(figures_of(*asked).size(), 1U);
  EXPECT_EQ(figures_of(*asked)[0].title, "Mine");
  const Results not_asked({{"A", "td", td("0.1"), 0.5}});
  const auto usual = figures_of(*not_asked);
  ASSERT_EQ(usual.size(), 3U);
  EXPECT_EQ(usual[0].shows, Shows::curves);
  EXPECT_EQ(usual[1].shows, Shows::sensitivity);
  EXPECT_EQ(usual[2].shows, Shows::cost);
  for (const Figure& figure : usual) EXPECT_FALSE(figure.title.empty()) << "by which files are named";
}

TEST(Figures, ThereAreNoneOfNothing) {
  const Results diverged({{"A", "td", td("0.1"), 0.5, seeds}, {"A", "td", td("0.2"), 0.5, seeds}});
  for (const Figure& figure : figures_of(*diverged)) EXPECT_EQ(diverged.text(figure), "") << figure.title;
  const Results unmeasured({{"A", "td", td("0.1"), 0.5, 0, {}, {}}});
  EXPECT_EQ(unmeasured.text(figure_of(Shows::cost)), "");
  EXPECT_EQ(unmeasured.text(figure_of(Shows::curves, "time")), "");
  EXPECT_EQ(unmeasured.text(figure_of(Shows::sensitivity, "lambda")), "") << "of which there is one value";
  EXPECT_NE(unmeasured.text(figure_of(Shows::curves)), "");
  Figure other_metric = figure_of(Shows::curves);
  other_metric.metric = "msbe";
  EXPECT_EQ(unmeasured.text(other_metric), "");
  Figure nobody = figure_of(Shows::curves);
  nobody.learners = {"B"};
  EXPECT_EQ(unmeasured.text(nobody), "");
}

TEST(Figures, ThereAreNoneBeforeTheFirstRun) {
  const testing::TemporaryFolder folder;
  {
    StoreWriter store(folder.path("a.db"));
    store.begin(testing::small_study(), testing::small_settings());
    store.close();
  }
  const StoreReader reader(folder.path("a.db"));
  const auto results = study_results(reader, reader.studies().at(0));
  for (const Figure& figure : figures_of(results)) EXPECT_EQ(draw(reader, results, 0, figure), "");
}

TEST(Figures, AreWellFormedWhateverLabelsHold) {
  const std::string evil = "</text><script>alert(1)</script>&\x02";
  const Results results(
      {{evil, "td", td("0.1"), 0.5}, {evil, "td", td("0.2"), 0.5, 1}, {"b", "etd", {}, 3, 0, 1, 1, 1e9}});
  for (Figure figure : figures_of(*results)) {
    figure.title = evil;
    const auto svg = results.drawn(figure);
    EXPECT_TRUE(testing::of_name(svg, "script").empty());
    EXPECT_EQ(legend_of(svg).at(0), "</text><script>alert(1)</script>&\xef\xbf\xbd");
  }
}

TEST(Figures, SayWhichStudyTheyAreOf) {
  const Results results({{"A", "td", td("0.1"), 0.5}});
  const auto svg = results.drawn(figure_of(Shows::curves));
  for (const char* words : {"Title", "Boyan's chain", "quick", "boyan_chain (size=13), its own features", "4 runs"}) {
    EXPECT_TRUE(says(svg, words)) << words;
  }
}

}  // namespace
}  // namespace bellwether
