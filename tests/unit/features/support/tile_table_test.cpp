#include <bellwether/features/support/tile_table.h>

#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace bellwether {
namespace {

TEST(TileTable, GivesTheIndexThatTheHashNamesOrTheNextFreeOne) {
  TileTable table(4);
  EXPECT_EQ(table.index(100, 2), 2U);
  EXPECT_EQ(table.index(200, 2), 3U);
  EXPECT_EQ(table.index(300, 2), 0U) << "after the last comes the first";
  EXPECT_EQ(table.index(0, 1), 1U);
}

TEST(TileTable, RemembersAndSharesWhenNothingIsFree) {
  constexpr std::uint64_t count = 1000;
  TileTable table(count);
  std::vector<std::uint32_t> given;
  for (std::uint64_t id = 0; id < count; ++id)
    given.push_back(table.index(id, static_cast<std::uint32_t>(id * id % 97)));
  EXPECT_EQ(std::set<std::uint32_t>(given.begin(), given.end()).size(), count);
  for (std::uint64_t id = 0; id < count; ++id) {
    EXPECT_EQ(table.index(id, static_cast<std::uint32_t>(id * id % 97)), given[id]);
    EXPECT_EQ(table.index(count + id, 5), 5U);
  }
}

}  // namespace
}  // namespace bellwether
