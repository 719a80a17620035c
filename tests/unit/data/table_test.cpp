#include <bellwether/data/table.h>

#include <gtest/gtest.h>

#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::rejection;

TEST(Table, AMissingColumnIsNamedWithTheNearestAndAllThereAre) {
  EXPECT_EQ(rejection([] {
              reject_column("log.csv", "rewrd", {"x", "reward"});
            }),
            "log.csv: there is no column 'rewrd'; did you mean 'reward'? (columns: x, reward)");
}

TEST(Table, OfManyColumnsAMessageShowsTwenty) {
  std::vector<std::string> columns;
  for (int i = 0; i < 1000; ++i) columns.push_back("x." + std::to_string(i));
  const std::string message = rejection([&] { reject_column("log.csv", "reward", columns); });
  EXPECT_EQ(message.substr(message.find("x.18")), "x.18, x.19 and 980 more)");
}

TEST(Table, ALocationIsFileRowAndColumn) {
  EXPECT_EQ(location("log.csv", 17, "reward"), "log.csv: row 17, column 'reward'");
}

}  // namespace
}  // namespace bellwether
