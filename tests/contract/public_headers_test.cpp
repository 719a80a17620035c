// The installed headers, which cmake/public_headers.cmake lists, are bellwether.h and everything it includes, and every
// one of them explains itself.
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace bellwether {
namespace {

using Headers = std::set<std::string>;

const std::string root = BELLWETHER_SOURCE_DIR "/src/bellwether/";

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream text(path);
  EXPECT_TRUE(text) << path;
  std::vector<std::string> all;
  for (std::string line; std::getline(text, line);)
    all.push_back(line.substr(std::min(line.find_first_not_of(' '), line.size())));
  return all;
}

Headers installed() {
  Headers all;
  for (const std::string& line : lines_of(BELLWETHER_SOURCE_DIR "/cmake/public_headers.cmake")) {
    const std::size_t end = line.find(".h");
    if (end != std::string::npos && line[0] != '#') all.insert(line.substr(0, end + 2));
  }
  return all;
}

void add_included(const std::string& header, Headers& all) {
  static const std::string ours = "#include <bellwether/";
  if (!all.insert(header).second) return;
  for (const std::string& line : lines_of(root + header)) {
    if (line.starts_with(ours)) add_included(line.substr(ours.size(), line.find('>') - ours.size()), all);
  }
}

TEST(PublicHeaders, AreBellwetherHAndWhatItIncludes) {
  Headers included;
  add_included("bellwether.h", included);
  EXPECT_EQ(installed(), included);
}

TEST(PublicHeaders, IncludeNothingButTheStandardLibraryAndEachOther) {
  for (const std::string& header : installed()) {
    for (const std::string& line : lines_of(root + header)) {
      if (!line.starts_with("#include") || line.starts_with("#include <bellwether/")) continue;
      EXPECT_EQ(line.find_first_of("/."), std::string::npos) << header << ": " << line;  // <vector>, not <fmt/format.h>
    }
  }
}

// A sentence beside a member or within a Field counts as much as a line of its own.
TEST(PublicHeaders, ExplainThemselvesInThreeLinesOfTenAtLeast) {
  for (const std::string& header : installed()) {
    double comments = 0;
    double all = 0;
    for (const std::string& line : lines_of(root + header)) {
      if (line.empty() || line[0] == '#') continue;
      all += 1;
      if (line.find("//") != std::string::npos || line.find("Field(\"") != std::string::npos) comments += 1;
    }
    EXPECT_GE(comments, 0.3 * all) << header;
  }
}

}  // namespace
}  // namespace bellwether
