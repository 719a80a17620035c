#include <bellwether/data/table_steps.h>

#include <fstream>

#include <gtest/gtest.h>

#include <bellwether/core/state.h>

#include "support/rejection.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

using testing::rejection;

/// A step as a line: "x -> x' r=.. g=.. restart".
using Lines = std::vector<std::string>;

class TableStepsTest : public ::testing::Test {
 protected:
  std::unique_ptr<TableSteps> open(const std::string& text, const LogColumns& given = {}) {
    const std::string path = folder_.path("log.csv");
    std::ofstream(path) << text;
    auto table = open_table(path);
    const LogColumns columns = find_columns(given, table->columns(), "log.csv");
    return std::make_unique<TableSteps>(std::move(table), columns, nullptr);
  }

  /// All steps, read in blocks of at most `rows`.
  static Lines lines(TableSteps& reader, std::size_t rows = 100) {
    Lines all;
    StepBlock block;
    while (reader.read(block, rows)) {
      for (std::size_t i = 0; i < block.size(); ++i) {
        const auto number = [](double v) { return format_number(v); };
        std::string line = number(block.x.view().row(i).values[0]);
        // What comes after the end is not looked at.
        if (block.discount[i] > 0) line += ">" + number(block.x_next.view().row(i).values[0]);
        line += " r=" + number(block.rewards[0][i]) + " g=" + number(block.discount[i]);
        if (!block.rho.empty()) line += " rho=" + number(block.rho[i]);
        if (!block.restart.empty() && block.restart[i] != 0) line += block.restart[i] == 2 ? " jump" : " restart";
        all.push_back(line);
      }
    }
    return all;
  }
  Lines lines(const std::string& text, const LogColumns& given = {}) { return lines(*open(text, given)); }

  testing::TemporaryFolder folder_;
};

TEST_F(TableStepsTest, TheStateAfterIsThatOfTheNextRow) {
  EXPECT_EQ(lines("x.0,reward,done\n1,10,0\n2,20,0\n3,30,1\n4,40,1\n"),
            (Lines{"1>2 r=10 g=1", "2>3 r=20 g=1", "3 r=30 g=0", "4 r=40 g=0"}));
}

TEST_F(TableStepsTest, BlocksMayBeCutAnywhere) {
  const std::string text = "x.0,reward,done\n1,10,0\n2,20,0\n3,30,1\n4,40,0\n5,50,1\n";
  for (const std::size_t rows : {1, 2, 3, 4}) EXPECT_EQ(lines(*open(text), rows), lines(text)) << rows;
}

TEST_F(TableStepsTest, ATruncatedEpisodeBootstrapsFromTheLastObservationAndATerminatedOneDoesNot) {
  EXPECT_EQ(lines("x.0,reward,terminated,truncated\n1,10,0,0\n2,20,0,1\n3,,,\n4,40,1,0\n5,,,\n6,60,1,0\n"),
            (Lines{"1>2 r=10 g=1", "2>3 r=20 g=1", "4 r=40 g=0 restart", "6 r=60 g=0"}));
}

TEST_F(TableStepsTest, TheLastStepOfATruncatedEpisodeIsLeftOutAndCountedWhenItsObservationIsMissing) {
  const auto reader = open("x.0,reward,terminated,truncated\n1,10,0,0\n2,20,0,1\n4,40,1,0\n5,50,0,0\n");
  EXPECT_EQ(lines(*reader), (Lines{"1>2 r=10 g=1", "4 r=40 g=0 restart"}));
  EXPECT_EQ(reader->without_end(), 2U);  // of the first episode, and of the one that the file ends in
}

TEST_F(TableStepsTest, DoneMeansTerminatedUnlessTruncatedSaysOtherwise) {
  EXPECT_EQ(lines("x.0,next_x.0,reward,done,truncated\n1,2,10,0,0\n2,3,20,1,1\n7,8,30,1,0\n"),
            (Lines{"1>2 r=10 g=1", "2>3 r=20 g=1", "7 r=30 g=0 restart"}));
}

TEST_F(TableStepsTest, WithNextColumnsAJumpCutsTheTraceButNotTheBootstrap) {
  EXPECT_EQ(lines("s,next_s,reward,discount\n1,2,10,0.9\n2,3,20,0.9\n5,6,30,0.9\n6,1,40,0\n9,1,50,0.5\n"),
            (Lines{"1>2 r=10 g=0.9", "2>3 r=20 g=0.9", "5>6 r=30 g=0.9 restart", "6 r=40 g=0", "9>1 r=50 g=0.5"}));
}

TEST_F(TableStepsTest, WhereFlagsSayThatAnEpisodeGoesOnAJumpCutsItAndIsNoStart) {
  EXPECT_EQ(lines("s,next_s,reward,done\n1,2,10,0\n2.1,3,20,0\n3,4,30,1\n7,8,1,1\n"),
            (Lines{"1>2 r=10 g=1", "2.1>3 r=20 g=1 jump", "3 r=30 g=0", "7 r=1 g=0"}));
}

TEST_F(TableStepsTest, AJumpWithinANamedEpisodeContradictsTheOrder) {
  const std::string text = "s,next_s,reward,done,episode\n1,2,10,0,a\n5,6,20,0,a\n6,7,30,1,a\n",
                    file = folder_.path("log.csv");
  EXPECT_EQ(rejection([&] { lines(text); }),
            file +
                ": row 2 follows row 1 in its episode, but its 's' is 5, and the 'next_s' of row 1 is 2: the rows are "
                "not in order (`time=NAME` names the column of their order, `env=NAME` tells environments apart, and "
                "with `unordered` every row is a step on its own)");
  EXPECT_EQ(lines(text, {.unordered = true}), (Lines{"1>2 r=10 g=1 jump", "5>6 r=20 g=1 jump", "6 r=30 g=0 jump"}));
  EXPECT_EQ(rejection([&] { lines("s,reward,done\n1,1,1\n", {.unordered = true}); }),
            "log.csv: `unordered` rows need columns of the next state, `next=a,b,...`");
}

TEST_F(TableStepsTest, AnEpisodeEndsInItsLastRow) {
  const std::string file = folder_.path("log.csv");
  EXPECT_EQ(rejection([&] { lines("s,reward,done,episode\n1,1,0,a\n2,1,1,a\n3,1,0,a\n1,1,1,b\n"); }),
            file +
                ": row 2 ends an episode, but row 3 belongs to it, too, and comes later: the rows are not in order "
                "(`time=NAME` names the column of their order, and `env=NAME` tells environments apart that use the "
                "same names for episodes)");
  // A name that is used again belongs to several episodes.
  EXPECT_EQ(lines("s,reward,done,episode\n1,1,1,a\n2,1,1,a\n3,1,0,a\n4,1,1,b\n").size(), 3U);
}

TEST_F(TableStepsTest, EnvironmentsTellEpisodesApart) {
  EXPECT_EQ(lines("s,next_s,reward,discount,env,episode\n1,2,10,0.9,a,1\n2,3,20,0.9,b,1\n"),
            (Lines{"1>2 r=10 g=0.9", "2>3 r=20 g=0.9 restart"}));
}

TEST_F(TableStepsTest, NextColumnsMayBeRounded) {
  EXPECT_EQ(lines("s,next_s,reward,discount\n1,2.000001,10,0.9\n2,3,20,0.9\n"),
            (Lines{"1>2.000001 r=10 g=0.9", "2>3 r=20 g=0.9"}));
}

TEST_F(TableStepsTest, ARowThatWasLeftOutCutsTheEpisode) {
  std::ofstream(folder_.path("bad.csv")) << "x.0,reward,done\n1,10,0\n2,20,0\nnan,1,1\n4,40,0\n5,50,1\n";
  auto table = open_table(folder_.path("bad.csv"), {.bad_rows = BadRows::skip});
  const LogColumns columns = find_columns({}, table->columns(), "bad.csv");
  TableSteps reader(std::move(table), columns, nullptr);
  EXPECT_EQ(lines(reader), (Lines{"1>2 r=10 g=1", "4>5 r=40 g=1 jump", "5 r=50 g=0"}));
  EXPECT_EQ(reader.without_end(), 1U);
}

TEST_F(TableStepsTest, ANewEpisodeBeginsWhereItsNameChangesEvenIfTheStateDoesNotJump) {
  EXPECT_EQ(lines("s,next_s,reward,discount,episode\n1,2,10,0.9,a\n2,3,20,0.9,b\n"),
            (Lines{"1>2 r=10 g=0.9", "2>3 r=20 g=0.9 restart"}));
}

TEST_F(TableStepsTest, WhereOnlyNamesTellEpisodesApartTheyEnd) {
  EXPECT_EQ(lines("x.0,reward,episode\n1,10,a\n2,20,a\n3,30,b\n4,40,b\n"),
            (Lines{"1>2 r=10 g=1", "2 r=20 g=0", "3>4 r=30 g=1", "4 r=40 g=0"}));
}

TEST_F(TableStepsTest, AnEpisodeThatChangesItsNameWithoutAnEndWasCutShort) {
  const auto reader = open("x.0,reward,done,episode\n1,10,0,a\n2,20,0,a\n3,30,0,b\n4,40,1,b\n");
  EXPECT_EQ(lines(*reader), (Lines{"1>2 r=10 g=1", "3>4 r=30 g=1 restart", "4 r=40 g=0"}));
  EXPECT_EQ(reader->without_end(), 1U);
}

TEST_F(TableStepsTest, RatiosComeFromProbabilities) {
  EXPECT_EQ(lines("x.0,reward,done,target,behaviour\n1,10,0,0.5,0.25\n2,20,1,0,0.5\n"),
            (Lines{"1>2 r=10 g=1 rho=2", "2 r=20 g=0 rho=0"}));
  EXPECT_EQ(rejection([&] { lines("x.0,reward,done,target\n1,10,1,0.5\n"); }),
            "log.csv: there is 'target' but not the other probability; ratios need both `target` and `behaviour`");
}

TEST_F(TableStepsTest, ValuesOutsideTheirRangeAreRejectedWithFileRowAndColumn) {
  const std::string file = folder_.path("log.csv");
  const auto rejected = [&](const std::string& text) { return rejection([&] { lines(text); }); };
  EXPECT_EQ(rejected("x.0,reward,discount\n1,10,1.5\n"), file + ": row 1, column 'discount' = 1.5 is outside [0, 1]");
  EXPECT_EQ(rejected("x.0,reward,done,rho\n1,10,0,1\n2,1,1,-1\n"),
            file + ": row 2, column 'rho' = -1 is outside [0, inf)");
  EXPECT_EQ(rejected("x.0,reward,done,target,behaviour\n1,10,1,0.5,0\n"),
            file + ": row 1, column 'behaviour' = 0 is outside (0, 1]");
  EXPECT_EQ(rejected("x.0,reward,done\n1,10,2\n"), file + ": row 1, column 'done': '2' is neither 0 nor 1");
  EXPECT_EQ(rejected("x.0,a,b,done\n1,1,,1\n"),
            "log.csv: which column is the reward? Say so with `reward=NAME` "
            "(columns: x.0, a, b, done)");
}

TEST_F(TableStepsTest, ARowMayHoldAnObservationOnlyButNotHalfAStep) {
  const std::string file = folder_.path("log.csv");
  EXPECT_EQ(rejection([&] { lines("x.0,reward,done\n1,10,\n"); }),
            file + ": row 1 has a reward, but another of its cells is empty");
  EXPECT_EQ(rejection([&] { lines("x.0,reward,done\n1,,0\n"); }),
            file + ": row 1, column 'reward': is empty, but the row holds more than an observation");
  EXPECT_EQ(rejection([&] {
              lines("x.0,a,b,done\n1,1,,1\n", {.reward = {"a", "b"}});
            }),
            file + ": row 1, column 'b': is empty, but other rewards are not");
}

TEST_F(TableStepsTest, AMissingRewardIsABadRowThatCutsItsEpisode) {
  const std::string text = "x.0,reward,done\n1,10,0\n2,NA,0\n3,30,0\n4,40,1\n";
  EXPECT_EQ(rejection([&] { lines(text); }), folder_.path("log.csv") +
                                                 ": row 2, column 'reward': is empty, but the row holds more than an "
                                                 "observation");
  std::ofstream(folder_.path("log.csv")) << text;
  auto table = open_table(folder_.path("log.csv"), {.bad_rows = BadRows::skip});
  const LogColumns columns = find_columns({}, table->columns(), "log.csv");
  TableSteps skipping(std::move(table), columns, nullptr, BadRows::skip);
  EXPECT_EQ(lines(skipping), (Lines{"3>4 r=30 g=1 jump", "4 r=40 g=0"}));
  EXPECT_EQ(skipping.skipped(), 1U);
  EXPECT_NE(skipping.first_skipped().find("row 2"), std::string::npos);
}

TEST_F(TableStepsTest, AnEpisodeThatGoesOnAfterAMissingRewardIsRejected) {
  EXPECT_EQ(lines("x.0,reward,episode\n1,10,a\n2,NA,a\n3,30,b\n4,,b\n"),
            (Lines{"1>2 r=10 g=1", "3>4 r=30 g=1 restart"}));
  EXPECT_EQ(rejection([&] { lines("x.0,reward,episode\n1,10,a\n2,NA,a\n3,30,a\n"); }),
            folder_.path("log.csv") + ": row 2 has no reward, but its episode goes on in row 3");
}

TEST_F(TableStepsTest, WhatWaitsForTheNextRowCanBeSavedAndContinued) {
  const std::string header = "x.0,reward,done\n";
  const auto first = open(header + "1,10,0\n2,20,0\n");
  StepBlock block;
  ASSERT_TRUE(first->read(block, 100));
  StateWriter out;
  first->save(out);
  const auto second = open(header + "3,30,0\n4,40,1\n");
  StateReader in(out.bytes());
  second->load(in);
  in.finish();
  EXPECT_EQ(lines(*second), (Lines{"2>3 r=20 g=1", "3>4 r=30 g=1", "4 r=40 g=0"}));
}

/// What waits is part of a model file, which may have been damaged since.
TEST_F(TableStepsTest, WhatWaitedForTheNextRowOfAnotherLogIsRefused) {
  const auto saved = [this](const std::string& text, const LogColumns& given = {}) {
    const auto reader = open(text, given);
    StepBlock block;
    EXPECT_TRUE(reader->read(block, 100));
    StateWriter out;
    reader->save(out);
    return out.take();
  };
  const auto loaded = [this](const std::string& state) {
    const auto reader = open("x.0,x.1,reward,done\n3,3,30,0\n4,4,40,1\n");
    StateReader in(state);
    reader->load(in);
    in.finish();
    lines(*reader);
  };
  const std::string good = saved("x.0,x.1,reward,done\n1,1,10,0\n2,2,20,0\n");
  EXPECT_EQ(rejection([&] { loaded(good); }), "accepted");
  const std::string contradiction = "a saved state contradicts itself";
  EXPECT_EQ(rejection([&] { loaded(saved("x.0,reward,done\n1,10,0\n2,20,0\n")); }), contradiction);
  EXPECT_EQ(rejection([&] {
              loaded(saved("x.0,x.1,a,b,done\n1,1,10,0,0\n2,2,20,0,0\n", {.reward = {"a", "b"}}));
            }),
            contradiction);
  EXPECT_EQ(rejection([&] { loaded(saved("x.0,x.1,reward,done\n1,1,10,1\n")); }), "accepted");  // nothing waits
  std::string without_row = saved("x.0,x.1,reward,done\n1,1,10,1\n");
  without_row[17] = 1;  // something waits: after the two numbers of the moment, and whether an episode is open
  EXPECT_EQ(rejection([&] { loaded(without_row); }), contradiction);
}

}  // namespace
}  // namespace bellwether
