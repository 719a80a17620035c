// Outputs whose names are taken, and arguments in the wrong order.
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "cli/program.h"
#include "support/temporary_folder.h"

namespace bellwether::testing {
namespace {

class TakenNames : public ::testing::Test {
 protected:
  TakenNames() {
    std::ofstream file(log);
    file << "s,reward,done\n";
    for (int i = 0; i < 300; ++i) file << i % 3 << ",1," << (i % 3 == 2 ? 1 : 0) << "\n";
  }

  Finished learn(const std::string& more) const { return bellwether("learn " + log + " " + more + " -m " + model); }

  TemporaryFolder folder;
  std::string log = folder.path("log.csv");
  std::string model = folder.path("m.bw");
};

TEST_F(TakenNames, OfModelsAreReplacedWithAWordAboutIt) {
  const Finished first = learn("--set lambda=0");
  EXPECT_EQ(first.code, 0);
  EXPECT_EQ(first.err, "");
  const std::string before = read_file(model);
  const Finished second = learn("--set lambda=0.5");
  EXPECT_EQ(second.code, 0);
  EXPECT_EQ(second.err, model + " holds a model, which will be replaced; with --continue, learning goes on from it\n");
  EXPECT_NE(read_file(model), before);
  const Finished resumed = learn("--continue --again");
  EXPECT_EQ(resumed.err, "going on from " + model + " after 300 steps\n");
}

TEST_F(TakenNames, OfFilesThatAreNoModelsAreRefusedBeforeAnythingIsLearned) {
  ASSERT_EQ(learn("").code, 0);
  const std::string notes = folder.path("notes.txt");
  std::ofstream(notes) << "a week of work\n";
  for (const std::string& words : {"learn " + log + " -m " + notes, "merge " + model + " " + model + " -o " + notes}) {
    const Finished done = bellwether(words);
    EXPECT_EQ(done.code, 2);
    EXPECT_EQ(done.err,
              "bellwether: " + words.substr(0, words.find(' ')) + ": " + notes +
                  " is not a model of Bellwether and would be overwritten; remove it, or take another name\n");
  }
  EXPECT_EQ(read_file(notes), "a week of work\n");
}

TEST_F(TakenNames, OfEmptyFilesAndDevicesAreUsed) {
  std::ofstream(model) << "";  // as mktemp makes it
  const Finished done = learn("");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.err, "");
  EXPECT_EQ(bellwether("learn " + log + " -m /dev/null").code, 0);
}

TEST_F(TakenNames, InTheWrongOrderAreUnderstoodByPredict) {
  ASSERT_EQ(learn("").code, 0);
  const Finished done = bellwether("predict " + log + " " + model);
  EXPECT_EQ(done.code, 2);
  EXPECT_EQ(done.err, "bellwether: predict: " + model + " is the model, and the model comes first: predict " + model +
                          " " + log + "\n");
  EXPECT_EQ(bellwether("predict " + model + " " + log).code, 0);
}

TEST_F(TakenNames, OfPredictionsThatEndWithinALineAreContinuedOnTheNext) {
  const std::string values = folder.path("v.jsonl");
  std::ofstream(values) << R"({"step": 0, "value": 1})"
                        << "\n"
                        << R"({"step": 1, "val)";  // as a kill leaves it
  ASSERT_EQ(learn("--predict " + values).code, 0);
  const std::string text = read_file(values);
  EXPECT_NE(text.find("\"val\n{\"step\": 0, "), std::string::npos) << text.substr(0, 200);
}

}  // namespace
}  // namespace bellwether::testing
