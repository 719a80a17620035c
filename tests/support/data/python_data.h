#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace bellwether::testing {

/// Tests that read files which Python packages have written, by tests/python/make_data.py. They are skipped where these
/// packages cannot be installed. Names of their suites end in FromPython, for the files to be made before.
class FromPython : public ::testing::Test {
 protected:
  void SetUp() override;
};

/// The path of one of the files.
std::string python_data(const std::string& name);

/// What a file holds, from another one that was written beside it: name.csv.
struct Truth {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
};
Truth python_truth(const std::string& name);

}  // namespace bellwether::testing
