#include <gtest/gtest.h>

#include <bellwether/core/support/text_table.h>

namespace bellwether {
namespace {

TEST(TextTable, AlignsColumnsToTheirWidestCell) {
  TextTable table({{.title = "name", .right = false}, {.title = "n"}});
  table.add({"a", "1"});
  table.add({"longer", "100"});
  EXPECT_EQ(table.text(),
            "name      n\n"
            "------  ---\n"
            "a         1\n"
            "longer  100\n");
}

}  // namespace
}  // namespace bellwether
