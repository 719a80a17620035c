// Studies on several domains: [[domain]].
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <bellwether/study/study.h>

#include "support/rejection.h"

namespace bellwether {
namespace {

/// A study of three domains, one of which has features of its own, at three scales.
const std::string three_domains = R"toml(features = ["own", "tabular"]

[[domain]]
name = "random_walk"
size = [5, 7]

[[domain]]
name = "mountain_car"
feature_map = "own + noise(count=4 active=2)"

[[domain]]
name     = "garnet"
features = "tabular"
states   = 10

[[learner]]
name  = "td"
alpha = [0.1, 0.2]

[scale.quick.run]
seeds = 4

[[scale.one.domain]]
name = "baird"

[[scale.noisy.domain]]
name = "mountain_car"
feature_map = ["own", "own + noise(count=4 active=2 redraw=step)", "own + noise(count=4 active=2 redraw=episode)"]
)toml";

Study read_domains(const std::string& text, std::string_view scale = {}) {
  return parse_study(text, "several.toml", scale);
}

std::string refusal_of(const std::string& text) {
  return testing::rejection([&] { read_domains(text + "\n[[learner]]\nname = \"td\"\n"); });
}

using Case = std::tuple<std::string, Settings, std::string>;

std::vector<Case> cases_of(const Study& study) {
  std::vector<Case> all;
  for (const StudyCase& c : study.cases) all.emplace_back(c.domain, c.domain_settings, c.features);
  return all;
}

TEST(StudyOfSeveralDomains, HasTheCasesOfEachInTheirOrder) {
  const Study study = read_domains(three_domains);
  const Settings ten{{"features", "tabular"}, {"states", "10"}};
  EXPECT_EQ(cases_of(study), (std::vector<Case>{{"random_walk", {{"size", "5"}}, "own"},
                                                {"random_walk", {{"size", "5"}}, "tabular"},
                                                {"random_walk", {{"size", "7"}}, "own"},
                                                {"random_walk", {{"size", "7"}}, "tabular"},
                                                {"mountain_car", {}, "own + noise(count=4 active=2)"},
                                                {"garnet", ten, "own"},
                                                {"garnet", ten, "tabular"}}));
}

TEST(StudyOfSeveralDomains, RunsEveryLearnerOnEveryCase) {
  const Study study = read_domains(three_domains);
  ASSERT_EQ(study.settings.size(), 7U * 2);
  for (std::size_t i = 0; i < study.settings.size(); ++i) EXPECT_EQ(study.settings[i].case_index, i / 2);
}

TEST(StudyOfSeveralDomains, KeepsThemAtAScaleThatNamesNone) {
  EXPECT_EQ(cases_of(read_domains(three_domains, "quick")), cases_of(read_domains(three_domains)));
}

TEST(StudyOfSeveralDomains, HasThoseOfItsScaleInstead) {
  EXPECT_EQ(cases_of(read_domains(three_domains, "one")),
            (std::vector<Case>{{"baird", {}, "own"}, {"baird", {}, "tabular"}}));
  const Study noisy = read_domains(three_domains, "noisy");
  ASSERT_EQ(noisy.cases.size(), 3U);
  EXPECT_EQ(noisy.cases[2].features, "own + noise(count=4 active=2 redraw=episode)");
}

TEST(StudyOfSeveralDomains, MayBecomeOneOrManyAtAScale) {
  const std::string one = "[domain]\nname = \"boyan_chain\"\n[[learner]]\nname = \"td\"\n";
  const Study many = read_domains(
      one + "[[scale.many.domain]]\nname = \"baird\"\n[[scale.many.domain]]\nname = \"collision\"", "many");
  EXPECT_EQ(cases_of(many), (std::vector<Case>{{"baird", {}, ""}, {"collision", {}, ""}}));
}

TEST(StudyOfSeveralDomains, RunsNoLearnerThatADomainIsToBeWithout) {
  const Study study = read_domains(
      "[[domain]]\nname = \"boyan_chain\"\nsize = [12, 16]\nwithout = [\"least squares\", \"etd\"]\n"
      "[[domain]]\nname = \"baird\"\n"
      "[[learner]]\nname = \"td\"\n[[learner]]\nname = \"lstd\"\nlabel = \"least squares\"\nlambda = [0, 1]\n"
      "[[learner]]\nname = \"etd\"\n");
  std::vector<std::pair<std::size_t, std::string>> ran;
  for (const StudySetting& setting : study.settings) ran.emplace_back(setting.case_index, setting.label);
  EXPECT_EQ(ran, (std::vector<std::pair<std::size_t, std::string>>{
                     {0, "td"}, {1, "td"}, {2, "td"}, {2, "least squares"}, {2, "least squares"}, {2, "etd"}}));
}

TEST(StudyOfOneDomain, MayHaveFeaturesInItsTableToo) {
  const Study study = read_domains(
      "[domain]\nname = \"random_walk\"\nfeature_map = [\"own\", \"tabular\"]\n[[learner]]\nname = \"td\"");
  EXPECT_EQ(cases_of(study), (std::vector<Case>{{"random_walk", {}, "own"}, {"random_walk", {}, "tabular"}}));
}

TEST(StudyOfSeveralDomains, HasAProtocolThatLetsDomainsBeAdded) {
  const std::string two = "[[domain]]\nname = \"baird\"\n[[domain]]\nname = \"collision\"\n";
  const std::string learner = "[[learner]]\nname = \"td\"\n";
  const std::string three = two + "[[domain]]\nname = \"boyan_chain\"\n";
  EXPECT_EQ(read_domains(two + learner).protocol(), read_domains(three + learner).protocol());
  EXPECT_EQ(read_domains(two + learner).protocol().front(), (std::pair<std::string, std::string>{"domain", "several"}));
  const std::string one = "[[domain]]\nname = \"baird\"\n" + learner;
  EXPECT_EQ(read_domains(one).protocol().front(), (std::pair<std::string, std::string>{"domain", "baird"}));
}

TEST(StudyOfSeveralDomains, SaysInWhichLineWhatIsWrong) {
  const auto expect = [](const std::string& text, const std::string& message) {
    const std::string said = refusal_of(text);
    EXPECT_TRUE(said.starts_with("several.toml:" + message)) << said << "\n  expected " << message;
  };
  const std::string first = "[[domain]]\nname = \"baird\"\n\n";  // what follows begins in line 4
  expect(first + "[[domain]]\nsize = 3", "4: a [[domain]] has no name");
  expect(first + "[[domain]]\nname = \"boyan\"", "5: there is no domain 'boyan'; did you mean 'boyan_chain'?");
  expect(first + "[[domain]]\nname = \"boyan_chain\"\nsiz = 8",
         "6: boyan_chain has no parameter 'siz'; did you mean 'size'?");
  expect(first + "[[domain]]\nname = \"boyan_chain\"\nfeatures = \"tabular\"",
         "6: boyan_chain has no parameter 'features' (known: size, feature_map, without)");
  expect(first + "[[domain]]\nname = \"boyan_chain\"\nfeature_map = \"tabulr\"",
         "6: there is no feature map 'tabulr'; did you mean 'tabular'?");
  expect(first + "[[domain]]\nname = \"boyan_chain\"\nfeature_map = [\"own\",\n\"own\"]",
         "7: boyan_chain: feature_map is own twice");
  expect(first + "[[domain]]\nname = \"baird\"\nfeature_map = \"own\"", "5: baird with its own features comes twice");
  expect(
      "[[domain]]\nname = \"boyan_chain\"\nfeature_map = \"tabular\"\n\n"
      "[[domain]]\nname = \"boyan_chain\"\nsize = [8, 12]\nfeature_map = \"tabular\"",
      "6: boyan_chain (size=12) with features tabular comes twice");
  expect(first + "[[domain]]\nname = \"collision\"\nwithout = \"tdd\"",
         "6: there is no learner 'tdd'; did you mean 'td'? (known: td)");
  expect("domain = [\n  {name = \"baird\"},\n  3,\n]", "3: domains are a list of tables: [[domain]]");
  expect("domain = []", "1: the domain is missing: [domain] with name = \"...\"");
  expect(first + "[scale.quick.domain]\nname = \"baird\"",
         "4: the study has a list of domains, which a scale replaces as a whole: [[scale.quick.domain]]");
}

}  // namespace
}  // namespace bellwether
