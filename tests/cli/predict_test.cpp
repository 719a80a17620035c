// Values of states from a model: what is carried along, left out and written.
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/learn_fixture.h"

namespace bellwether::testing {
namespace {

TEST_F(Learn, PredictionsSayHowManyRowsTheyLeftOut) {
  const std::string log = write("log.csv", "s,reward,done\n0,1,0\n1,1,1\n");
  ASSERT_EQ(bellwether("learn " + log + " -m " + path("m.bw")).code, 0);
  const auto done =
      bellwether("predict " + path("m.bw") + " " + write("bad.csv", "s\n0\noops\n1\n\"\"\n") + " --skip-bad");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_NE(done.err.find("warning: 2 rows were left out; the first: "), std::string::npos) << done.err;
  EXPECT_NE(done.err.find("'oops' is not a number"), std::string::npos) << done.err;
}

TEST_F(Learn, PredictionsCarryColumnsAlong) {
  const std::string log = write("log.csv", "s,reward,done\n0,1,0\n1,1,1\n0,1,0\n1,2,1\n");
  ASSERT_EQ(bellwether("learn " + log + " -m " + path("m.bw")).code, 0);
  const auto kept = [&](const std::string& file, const std::string& options) {
    const auto done = bellwether("predict " + path("m.bw") + " " + file + " --keep " + options);
    EXPECT_EQ(done.code, 0) << done.err;
    return done.out;
  };
  const auto ends = [](const std::string& text) {  // what follows visits, row by row
    std::string all;
    std::istringstream rows(text);
    for (std::string row; std::getline(rows, row);) {
      std::size_t at = 0;
      for (int commas = 0; commas < 3; ++commas) at = row.find(',', at) + 1;
      all += row.substr(at) + "\n";
    }
    return all;
  };
  const std::string csv = write("s.csv", "id,s,note\n007,0,\"a, \"\"b\"\"\"\n=1+1,1,\n-5,0,x y\n");
  EXPECT_EQ(ends(kept(csv, "id,note")), "id,note\n007,\"a, \"\"b\"\"\"\n'=1+1,\n-5,x y\n");
  EXPECT_EQ(ends(kept(csv, "s")), "s\n0\n1\n0\n") << "a variable of the state, too";
  const std::string lines = write("s.jsonl", "{\"s\": 0, \"id\": \"\\u00e4\"}\n{\"s\": 1, \"id\": 5}\n{\"s\": 0}\n");
  EXPECT_EQ(ends(kept(lines, "id")), "id\n\u00e4\n5\n\n");
  kept(lines, "id -o " + path("v.jsonl"));
  std::istringstream written(read_file(path("v.jsonl")));
  std::vector<json> ids;
  for (std::string row; std::getline(written, row);) ids.push_back(json::parse(row)["id"]);
  EXPECT_EQ(ids, (std::vector<json>{"\u00e4", 5, nullptr}));

  std::string many = "id,s\n";  // more than a block, and a bad row among them
  for (int i = 0; i < 20000; ++i)
    many += "n" + std::to_string(i) + "," + (i == 9000 ? "oops" : std::to_string(i % 2)) + "\n";
  const std::string all = kept(write("many.csv", many), "id --skip-bad");
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 20000);
  EXPECT_NE(all.find("\n9000,"), std::string::npos);
  std::istringstream rows(all);
  std::string row;
  std::getline(rows, row);
  while (std::getline(rows, row)) {
    ASSERT_EQ(row.substr(row.rfind(',')), ",n" + std::to_string(std::stoi(row) - 1));
  }
}

TEST_F(Learn, ColumnsThatCannotBeCarriedAlongAreRefused) {
  const std::string log = write("log.csv", "s,reward,done\n0,1,0\n1,1,1\n0,1,0\n1,2,1\n");
  ASSERT_EQ(bellwether("learn " + log + " -m " + path("m.bw")).code, 0);
  const auto refusal = [&](const std::string& keep) {
    const auto done = bellwether("predict " + path("m.bw") + " " + log + " --keep " + keep);
    EXPECT_EQ(done.code, 2);
    return done.err;
  };
  EXPECT_NE(refusal("rewrd").find("there is no column 'rewrd'; did you mean 'reward'?"), std::string::npos);
  EXPECT_NE(refusal("s,s").find("--keep names 's' twice"), std::string::npos);
  EXPECT_NE(refusal("visits").find("column"), std::string::npos);
}

TEST_F(Learn, PredictionsAreWrittenOnlyUnderNamesOfTheirFormat) {
  const std::string log = write("log.csv", "s,reward,done\n0,1,0\n1,1,1\n0,1,0\n1,2,1\n");
  ASSERT_EQ(bellwether("learn " + log + " -m " + path("m.bw")).code, 0);
  for (const std::string name : {"v.parquet", "v.npz", "v.json", "v.H5", "v.tsv", "v.csv.gz"}) {
    const auto done = bellwether("predict " + path("m.bw") + " " + log + " -o " + path(name));
    EXPECT_EQ(done.code, 2);
    EXPECT_EQ(done.err, "bellwether: " + path(name) + ": predict writes .csv and .jsonl\n");
    EXPECT_FALSE(std::filesystem::exists(path(name)));
  }
  for (const std::string name : {"v.csv", "v.txt", "v.ndjson"}) {
    EXPECT_EQ(bellwether("predict " + path("m.bw") + " " + log + " -o " + path(name)).code, 0) << name;
    EXPECT_EQ(read_file(path(name)).front(), name == "v.ndjson" ? '{' : 'r') << name;
  }
}

}  // namespace
}  // namespace bellwether::testing
