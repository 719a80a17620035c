// The installed headers, which cmake/public_headers.cmake lists, are bellwether.h and everything it includes, and every
// one of them teaches what it declares: at least half of it is comment.
#include <cmath>
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

/// The share of its lines that carry a comment, on a line of its own or beside code; blank lines, includes, pragmas and
/// the lines that open and close a namespace do not count.
double commented_share(const std::string& header) {
  double comments = 0;
  double all = 0;
  for (const std::string& line : lines_of(root + header)) {
    if (line.empty() || line[0] == '#' || line.starts_with("namespace ") || line.starts_with("}  // namespace"))
      continue;
    all += 1;
    if (line.find("//") != std::string::npos) comments += 1;
  }
  return comments / all;
}

TEST(PublicHeaders, AreAtLeastHalfComment) {
  for (const std::string& header : installed()) {
    const double share = commented_share(header);
    EXPECT_GE(share, 0.5) << header << ": " << std::floor(100 * share) << " % of its lines carry a comment";
  }
}

}  // namespace
}  // namespace bellwether
