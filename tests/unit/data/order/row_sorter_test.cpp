#include <bellwether/data/order/row_sorter.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>

#include <gtest/gtest.h>

#include "support/rejection.h"

namespace bellwether {
namespace {

using Row = std::array<double, 3>;

std::vector<Row> random_rows(std::size_t count) {
  std::mt19937 random(1);
  std::vector<Row> rows(count);
  for (std::size_t i = 0; i < count; ++i) {
    rows[i] = {static_cast<double>(random() % 100), static_cast<double>(random() % 50), static_cast<double>(i)};
  }
  return rows;
}

std::vector<Row> sorted_by_sorter(const std::vector<Row>& rows, std::size_t memory) {
  RowSorter sorter(3, {1, 0, 2}, memory);
  for (const Row& row : rows) sorter.add(row.data());
  sorter.finish();
  std::vector<Row> all;
  while (const double* row = sorter.next()) all.push_back({row[0], row[1], row[2]});
  EXPECT_EQ(sorter.next(), nullptr);
  return all;
}

TEST(RowSorter, SortsByTheCellsThatAreNamedWithAnyAmountOfMemory) {
  for (const std::size_t count : {0U, 1U, 2U, 5000U}) {
    const std::vector<Row> rows = random_rows(count);
    std::vector<Row> expected = rows;
    std::sort(expected.begin(), expected.end(), [](const Row& a, const Row& b) {
      return std::array{a[1], a[0], a[2]} < std::array{b[1], b[0], b[2]};
    });
    // All rows in memory, stretches of 1000 rows in a file, and stretches of two.
    for (const std::size_t memory : {std::size_t{1} << 20U, std::size_t{32000}, std::size_t{1}}) {
      EXPECT_EQ(sorted_by_sorter(rows, memory), expected) << count << " rows, " << memory << " bytes";
    }
  }
}

TEST(RowSorter, SaysWhenThereIsNoPlaceForItsFile) {
  const char* const before = std::getenv("TMPDIR");
  const std::string old = before == nullptr ? "" : before;
  setenv("TMPDIR", "/proc", 1);
  const std::string said = testing::failure([] { sorted_by_sorter(random_rows(100), 1); });
  if (before == nullptr) unsetenv("TMPDIR");
  else setenv("TMPDIR", old.c_str(), 1);
  EXPECT_EQ(said.rfind("cannot sort the rows in /proc/bellwether-sort-", 0), 0U) << said;
  EXPECT_NE(said.find("(TMPDIR names another folder)"), std::string::npos) << said;
}

}  // namespace
}  // namespace bellwether
