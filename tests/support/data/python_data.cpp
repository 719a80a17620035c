#include "support/data/python_data.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace bellwether::testing {

void FromPython::SetUp() {
  if (!std::filesystem::exists(BELLWETHER_PYTHON_DATA)) {
    GTEST_SKIP() << "tests/python/make_data has not written " << BELLWETHER_PYTHON_DATA << ": no network, or no pip";
  }
}

std::string python_data(const std::string& name) { return std::string(BELLWETHER_PYTHON_DATA) + "/" + name; }

Truth python_truth(const std::string& name) {
  std::ifstream file(python_data(name + ".csv"));
  Truth truth;
  std::string line;
  for (bool header = true; std::getline(file, line); header = false) {
    if (line.ends_with('\r')) line.pop_back();
    std::istringstream cells(line);
    if (!header) truth.rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) {
      if (header) truth.columns.push_back(cell);
      else truth.rows.back().push_back(std::strtod(cell.c_str(), nullptr));
    }
  }
  if (truth.rows.empty()) throw std::runtime_error("there is no truth for " + name);
  return truth;
}

}  // namespace bellwether::testing
