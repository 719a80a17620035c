#pragma once

#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/process.h"
#include "cli/program.h"
#include "support/temporary_folder.h"

namespace bellwether::testing {

using nlohmann::json;

/// Tests of `learn` and `predict`, with files in a folder of their own.
class Learn : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  /// A log of a domain, as `simulate` writes it.
  std::string simulated(const std::string& domain, int steps, const std::string& name = "log.csv", int seed = 1) const {
    const auto made = bellwether("simulate " + domain + " --steps " + std::to_string(steps) + " --seed " +
                                 std::to_string(seed) + " -o " + path(name));
    EXPECT_EQ(made.code, 0) << made.err;
    return path(name);
  }
  /// Runs a verb with a file as its standard input.
  static Finished piped(const std::string& file, const std::string& arguments) {
    return Process({"/bin/sh", "-c", "exec " BELLWETHER_PROGRAM " " + arguments + " < " + file}).finish();
  }
  static json summary(const std::string& arguments) {
    const auto done = bellwether("learn " + arguments + " --json");
    EXPECT_EQ(done.code, 0) << done.err;
    return json::parse(done.out);
  }

  TemporaryFolder folder_;
};

/// A short log of walks to the right: three states, the last step ends.
inline const std::string walks = [] {
  std::string text = "s,reward,done\n";
  for (int i = 0; i < 60; ++i) text += "0,1,0\n1,2,0\n2," + std::to_string(i % 3) + ",1\n";
  return text;
}();

}  // namespace bellwether::testing
