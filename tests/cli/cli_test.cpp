// The program as a person or a script meets it.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include <sys/stat.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <bellwether/bellwether.h>

#include "cli/program.h"

namespace bellwether {
namespace {

using nlohmann::json;
using testing::bellwether;
using testing::Finished;
using testing::read_file;
using testing::TemporaryFolder;

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

/// The words, with one blank between them.
std::string unwrapped(const std::string& text) {
  std::string out;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) out += word + " ";
  return out;
}

std::vector<double> numbers(const std::string& line) {
  std::vector<double> all;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) all.push_back(std::stod(cell));
  return all;
}

const std::string boyan_td = "run --domain boyan_chain --learner td --set alpha=0.1 ";

TEST(List, NamesEverythingThatIsRegistered) {
  const Finished text = bellwether("list");
  EXPECT_EQ(text.code, 0);
  const json listed = json::parse(bellwether("list --json").out);
  ASSERT_EQ(listed["learners"].size(), learners().size());
  ASSERT_EQ(listed["domains"].size(), domains().size());
  ASSERT_EQ(listed["features"].size(), feature_maps().size());
  for (std::size_t i = 0; i < learners().size(); ++i) {
    EXPECT_EQ(listed["learners"][i]["name"], learners()[i].name);
    EXPECT_EQ(listed["learners"][i]["parameters"].size(), learners()[i].params.size());
    EXPECT_NE(text.out.find("\n" + learners()[i].name + " "), std::string::npos) << learners()[i].name;
  }
}

TEST(List, ShowsOneKindWhenAsked) {
  const json listed = json::parse(bellwether("list domains --json").out);
  EXPECT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed["domains"].size(), domains().size());
}

TEST(Help, TeachesEveryNameWithItsParametersAndReference) {
  for (const LearnerEntry& learner : learners()) {
    const Finished help = bellwether("help " + learner.name);
    EXPECT_EQ(help.code, 0);
    EXPECT_NE(unwrapped(help.out).find(unwrapped(learner.doc.summary)), std::string::npos) << learner.name;
    EXPECT_NE(unwrapped(help.out).find(unwrapped(learner.doc.reference)), std::string::npos) << learner.name;
    for (const ParamInfo& p : learner.params) EXPECT_NE(help.out.find(p.text), std::string::npos) << p.name;
  }
  for (const DomainEntry& domain : domains()) EXPECT_EQ(bellwether("help " + domain.name).code, 0) << domain.name;
  EXPECT_EQ(bellwether("help tabular").code, 0);
  EXPECT_NE(bellwether("help run").out.find("--learner"), std::string::npos);
  EXPECT_EQ(bellwether("help").out, bellwether("--help").out);
}

TEST(Help, ExamplesItPrintsWork) {
  for (const auto& name : {"implicit_td", "baird", "tabular"}) {
    const auto all = lines(bellwether(std::string("help ") + name).out);
    const std::string example = all.back();
    ASSERT_EQ(example.rfind("  bellwether run ", 0), 0U) << example;
    EXPECT_EQ(bellwether(example.substr(13) + " --runs 2").code, 0) << example;
  }
}

TEST(Reference, IsTheCommittedPage) {
  EXPECT_EQ(bellwether("reference").out, read_file(BELLWETHER_SOURCE_DIR "/docs/reference.md"))
      << "run `make docs` and commit docs/reference.md";
}

TEST(Readme, QuotesTheExamplesAsTheyAre) {
  const std::string readme = read_file(BELLWETHER_SOURCE_DIR "/README.md");
  for (const char* example : {"quickstart.cpp", "own_transitions.cpp"}) {
    const std::string code = read_file(std::string(BELLWETHER_SOURCE_DIR "/examples/") + example);
    EXPECT_NE(readme.find(code), std::string::npos) << example << " and its copy in README.md differ";
  }
}

TEST(Readme, ShowsCommandsThatWork) {
  const TemporaryFolder folder;
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());  // so that files they write leave with it
  std::size_t tried = 0;
  for (std::string line : lines(read_file(BELLWETHER_SOURCE_DIR "/README.md"))) {
    if (line.rfind("build/release/bellwether ", 0) != 0) continue;
    line = line.substr(line.find(' ') + 1);
    const std::size_t study = line.find("studies/");
    if (study != std::string::npos) line.insert(study, BELLWETHER_SOURCE_DIR "/");
    EXPECT_EQ(bellwether(line).code, 0) << line;
    ++tried;
  }
  std::filesystem::current_path(here);
  EXPECT_GE(tried, 4U);
}

TEST(Run, PrintsTheLearningCurveAsCsv) {
  const auto rows = lines(bellwether(boyan_td + "--steps 1000 --runs 20 --csv").out);
  ASSERT_EQ(rows.size(), 22U);
  EXPECT_EQ(rows[0], "step,error,half_width,runs,diverged");
  EXPECT_EQ(rows[1], "0,1,0,20,0");
  const auto last = numbers(rows.back());
  EXPECT_EQ(last[0], 1000);
  EXPECT_GT(last[1], 0.02);
  EXPECT_LT(last[1], 0.06);
  EXPECT_GT(last[2], 0);
}

TEST(Run, GivesTheSameNumbersAsTextCsvAndJson) {
  const auto rows = lines(bellwether(boyan_td + "--runs 5 --csv").out);
  const json result = json::parse(bellwether(boyan_td + "--runs 5 --json").out);
  ASSERT_EQ(result["curve"].size(), rows.size() - 1);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto row = numbers(rows[i]);
    EXPECT_EQ(result["curve"][i - 1]["step"], row[0]);
    EXPECT_EQ(result["curve"][i - 1]["mean"], row[1]);
    EXPECT_EQ(result["curve"][i - 1]["half_width"], row[2]);
  }
  EXPECT_EQ(result["settings"]["alpha"], "0.1");
  EXPECT_EQ(result["metric"], "relative");
}

TEST(Run, GivesTheSameResultForOneTwoAndSevenThreads) {
  const std::string command = "run --domain collision --learner etd --runs 15 --steps 400 --json --jobs ";
  const Finished one = bellwether(command + "1");
  EXPECT_EQ(one.code, 0);
  EXPECT_EQ(bellwether(command + "2").out, one.out);
  EXPECT_EQ(bellwether(command + "7").out, one.out);
}

TEST(Run, DependsOnTheSeed) {
  EXPECT_NE(bellwether(boyan_td + "--csv --seed 1").out, bellwether(boyan_td + "--csv --seed 2").out);
}

TEST(Run, MeasuresAtTheEndAlsoWhenStepsAreNoMultiple) {
  const auto rows = lines(bellwether(boyan_td + "--steps 120 --every 50 --csv").out);
  EXPECT_EQ(numbers(rows.back())[0], 120);
  EXPECT_EQ(rows.size(), 5U);  // header, 0, 50, 100, 120
}

TEST(Run, ReportsDivergenceInsteadOfNumbers) {
  const Finished text =
      bellwether("run --domain baird --learner td --set alpha=1 --steps 20000 --every 20000 --runs 3");
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(text.out.find("3 of 3 runs diverged"), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("averaged over the curve"), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("nan"), std::string::npos);
  const json result =
      json::parse(bellwether("run --domain baird --learner td --set alpha=1 --steps 20000 --runs 3 --json").out);
  EXPECT_EQ(result["diverged"], 3);
  EXPECT_TRUE(result["last"]["mean"].is_null());
}

TEST(Run, ChoosesALearnerThatNeedsNoTuningAndSaysWhatItFound) {
  const Finished text = bellwether("run --domain boyan_chain --runs 3");
  EXPECT_NE(text.out.find("lstd_stream on boyan_chain"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("found in the first run: renewals="), std::string::npos) << text.out;
  const auto parsed = nlohmann::json::parse(bellwether("run --domain boyan_chain --runs 3 --json").out);
  EXPECT_EQ(parsed["findings"]["renewals"], "58");
  EXPECT_LT(parsed["last"]["mean"], 0.05);
}

TEST(Run, TakesDomainAndFeatureParameters) {
  const json result = json::parse(
      bellwether("run --domain random_walk --set domain.size=5 --features tabular --learner td --json").out);
  EXPECT_EQ(result["features"], "tabular");
  EXPECT_EQ(result["metric"], "rmse");  // the middle state is worth 0
  EXPECT_EQ(bellwether("run --domain boyan_chain --set domain.size=40 --learner td --runs 2").code, 0);
}

TEST(Run, JudgesOnSampledStatesWhereAChainIsNotFinite) {
  const std::string command =
      "run --domain mountain_car --states 50 --rollouts 20 --steps 1000 --every 500 --runs 2 --json";
  const Finished first = bellwether(command);
  const json result = json::parse(first.out);
  EXPECT_EQ(result["dim"], 1024);
  EXPECT_EQ(result["max_active"], 10);
  EXPECT_EQ(result["states"], 50);
  EXPECT_EQ(result["truth"], "mc");
  EXPECT_EQ(result["metric"], "relative");
  EXPECT_EQ(result["curve"][0]["mean"], 1);  // weights of zero
  EXPECT_LT(result["last"]["mean"], 0.5);
  EXPECT_EQ(bellwether(command).out, first.out) << "values that were kept are those that were found";
  const json known = json::parse(bellwether(command + " --set domain.randomness=0").out);
  EXPECT_EQ(known["truth"], "exact");
}

TEST(Run, ComposesFeatures) {
  const std::string command = "run --domain mountain_car --set domain.randomness=0 --states 50 --steps 200 --runs 1 ";
  for (const char* features :
       {"own+noise", "'tile_coding(tilings=4 tiles=5) + bias'", "fourier", "radial_basis+bias", "polynomial",
        "tile_coding+noise --set features.noise.count=10 --set features.noise.active=3"}) {
    const Finished result = bellwether(command + "--features " + features);
    EXPECT_EQ(result.code, 0) << features << ": " << result.err;
  }
}

TEST(Run, SaysWhatWasRun) {
  const std::string command =
      "run --domain mountain_car --set domain.randomness=0 --features fourier --set features.order=2 --states 50 "
      "--steps 50 --runs 1";
  const json result = json::parse(bellwether(command + " --json").out);
  EXPECT_EQ(result["domain_settings"]["randomness"], "0");
  EXPECT_EQ(result["feature_settings"]["order"], "2");
  EXPECT_EQ(result["evaluation"]["states"], "50");
  const std::string text = bellwether(command).out;
  EXPECT_NE(text.find("randomness=0"), std::string::npos) << text;
  EXPECT_NE(text.find("features: fourier with order=2"), std::string::npos) << text;
  EXPECT_EQ(text.find("+- -\n"), std::string::npos) << "one run has no interval: " << text;
  EXPECT_NE(text.find("averaged over the curve: "), std::string::npos) << text;
}

TEST(Run, StartsFromTheDomainsWeightsHoweverItsFeaturesAreWritten) {
  const std::string command = "run --domain baird --learner td --set alpha=0.01 --steps 10 --runs 3 --csv";
  const Finished plain = bellwether(command);
  EXPECT_EQ(bellwether(command + " --features ' own'").out, plain.out);
  EXPECT_EQ(bellwether(command + " --features 'own()'").out, plain.out);
}

TEST(Run, RecordsSeveralMetricsAtOnce) {
  const auto rows =
      lines(bellwether("run --domain garnet --learner lstd --set lambda=0 --steps 100000 --every 50000 --runs 3 --csv "
                       "--metric rmse,msbe,mspbe,fixed_point,effective_samples")
                .out);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0],
            "step,error,half_width,runs,diverged,msbe,msbe_half_width,mspbe,mspbe_half_width,fixed_point,"
            "fixed_point_half_width,effective_samples,effective_samples_half_width");
  const auto before = numbers(rows[1]);
  const auto after = numbers(rows.back());
  EXPECT_LT(after[7], 0.01 * before[7]);
  EXPECT_LT(after[9], 0.1 * before[9]);
  EXPECT_EQ(before[11], 0);
  EXPECT_EQ(after[11], 100000);  // on-policy every sample counts
  const Finished sampled = bellwether(
      "run --domain mountain_car --set domain.randomness=0 --states 50 --steps 500 --every 500 --runs 1 "
      "--metric mspbe,msbe,fixed_point");
  EXPECT_EQ(sampled.code, 0) << sampled.err;
  EXPECT_NE(sampled.out.find("mspbe"), std::string::npos);
}

TEST(Run, EvaluatesOffPolicy) {
  const json result = json::parse(
      bellwether("run --domain mountain_car --set domain.randomness=0 --set domain.behaviour=0.2 --states 100 "
                 "--metric relative,effective_samples --steps 3000 --every 3000 --runs 2 --learner lstd "
                 "--set lambda=0.9 --json")
          .out);
  EXPECT_LT(result["last"]["mean"], 0.5);
  EXPECT_LT(result["others"][0]["last"]["mean"], 3000);
}

TEST(Simulate, WritesTransitionsOfEveryDomain) {
  const json all = json::parse(bellwether("list domains --json").out);
  EXPECT_GE(all["domains"].size(), 7U);
  for (const json& domain : all["domains"]) {
    const std::string name = domain["name"];
    const auto rows = lines(bellwether("simulate " + name + " --steps 20").out);
    ASSERT_EQ(rows.size(), 21U) << name;
    for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_EQ(numbers(rows[i]).size(), numbers(rows[1]).size()) << name;
  }
  EXPECT_EQ(lines(bellwether("simulate energy --steps 1").out)[0],
            "storage,wind,price,demand,previous_demand,clock,reward,discount,rho,next_storage,next_wind,next_price,"
            "next_demand,next_previous_demand,next_clock");
}

TEST(Help, ExplainsEnergyWithItsEquations) {
  const Finished help = bellwether("help energy");
  for (const char* part : {"R' = R", "P'", "jump", "both24", "dynamic programming"}) {
    EXPECT_NE(help.out.find(part), std::string::npos) << part;
  }
}

TEST(Simulate, WritesTransitionsThatFollowOneAnother) {
  const auto rows = lines(bellwether("simulate boyan_chain --steps 200").out);
  ASSERT_EQ(rows.size(), 201U);
  EXPECT_EQ(rows[0], "state,reward,discount,rho,next_state");
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto row = numbers(rows[i]);
    const double moved = row[0] - row[4];
    if (row[2] == 0) {
      EXPECT_EQ(row[4], 12);
    } else {
      EXPECT_TRUE(moved == 1 || moved == 2) << rows[i];
    }
    if (i > 1) {
      EXPECT_EQ(row[0], numbers(rows[i - 1])[4]);
    }
  }
}

TEST(Simulate, WritesTheStepsThatALearnerSees) {
  const auto rows = lines(bellwether("simulate collision --steps 100 --seed 7 --run 3").out);
  EXPECT_EQ(rows[0], "state,action,reward,discount,rho,pi,next_state");
  const auto domain = make_domain("collision");
  Stream stream(*domain, make_features("tabular", *domain), 7, 3);
  const Batch batch = stream.next(100);
  for (std::size_t i = 0; i < 100; ++i) {
    const auto row = numbers(rows[i + 1]);
    EXPECT_EQ(row[0] - 1, batch.x.as<BinaryView>(i).indices[0]);
    EXPECT_EQ(row[2], batch.reward[i]);
    EXPECT_EQ(row[3], batch.discount[i]);
    EXPECT_EQ(row[4], batch.rho[i]);
    EXPECT_EQ(row[5], batch.pi[i]);
  }
}

TEST(Simulate, WritesTheSameAsJsonLinesAndToAFile) {
  const TemporaryFolder folder;
  const std::string file = folder.path("log.csv");
  EXPECT_EQ(bellwether("simulate baird --steps 50 -o " + file).code, 0);
  EXPECT_EQ(read_file(file), bellwether("simulate baird --steps 50").out);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path("")), {}), 1);  // nothing but the file
  const auto csv = lines(read_file(file));
  const auto jsonl = lines(bellwether("simulate baird --steps 50 --jsonl").out);
  EXPECT_EQ(bellwether("simulate baird --steps 50 -o " + folder.path("log.jsonl")).code, 0);
  EXPECT_EQ(lines(read_file(folder.path("log.jsonl"))), jsonl);
  ASSERT_EQ(jsonl.size(), 50U);
  for (std::size_t i = 0; i < 50; ++i) {
    const json object = json::parse(jsonl[i]);
    const auto row = numbers(csv[i + 1]);
    EXPECT_EQ(object["state"], row[0]);
    EXPECT_EQ(object["action"], row[1]);
    EXPECT_EQ(object["rho"], row[4]);
  }
}

TEST(Demo, ComparesEveryLearnerAndDrawsThem) {
  const TemporaryFolder folder;
  const Finished demo = bellwether("demo --runs 3 --steps 200 --out " + folder.path("pictures"));
  EXPECT_EQ(demo.code, 0) << demo.err;
  const std::string picture = read_file(folder.path("pictures/boyan_chain.svg"));
  for (const LearnerEntry& learner : learners()) {
    EXPECT_NE(demo.out.find("\n" + learner.name + " "), std::string::npos) << learner.name;
    EXPECT_NE(picture.find(">" + learner.name + " ("), std::string::npos) << learner.name;
  }
}

TEST(Output, HasNoColoursOrProgressWhenItIsNotATerminal) {
  const Finished text = bellwether("run --domain boyan_chain --learner td --runs 3000");
  EXPECT_EQ(text.err, "");
  EXPECT_EQ(text.out.find('\033'), std::string::npos);
}

TEST(Output, ThatCannotBeWrittenIsAFailureOfTheOutside) {
  for (const char* command : {"simulate boyan_chain --steps 100000", "list", "--help", "--version", "help td"}) {
    const Finished full = bellwether(command, "/dev/full");
    EXPECT_EQ(full.code, 1) << command;
    EXPECT_NE(full.err.find("cannot write standard output"), std::string::npos) << full.err;
  }
  const TemporaryFolder folder;
  const Finished nowhere = bellwether("simulate boyan_chain -o " + folder.path("missing/log.csv"));
  EXPECT_EQ(nowhere.code, 1);
  EXPECT_NE(nowhere.err.find("missing/log.csv: there is no folder "), std::string::npos) << nowhere.err;
  const Finished a_folder = bellwether("simulate boyan_chain -o " + folder.path(""));
  EXPECT_EQ(a_folder.code, 1);
  EXPECT_NE(a_folder.err.find("Is a directory"), std::string::npos) << a_folder.err;
}

TEST(Output, GoesThroughLinksAndPipesAndLeavesThemAsTheyAre) {
  const TemporaryFolder folder;
  const std::string expected = bellwether("simulate boyan_chain --steps 5").out;
  std::filesystem::create_symlink(folder.path("real.csv"), folder.path("link.csv"));
  EXPECT_EQ(bellwether("simulate boyan_chain --steps 5 -o " + folder.path("link.csv")).code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link.csv")));
  EXPECT_EQ(read_file(folder.path("real.csv")), expected);
  EXPECT_EQ(bellwether("simulate boyan_chain --steps 5 -o /dev/stdout").out, expected);
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(bellwether("simulate boyan_chain --steps 5 -o " + pipe + " & cat " + pipe).out, expected);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  const Finished full = bellwether("simulate boyan_chain --steps 5 -o /dev/full");
  EXPECT_EQ(full.code, 1);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

}  // namespace
}  // namespace bellwether
