#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace bellwether::testing {

/// Tests that read files written by Python packages (tests/python/make_data.py). They are skipped if these packages
/// cannot be installed. Names of the suites end in FromPython, so that ctest makes the files first.
class FromPython : public ::testing::Test {
 protected:
  void SetUp() override;
};

/// The path of one of the files.
std::string python_data(const std::string& name);

/// The expected content of a file, which Python wrote to name.csv.
struct Truth {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
};
Truth python_truth(const std::string& name);

}  // namespace bellwether::testing
