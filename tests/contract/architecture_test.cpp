// Dependencies point one way:
//
//   core <- linalg <- traces <- learners
//   core, linalg <- features <- domains
//   core, linalg <- metrics
//   core <- data
//   core, metrics, domains, features, learners <- study
//   core <- results
//   core, learners, domains, features, metrics, study, results <- experiment
//   core, linalg, traces, learners, features, metrics, data <- model
//   core, metrics, study, results <- report
//   all of these <- cli
//
// A domain may name the features that come with it; otherwise learners, domains and feature maps never include one
// another. A report reads results only, never a learner.
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace bellwether {
namespace {

namespace fs = std::filesystem;

using Folders = std::set<std::string>;

/// What the files of a folder may include, besides the folder itself.
const std::map<std::string, Folders>& arrows() {
  static const Folders library{"core", "linalg", "traces",  "learners",   "domains", "features", "metrics",
                               "data", "study",  "results", "experiment", "model",   "report"};
  static const Folders everything = [] {
    Folders all = library;
    all.insert("bellwether.h");
    return all;
  }();
  static const std::map<std::string, Folders> all{
      {"core", {}},
      {"linalg", {"core"}},
      {"traces", {"core", "linalg"}},
      {"learners", {"core", "linalg", "traces"}},
      {"features", {"core", "linalg"}},
      {"domains", {"core", "features"}},
      {"metrics", {"core", "linalg"}},
      {"data", {"core"}},
      {"study", {"core", "metrics", "domains", "features", "learners"}},
      {"results", {"core"}},
      {"experiment", {"core", "learners", "domains", "features", "metrics", "study", "results"}},
      {"model", {"core", "linalg", "traces", "learners", "features", "metrics", "data"}},
      {"report", {"core", "metrics", "study", "results"}},
      {"bellwether.h", library},  // the umbrella for users
      {"cli", everything},
  };
  return all;
}

/// The first part of the path of every <bellwether/...> that a source text includes, and "quoted" for includes that
/// name a file relative to themselves, which would escape this test.
std::vector<std::string> included_folders(std::istream& text) {
  static const std::regex ours(R"(^\s*#\s*include\s*[<"]bellwether/([^/>"]+).*)");
  static const std::regex quoted(R"(^\s*#\s*include\s*".*)");
  std::vector<std::string> all;
  std::smatch match;
  for (std::string line; std::getline(text, line);) {
    if (std::regex_match(line, match, ours)) all.push_back(match[1]);
    else if (std::regex_match(line, quoted)) all.emplace_back("quoted");
  }
  return all;
}

/// Why a file of `folder` may not include `target`, or nothing.
std::string objection(const std::string& folder, const std::string& target) {
  const auto allowed = arrows().find(folder);
  if (allowed == arrows().end()) return "folder '" + folder + "' has no place in the architecture";
  if (target == folder) return "";
  if (target == "quoted") return folder == "cli" ? "" : "files of the library are included as <bellwether/...>";
  if (allowed->second.contains(target)) return "";
  return folder + " may not include " + target;
}

void expect_no_objection(const fs::path& root, const fs::path& file, const std::string& folder) {
  std::ifstream text(file);
  ASSERT_TRUE(text) << file;
  EXPECT_TRUE(arrows().contains(folder)) << fs::relative(file, root) << ": " << objection(folder, folder);
  for (const auto& target : included_folders(text)) {
    EXPECT_EQ(objection(folder, target), "") << fs::relative(file, root);
  }
}

bool is_source(const fs::path& file) { return file.extension() == ".h" || file.extension() == ".cpp"; }

TEST(Architecture, EveryIncludeFollowsAnArrow) {
  const fs::path root = BELLWETHER_SOURCE_DIR;
  const fs::path library = root / "src/bellwether";
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(library)) {
    if (!entry.is_regular_file() || !is_source(entry.path())) continue;
    expect_no_objection(root, entry.path(), fs::relative(entry.path(), library).begin()->string());
    ++files;
  }
  for (const auto& entry : fs::recursive_directory_iterator(root / "cli")) {
    if (!entry.is_regular_file() || !is_source(entry.path())) continue;
    expect_no_objection(root, entry.path(), "cli");
    ++files;
  }
  EXPECT_GT(files, 30U) << "the sources were not found";
}

/// The string literals of a line of source, without the code and comments around them.
std::string literals_in(const std::string& line) {
  std::string all;
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (!inside && line.compare(i, 2, "//") == 0) break;
    if (inside && line[i] == '\\') ++i;
    else if (line[i] == '"' && (i == 0 || line[i - 1] != '\'')) inside = !inside;
    else if (inside) all += line[i];
  }
  return all;
}

TEST(Architecture, TheLibraryDoesNotNameOptionsOfTheProgram) {
  static const std::regex option("(^|[^-])--[a-z]");
  const fs::path root = BELLWETHER_SOURCE_DIR;
  for (const auto& entry : fs::recursive_directory_iterator(root / "src/bellwether")) {
    if (!entry.is_regular_file() || !is_source(entry.path())) continue;
    std::ifstream text(entry.path());
    int number = 0;
    for (std::string line; std::getline(text, line);) {
      ++number;
      EXPECT_FALSE(std::regex_search(literals_in(line), option))
          << fs::relative(entry.path(), root).string() << ":" << number
          << ": messages name fields in backticks, `discount=0.99`, which the program turns into its options";
    }
  }
  EXPECT_EQ(literals_in("fail(\"use --out \\\"x\\\"\", --i); // \"--not this\""), "use --out x");
}

TEST(Architecture, OfLearnersDomainsAndFeatureMapsOnlyDomainsMayIncludeFeatures) {
  for (const std::string from : {"learners", "domains", "features"}) {
    for (const std::string to : {"learners", "domains", "features"}) {
      const bool own_features = from == "domains" && to == "features";
      EXPECT_EQ(objection(from, to).empty(), from == to || own_features) << from << " -> " << to;
    }
  }
}

TEST(Architecture, NoTwoFoldersMayIncludeEachOther) {
  for (const auto& [from, targets] : arrows()) {
    for (const auto& to : targets) EXPECT_FALSE(arrows().at(to).contains(from)) << from << " <-> " << to;
  }
}

TEST(Architecture, ObjectsToArrowsThatAreNotDrawn) {
  EXPECT_EQ(objection("core", "linalg"), "core may not include linalg");
  EXPECT_EQ(objection("metrics", "learners"), "metrics may not include learners");
  EXPECT_EQ(objection("experiment", "report"), "experiment may not include report");
  EXPECT_EQ(objection("report", "learners"), "report may not include learners");
  EXPECT_EQ(objection("learners", "bellwether.h"), "learners may not include bellwether.h");
  EXPECT_EQ(objection("utils", "core"), "folder 'utils' has no place in the architecture");
}

TEST(Architecture, SeesEveryWayToWriteAnInclude) {
  std::istringstream text(
      "#include <bellwether/core/support/rng.h>\n  # include \"bellwether/linalg/simd/simd.h\"\n#include <vector>\n"
      "#include \"../learners/td.h\"\n// #include <bellwether/report/page.h>\n#include <bellwether/bellwether.h>\n");
  EXPECT_EQ(included_folders(text), (std::vector<std::string>{"core", "linalg", "quoted", "bellwether.h"}));
}

}  // namespace
}  // namespace bellwether
