#include <bellwether/study/study.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>

#include "support/rejection.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

/// A study that uses every part of the format.
const std::string whole_study = R"toml(title = "A walk"
about = "What it is about"
features = ["own", "tabular"]

[constants]
alphas = "0.1 * 2^j, j = -1..1"
small  = "alphas / 10"
half   = 0.5

[domain]
name = "random_walk"
size = [5, 7]
left = -1

[evaluation]
weights = "visits"
bellman_lambda = "half"

[run]
steps = 400
every = 100
seeds = 12
seed = 3
curves = true
metrics = ["rmse", "msbe"]

[[learner]]
name = "td"
label = "TD(lambda)"
lambda = [0, "half"]
alpha = "alphas"

[[learner]]
name = "true_online_td"
alpha = "small"

[scale.quick.constants]
alphas = 0.25

[scale.quick.run]
seeds = 4

[scale.tiny]
features = "tabular"

[scale.tiny.domain]
size = 5

[scale.tiny.evaluation]
weights = "uniform"

[[scale.tiny.learner]]
name = "lstd"
)toml";

Study parsed(const std::string& text, std::string_view scale = {}) { return parse_study(text, "walk.toml", scale); }

std::string mistake_in(const std::string& text, std::string_view scale = {}) {
  return testing::rejection([&] { parsed(text, scale); });
}

/// The least that makes a study; what is added begins in line 6.
std::string study_with(const std::string& more) {
  return fmt::format("[domain]\nname = \"boyan_chain\"\n[[learner]]\nname = \"td\"\n\n{}", more);
}

std::string parameter(const StudySetting& setting, const std::string& name) {
  for (const auto& [key, value] : setting.parameters) {
    if (key == name) return value;
  }
  return "none";
}

TEST(Study, IsReadInFull) {
  const Study study = parsed(whole_study);
  EXPECT_EQ(study.name, "walk");
  EXPECT_EQ(study.title, "A walk");
  EXPECT_EQ(study.about, "What it is about");
  EXPECT_EQ(study.scale, "paper");
  EXPECT_EQ(study.source, whole_study);
  EXPECT_EQ(study.run.steps, 400);
  EXPECT_EQ(study.run.every, 100);
  EXPECT_EQ(study.run.seeds, 12);
  EXPECT_EQ(study.run.seed, 3);
  EXPECT_TRUE(study.run.curves);
  EXPECT_EQ(study.metrics, (std::vector{Metric::rmse, Metric::msbe}));
  EXPECT_EQ(study.evaluation.weights, StateWeights::visits);
  EXPECT_EQ(study.bellman.bellman_lambda, 0.5);
  EXPECT_EQ(study.settings.size(), 4U * (2 * 3 + 3));
  EXPECT_EQ(study.runs(), 36U * 12);
}

TEST(Study, HasDefaultsForAllButItsDomainAndItsLearners) {
  const Study study = parsed(study_with(""));
  EXPECT_EQ(study.title, "walk") << "the name of the file";
  EXPECT_EQ(study.run.steps, StudyParams{}.steps);
  EXPECT_EQ(study.run.seeds, StudyParams{}.seeds);
  EXPECT_TRUE(study.metrics.empty());
  ASSERT_EQ(study.cases.size(), 1U);
  EXPECT_EQ(study.cases[0].features, "");
  ASSERT_EQ(study.settings.size(), 1U);
  EXPECT_EQ(study.settings[0].label, "td") << "the name of the learner";
  EXPECT_EQ(parameter(study.settings[0], "alpha"), "0.1") << "parameters are resolved";
}

TEST(Study, HasACaseForEveryCombinationOfDomainAndFeatures) {
  const Study study = parsed(whole_study);
  ASSERT_EQ(study.cases.size(), 4U);
  const std::vector<std::pair<std::string, std::string>> expected{
      {"5", "own"}, {"5", "tabular"}, {"7", "own"}, {"7", "tabular"}};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(study.cases[i].domain, "random_walk");
    EXPECT_EQ(study.cases[i].domain_settings, (Settings{{"size", expected[i].first}, {"left", "-1"}}))
        << "as given, in the order of the file";
    EXPECT_EQ(study.cases[i].features, expected[i].second);
  }
}

TEST(Study, SweepsListsInEveryCombinationTheLastFastest) {
  const Study study = parsed(whole_study);
  std::vector<std::string> seen;
  for (std::size_t i = 0; i < 9; ++i) {
    const StudySetting& setting = study.settings[i];
    EXPECT_EQ(setting.case_index, 0U);
    seen.push_back(fmt::format("{} {} {}", setting.label, parameter(setting, "lambda"), parameter(setting, "alpha")));
  }
  const std::string rest = parameter(study.settings[8], "lambda");
  EXPECT_EQ(seen, (std::vector<std::string>{
                      "TD(lambda) 0 0.05", "TD(lambda) 0 0.1", "TD(lambda) 0 0.2", "TD(lambda) 0.5 0.05",
                      "TD(lambda) 0.5 0.1", "TD(lambda) 0.5 0.2", fmt::format("true_online_td {} 0.005", rest),
                      fmt::format("true_online_td {} 0.01", rest), fmt::format("true_online_td {} 0.02", rest)}));
}

TEST(Study, HasTheSameSettingsInTheSameOrderOnEveryCase) {
  const Study study = parsed(whole_study);
  ASSERT_EQ(study.settings.size(), 36U);
  for (std::size_t i = 0; i < study.settings.size(); ++i) {
    EXPECT_EQ(study.settings[i].case_index, i / 9);
    EXPECT_EQ(study.settings[i].label, study.settings[i % 9].label);
    EXPECT_EQ(study.settings[i].parameters, study.settings[i % 9].parameters);
  }
}

TEST(Study, KeepsTheOrderOfParametersOnOneLine) {
  const Study study =
      parsed("learner = [{name = \"td\", lambda = [0, 1], alpha = [0.1, 0.2]}]\ndomain = {name = \"boyan_chain\"}");
  ASSERT_EQ(study.settings.size(), 4U);
  EXPECT_EQ(parameter(study.settings[1], "lambda"), "0");
  EXPECT_EQ(parameter(study.settings[1], "alpha"), "0.2");
}

TEST(Study, TakesParametersOfEveryType) {
  const Study study = parsed(
      "[domain]\nname = \"garnet\"\nfeatures = \"binary\"\ndim = 6.0\nones = \"4 / 2\"\n"
      "[[learner]]\nname = \"lstd\"\n[[learner]]\nname = \"td\"\ntrace = [\"accumulating\", \"replacing\"]\n"
      "n0 = 1e6\nschedule = \"boyan\"");
  EXPECT_EQ(study.cases[0].domain_settings, (Settings{{"features", "binary"}, {"dim", "6"}, {"ones", "2"}}));
  ASSERT_EQ(study.settings.size(), 3U);
  EXPECT_EQ(parameter(study.settings[2], "trace"), "replacing");
  EXPECT_EQ(parameter(study.settings[2], "n0"), "1000000");
}

TEST(Study, AtAScaleHasItsKeysInsteadOfTheFiles) {
  const Study quick = parsed(whole_study, "quick");
  EXPECT_EQ(quick.scale, "quick");
  EXPECT_EQ(quick.run.seeds, 4);
  EXPECT_EQ(quick.run.steps, 400) << "which it does not mention";
  EXPECT_EQ(quick.settings.size(), 4U * (2 + 1));
  EXPECT_EQ(parameter(quick.settings[0], "alpha"), "0.25");
  EXPECT_EQ(parameter(quick.settings[2], "alpha"), "0.025") << "what is made from a replaced constant follows it";
  EXPECT_EQ(parsed(whole_study, "paper").run.seeds, 12);
}

TEST(Study, AtAScaleMayHaveOtherDomainsFeaturesEvaluationAndLearners) {
  const Study tiny = parsed(whole_study, "tiny");
  ASSERT_EQ(tiny.cases.size(), 1U);
  EXPECT_EQ(tiny.cases[0].features, "tabular");
  EXPECT_EQ(tiny.cases[0].domain_settings, (Settings{{"size", "5"}, {"left", "-1"}}));
  EXPECT_EQ(tiny.evaluation.weights, StateWeights::uniform);
  EXPECT_EQ(tiny.bellman.bellman_lambda, 0.5);
  ASSERT_EQ(tiny.settings.size(), 1U);
  EXPECT_EQ(tiny.settings[0].learner, "lstd");
}

TEST(Study, HasAProtocolThatChangesWithWhateverChangesResults) {
  const Settings protocol = parsed(whole_study).protocol();
  EXPECT_EQ(parsed(whole_study, "quick").protocol(), protocol) << "seeds and settings may be added";
  for (const char* other : {"steps = 400", "every = 100", "seed = 3", "weights = \"visits\"", "[\"rmse\", \"msbe\"]",
                            "bellman_lambda = \"half\""}) {
    std::string text = whole_study;
    const std::string replacement = std::string(other).starts_with("[")         ? "[\"msbe\", \"rmse\"]"
                                    : std::string(other).starts_with("weights") ? "weights = \"uniform\""
                                    : std::string(other).starts_with("bellman") ? "bellman_lambda = 0.25"
                                                                                : fmt::format("{}0", other);
    text.replace(text.find(other), std::string(other).size(), replacement);
    EXPECT_NE(parsed(text).protocol(), protocol) << other;
  }
}

struct Mistake {
  std::string text;
  std::string message;  // begins with the line
};

TEST(Study, SaysInWhichLineWhatIsWrong) {
  const std::vector<Mistake> mistakes{
      // Keys.
      {study_with("[rnu]\nsteps = 3"),
       "6: there is no key 'rnu'; did you mean 'run'? (known: title, about, scale, features, constants, domain, "
       "evaluation, run, learner, figure)"},
      {study_with("[run]\nsteps = 3\n\nevry = 1"),
       "9: there is no key 'evry'; did you mean 'every'? (known: metrics, steps, every, seeds, seed, curves)"},
      {"titel = \"x\"\n" + study_with(""), "1: there is no key 'titel'; did you mean 'title'?"},
      {study_with("[evaluation]\nstates = 3\nweigths = \"visits\""),
       "8: there is no key 'weigths'; did you mean 'weights'?"},
      {study_with("[[learner]]\nname = \"td\"\nlabel = \"x\"\nalhpa = 1"),
       "9: td has no parameter 'alhpa'; did you mean 'alpha'? (known: alpha, lambda, schedule, n0, trace)"},
      {"[domain]\nname = \"boyan_chain\"\n\nsiz = 8\n[[learner]]\nname = \"td\"",
       "4: boyan_chain has no parameter 'siz'; did you mean 'size'? (known: size, feature_map, without)"},
      // Types.
      {study_with("[run]\nsteps = true"), "7: run: steps is not an integer ([1, 1000000000000])"},
      {study_with("[run]\nsteps = 2.5"), "7: run: steps = '2.5' is not a whole number"},
      {study_with("[run]\nsteps = \"many\""), "7: formula 'many': 'many' is neither its variable nor a constant"},
      {study_with("[run]\nseeds = 1979-05-27"), "7: run: seeds is not an integer ([1, 1000000])"},
      {study_with("[run]\ncurves = 1"), "7: run: curves is not a boolean (false | true)"},
      {study_with("[run]\ncurves = \"yes\""), "7: run: curves = 'yes' is not one of false, true"},
      {study_with("[run]\nmetrics = 3"), "7: run: metrics is not a choice"},
      {study_with("run = 3"), "6: td has no parameter 'run'"},
      {"run = 3\n" + study_with(""), "1: run is a table: [run]"},
      {"title = 3\n" + study_with(""), "1: title is not a text in quotes"},
      {"features = 3\n" + study_with(""), "1: study: features is not a text (text)"},
      {"[domain]\nname = 3\n[[learner]]\nname = \"td\"", "2: name is not a text in quotes"},
      {"domain = \"boyan_chain\"\n[[learner]]\nname = \"td\"", "1: domain is a table: [domain]"},
      {"[domain]\nname = \"boyan_chain\"\n\n[learner]\nname = \"td\"", "4: learners are a list of tables: [[learner]]"},
      {"learner = [\n  {name = \"td\"},\n  3,\n]\n[domain]\nname = \"boyan_chain\"",
       "3: learners are a list of tables: [[learner]]"},
      {study_with("[[learner]]\nname = \"td\"\nlabel = 3"), "8: label is not a text in quotes"},
      {study_with("[[learner]]\nname = \"td\"\nalpha = {a = 1}"), "8: td: alpha is not a number ((0, inf))"},
      {study_with("[[learner]]\nname = \"td\"\nalpha = [\n  0.1,\n  [0.2],\n]"), "10: td: alpha is a list in a list"},
      {study_with("[constants]\na = true"), "7: a is neither a number, nor a list of them, nor a formula"},
      {study_with("constants = 1"), "6: td has no parameter 'constants'"},
      // Values.
      {study_with("[run]\nsteps = 0"), "7: run: steps = 0 is outside [1, 1000000000000]"},
      {study_with("[run]\n\nseed = -1"), "8: run: seed = -1 is outside [0, inf)"},
      {study_with("[evaluation]\nbellman_lambda = 2"), "7: evaluation: bellman_lambda = 2 is outside [0, 1]"},
      {study_with("[[learner]]\nname = \"td\"\nlambda = 0.5\nalpha = [0.1, 0]"),
       "9: td: alpha = 0 is outside (0, inf)"},
      {study_with("[[learner]]\nname = \"td\"\nalpha = [\n  0.1,\n  -1,\n]"), "10: td: alpha = -1 is outside (0, inf)"},
      {study_with("[[learner]]\nname = \"td\"\nalpha = nan"), "8: td: alpha = 'nan' is not a number"},
      {study_with("[[learner]]\nname = \"td\"\nalpha = inf"), "8: td: alpha = inf is outside (0, inf)"},
      {study_with("[[learner]]\nname = \"td\"\nlambda = \"j, j = 0..2\""), "8: td: lambda = 2 is outside [0, 1]"},
      {study_with("[[learner]]\nname = \"td\"\ntrace = \"replacng\""),
       "8: td: trace = 'replacng' is not one of accumulating, replacing; did you mean 'replacing'?"},
      {"[domain]\nname = \"boyan_chain\"\nsize = [\n  12,\n  3]\n[[learner]]\nname = \"td\"",
       "5: boyan_chain: size = 3 is outside [4, 1000000]"},
      {"[domain]\nname = \"boyan_chain\"\nsize = 13\n[[learner]]\nname = \"td\"", "2: boyan_chain: size = 13 is not"},
      {"title = \"a\\u001b[31m\"\n" + study_with(""), "1: title has control characters or several lines"},
      {study_with("[[learner]]\nname = \"td\"\nlabel = \"a\\nb\""), "8: label has control characters or several lines"},
      {study_with("[[learner]]\nname = \"etd\"\nlabel = \"td\""),
       "7: label td stands for td already; give etd another"},
      {study_with("[scale.quick.rum]\nseeds = 1"), "6: there is no key 'rum'; did you mean 'run'?"},
      {study_with("[scale.quick.run]\nseeds = 0"), "7: run: seeds = 0 is outside [1, 1000000]"},
      // Formulas and constants.
      {study_with("[constants]\na = \"2 *\""), "7: formula '2 *': it ends early"},
      {study_with("[constants]\na = \"b\"\nb = 1"), "7: formula 'b': 'b' is neither its variable nor a constant"},
      {study_with("[constants]\na = []"), "7: a is an empty list"},
      {study_with("[constants]\nalphas = 1\n[[learner]]\nname = \"td\"\nalpha = \"alpha\""),
       "10: formula 'alpha': 'alpha' is neither its variable nor a constant; did you mean 'alphas'?"},
      // Names.
      {study_with("[[learner]]\nname = \"tdd\""), "7: there is no learner 'tdd'; did you mean 'td'?"},
      {study_with("[[learner]]\nalpha = 1"), "6: a [[learner]] has no name"},
      {"[domain]\nname = \"boyan\"\n[[learner]]\nname = \"td\"",
       "2: there is no domain 'boyan'; did you mean 'boyan_chain'?"},
      {"features = [\n  \"own\",\n  \"tabulr\"]\n" + study_with(""),
       "3: there is no feature map 'tabulr'; did you mean 'tabular'?"},
      {study_with("[run]\nmetrics = [\"rmse\",\n\"msb\"]"), "8: run: metrics = 'msb' is not one of relative, rmse, "},
      // Too much and too little.
      {study_with("[run]\nmetrics = []"), "7: run: metrics is an empty list"},
      {study_with("[[learner]]\nname = \"td\"\nalpha = []"), "8: td: alpha is an empty list"},
      {study_with("[run]\nseeds = 3\nsteps = [1, 2]"), "8: run: lists are for [domain] and [[learner]]"},
      {study_with("[run]\nmetrics = [\"rmse\",\n\"rmse\"]"), "8: run: metrics is rmse twice"},
      {"features = [\"own\",\n\"own\"]\n" + study_with(""), "2: study: features is own twice"},
      {"[domain]\nname = \"boyan_chain\"\nsize = [12, 12.0]\n[[learner]]\nname = \"td\"",
       "3: boyan_chain: size is 12 twice"},
      {study_with("[[learner]]\nname = \"td\"\nalpha = [0.5, \"1 / 2\"]"), "8: td: alpha is 0.5 twice"},
      {study_with("[[learner]]\nname = \"td\"\nalpha = [0.2, 0.1]"),
       "7: td has the same setting twice; give one of the entries another label"},
      {study_with("[[learner]]\nname = \"td\"\nalpha = \"j, j = 1..2000\"\nn0 = \"j, j = 1..2000\""),
       "9: td: more than 100000 combinations"},
      {"learner = []\n[domain]\nname = \"boyan_chain\"", "1: there is no learner: [[learner]] with name = \"...\""},
      // TOML itself.
      {study_with("[run]\nsteps = "), "7: "},
      {study_with("[run]\nsteps = 1\nsteps = 2"), "8: "},
      {study_with("[run]\nsteps = 01"), "7: "},
      {study_with("title = \"open"), "6: "},
      {study_with("\n[,]"), "7: "},
      {study_with("x = \"\xff\""), "6: "},
  };
  for (const Mistake& mistake : mistakes) {
    const std::string said = mistake_in(mistake.text);
    EXPECT_TRUE(said.starts_with("walk.toml:" + mistake.message)) << said << "\n  expected " << mistake.message;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  }
}

TEST(Study, SaysWhatIsMissing) {
  EXPECT_EQ(mistake_in(""), "walk.toml: the domain is missing: [domain] with name = \"...\"");
  EXPECT_EQ(mistake_in("[domain]\nsize = 12"), "walk.toml: the domain is missing: [domain] with name = \"...\"");
  EXPECT_EQ(mistake_in("[domain]\nname = \"boyan_chain\""),
            "walk.toml: there is no learner: [[learner]] with name = \"...\"");
}

TEST(Study, HasAtMostTenScales) {
  std::string nine;  // and the file itself
  for (int i = 0; i < 9; ++i) nine += "[scale.s" + std::to_string(i) + ".run]\nsteps = 2\n";
  EXPECT_EQ(mistake_in(study_with(nine), "s8"), "accepted");
  EXPECT_EQ(mistake_in(study_with(nine + "[scale.more.run]\nsteps = 2\n"), "s8"),
            "walk.toml: it has 11 scales; 10 are the most");
}

TEST(Study, SaysWhatIsWrongWithAScale) {
  EXPECT_EQ(mistake_in(whole_study, "quik"),
            "walk.toml: there is no scale 'quik'; did you mean 'quick'? (known: paper, quick, tiny)");
  EXPECT_EQ(mistake_in(study_with(""), "quick"), "walk.toml: there is no scale 'quick' (known: paper)");
  EXPECT_TRUE(mistake_in(study_with("[scale.quick.run]\nsteps = 1\nsedes = 2"), "quick")
                  .starts_with("walk.toml:8: there is no key 'sedes'; did you mean 'seeds'?"));
  EXPECT_TRUE(mistake_in(study_with("[scale.quick.rnu]\nsteps = 1"), "quick")
                  .starts_with("walk.toml:6: there is no key 'rnu'; did you mean 'run'?"));
  EXPECT_EQ(mistake_in(study_with("[scale]\nquick = 3")), "walk.toml:7: a scale is a table, such as [scale.quick.run]");
  EXPECT_EQ(mistake_in("scale = 3\n" + study_with("")), "walk.toml:1: scale is a table: [scale]");
}

TEST(Study, ThatCannotBeReadIsNotTheAuthorsMistake) {
  const testing::TemporaryFolder folder;
  EXPECT_THROW(read_study(folder.path("none.toml")), IoError);
  EXPECT_THROW(read_study(folder.path()), IoError);
  std::ofstream(folder.path("walk.toml")) << whole_study;
  EXPECT_EQ(read_study(folder.path("walk.toml"), "tiny").settings.size(), 1U);
}

TEST(Study, NeverFailsOtherThanWithAFileAndAReason) {
  // Pieces are removed, repeated and exchanged, and characters changed. What is left is a study or is refused.
  const std::string characters = "[]{}\"=.,#\n 0a-+^'\\";
  Rng rng(1);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(rng.uniform() * static_cast<double>(n)); };
  int accepted = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = whole_study;
    for (std::size_t edits = 1 + below(3); edits > 0; --edits) {
      const std::size_t at = below(text.size() - 20);
      switch (below(4)) {
        case 0: text.erase(at, 1 + below(10)); break;
        case 1: text.insert(below(text.size()), text.substr(at, 1 + below(20))); break;
        case 2: text[at] = characters[below(characters.size())]; break;
        default: std::swap(text[at], text[at + 1]);
      }
    }
    const char* scale = below(2) == 0 ? "paper" : "quick";
    const std::string said = mistake_in(text, scale);
    if (said == "accepted") {
      ++accepted;
      continue;
    }
    EXPECT_TRUE(said.starts_with("walk.toml:")) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said << "\n" << text;
  }
  EXPECT_GT(accepted, 100);
  EXPECT_LT(accepted, 2500);
}

TEST(Study, OfEveryFileInTheStudiesFolderParsesAtEveryScale) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(BELLWETHER_SOURCE_DIR "/studies")) {
    if (entry.path().extension() != ".toml") continue;
    ++files;
    for (const char* scale : {"paper", "quick"}) {
      const Study study = read_study(entry.path(), scale);
      EXPECT_GT(study.settings.size(), 0U) << entry.path();
      EXPECT_NE(study.title, study.name) << entry.path() << " has no title";
    }
  }
  EXPECT_GT(files, 0);
}

TEST(Study, OfBoyansChainHasThePapersGrid) {
  const Study study = read_study(BELLWETHER_SOURCE_DIR "/studies/boyan.toml");
  EXPECT_EQ(study.run.steps, 1000);
  const auto count = [&](std::string_view label) {
    return std::count_if(study.settings.begin(), study.settings.end(), [&](const auto& s) { return s.label == label; });
  };
  EXPECT_EQ(count("TD(0)"), 18);
  EXPECT_EQ(count("TD"), 16 * 18);
  EXPECT_EQ(count("TO-ETD, decaying"), 2 * 16 * 18);
  EXPECT_EQ(count("LSTD"), 16 * 18);
}

}  // namespace
}  // namespace bellwether
