// The queries of docs/store.md.
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "support/results.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

using Table = std::vector<std::vector<std::string>>;

/// The answer to a query, every cell as text.
Table answer(const std::string& file, const std::string& query) {
  Table rows;
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open_v2(file.c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  const auto add = [](void* table, int cells, char** text, char**) {
    auto& row = static_cast<Table*>(table)->emplace_back();
    for (int i = 0; i < cells; ++i) row.emplace_back(text[i] == nullptr ? "NULL" : text[i]);
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(database, query.c_str(), add, &rows, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
  sqlite3_close(database);
  return rows;
}

/// The blocks of SQL of the page.
std::vector<std::string> queries() {
  std::ifstream page(BELLWETHER_SOURCE_DIR "/docs/store.md");
  std::vector<std::string> all;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line == "```sql") all.emplace_back();
    else if (inside && line != "```") all.back() += line + "\n";
    inside = line == "```sql" || (inside && line != "```");
  }
  return all;
}

/// The mean of the first metric over the runs of a setting that did not diverge.
double error(std::size_t setting) {
  double sum = 0;
  double runs = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RunRecord run = testing::small_run(setting, seed);
    if (run.diverged_at) continue;
    sum += run.average[0];
    ++runs;
  }
  return sum / runs;
}

TEST(StoreQueries, OfTheDocumentationAnswerWhatItSays) {
  const testing::TemporaryFolder folder;
  const std::string file = folder.path("boyan.db");
  testing::write_small_study(file);
  const auto all = queries();
  ASSERT_EQ(all.size(), 3U);

  const Table smallest = answer(file, all[0]);
  ASSERT_EQ(smallest.size(), 3U);
  EXPECT_EQ(smallest[0][1], R"({"alpha":"0.2","lambda":"0","trace":"accumulating"})");
  EXPECT_EQ(smallest[2][0], "lstd");
  EXPECT_EQ(smallest[2][2], "20");
  EXPECT_EQ(smallest[2][3], "2");
  EXPECT_NEAR(std::stod(smallest[2][4]), error(2), 1e-12);

  const Table sensitivity = answer(file, all[1]);
  ASSERT_EQ(sensitivity.size(), 2U);
  EXPECT_EQ(sensitivity[0][0], "0.1");
  EXPECT_NEAR(std::stod(sensitivity[0][1]), error(0), 1e-12);
  EXPECT_NEAR(std::stod(sensitivity[1][1]), error(1), 1e-12);

  const Table paired = answer(file, all[2]);
  ASSERT_EQ(paired.size(), 1U);
  EXPECT_EQ(paired[0][0], "20");
  EXPECT_NEAR(std::stod(paired[0][1]), error(0) - error(1), 1e-12);
}

}  // namespace
}  // namespace bellwether
