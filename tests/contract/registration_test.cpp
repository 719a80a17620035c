// A learner, a domain, a feature map is one header and one line in all.h: neither may be forgotten.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <bellwether/domains/domains.h>
#include <bellwether/features/feature_maps.h>
#include <bellwether/learners/learners.h>

namespace bellwether {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The names that a header declares as `static constexpr const char* name = "..."`.
std::vector<std::string> declared_names(const std::string& text) {
  static const std::regex pattern(R"rx(static constexpr const char\*\s*name\s*=\s*"([^"]*)")rx");
  std::vector<std::string> all;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    all.push_back((*match)[1]);
  }
  return all;
}

template <class Entries>
void expect_files_and_list_agree(const char* folder, const Entries& entries) {
  std::set<std::string> files;
  for (const auto& file : std::filesystem::recursive_directory_iterator(std::filesystem::path(BELLWETHER_SOURCE_DIR) /
                                                                        "src/bellwether" / folder)) {
    if (file.path().extension() != ".h") continue;
    const std::string stem = file.path().stem();
    const auto names = declared_names(content(file.path()));
    if (names.empty()) continue;
    files.insert(stem);
    EXPECT_EQ(names, std::vector<std::string>{stem}) << "a header defines one registered type, named like its file";
  }
  std::set<std::string> registered;
  for (const auto& entry : entries) {
    EXPECT_TRUE(registered.insert(entry.name).second) << entry.name << " is registered twice";
  }
  EXPECT_EQ(files, registered) << "the headers in " << folder << " and the list in its all.h differ";
}

TEST(Registration, EveryLearnerHasAHeaderAndALine) { expect_files_and_list_agree("learners", learners()); }
TEST(Registration, EveryDomainHasAHeaderAndALine) { expect_files_and_list_agree("domains", domains()); }
TEST(Registration, EveryFeatureMapHasAHeaderAndALine) { expect_files_and_list_agree("features", feature_maps()); }

TEST(Registration, FindsTheNamesThatAHeaderDeclares) {
  EXPECT_EQ(declared_names(R"(static constexpr const char* name = "a"; x static constexpr const char* name ="b";)"),
            (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(declared_names("const char* name;").empty());
}

}  // namespace
}  // namespace bellwether
