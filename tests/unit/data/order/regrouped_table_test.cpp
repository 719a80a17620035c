#include <bellwether/data/order/regrouped_table.h>

#include <cmath>

#include <gtest/gtest.h>

#include <bellwether/data/cells.h>
#include <bellwether/data/order/checked_table.h>

#include "support/data/files.h"
#include "support/rejection.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

using testing::rejection;

class RowOrderTest : public ::testing::Test {
 protected:
  std::unique_ptr<TableReader> open(const std::string& text) {
    return open_table(testing::write_file(folder_.path("log.csv"), text), {.bad_rows = bad_rows_});
  }
  bool in_order(const std::string& text) {
    const auto table = open(text);
    return rows_in_order(*table, find_columns({}, table->columns(), "log.csv"));
  }
  /// The states in the order in which they are returned; a bar where rows are missing.
  std::string sorted(const std::string& text, std::size_t memory = std::size_t{1} << 20U) {
    auto table = open(text);
    const LogColumns columns = find_columns({}, table->columns(), "log.csv");
    RegroupedTable rows(std::move(table), columns, memory);
    rows.select({{.name = "s"}});
    std::string all;
    std::uint64_t before = 0;
    for (TableBlock block; rows.read(block, 3);) {
      for (std::size_t i = 0; i < block.rows; ++i) {
        if (before > 0 && rows.rows_missing(before, block.row[i])) all += "| ";
        before = block.row[i];
        all += format_number(block[i][0]) + " ";
      }
    }
    EXPECT_EQ(rows.fraction(), 1);
    return all;
  }

  BadRows bad_rows_ = BadRows::reject;
  testing::TemporaryFolder folder_;
};

TEST_F(RowOrderTest, AnEpisodeThatGoesOnAfterAnotherIsOutOfOrder) {
  EXPECT_TRUE(in_order("s,reward,episode\n1,0,a\n2,0,a\n3,0,b\n4,0,b\n"));
  EXPECT_FALSE(in_order("s,reward,episode\n1,0,a\n2,0,b\n3,0,a\n"));
  EXPECT_TRUE(in_order("s,reward,env,episode\n1,0,x,1\n2,0,y,1\n3,0,y,2\n"));
  EXPECT_FALSE(in_order("s,reward,env,done\n1,0,x,0\n2,0,y,0\n3,0,x,1\n4,0,y,1\n"));
}

TEST_F(RowOrderTest, ANameThatIsUsedAgainAfterTheEndIsAnotherEpisode) {
  EXPECT_TRUE(in_order("s,reward,episode,done,t\n1,0,a,0,0\n2,0,a,1,1\n3,0,b,1,0\n4,0,a,0,0\n5,0,a,1,1\n"));
  EXPECT_FALSE(in_order("s,reward,episode,done,t\n1,0,a,0,0\n3,0,b,1,0\n2,0,a,1,1\n"));
}

TEST_F(RowOrderTest, TheBeginningOfAnEpisodeAfterItsEndIsOutOfOrder) {
  const std::string text = "s,reward,episode,done,t\n3,0,a,0,3\n4,0,a,1,4\n5,0,b,1,9\n1,0,a,0,1\n2,0,a,0,2\n";
  EXPECT_FALSE(in_order(text));
  EXPECT_EQ(sorted(text), "1 2 3 4 5 ");
  // A clock that goes on, or starts anew, is that of another episode.
  EXPECT_TRUE(in_order("s,reward,episode,done,t\n1,0,a,0,3\n2,0,a,1,4\n3,0,b,1,9\n4,0,a,0,10\n5,0,a,1,11\n"));
}

TEST_F(RowOrderTest, TimeThatGoesBackwardsWithinAnEpisodeIsOutOfOrder) {
  EXPECT_TRUE(in_order("s,reward,episode,t\n1,0,a,0\n2,0,a,0\n3,0,a,5\n4,0,b,1\n"));
  EXPECT_FALSE(in_order("s,reward,episode,t\n1,0,a,1\n2,0,a,0\n"));
  EXPECT_FALSE(in_order("s,reward,episode,timestamp\n1,0,a,2024-02-29T23:59:59Z\n2,0,a,2024-02-29T23:59:58.5Z\n"));
}

TEST_F(RowOrderTest, DatesAreSecondsSince1970) {
  EXPECT_EQ(moment_number("1970-01-01"), 0);
  EXPECT_EQ(moment_number("2024-02-29T23:59:59Z"), 1709251199);
  EXPECT_EQ(moment_number("2024-02-29 23:59:59.25"), 1709251199.25);
  EXPECT_EQ(moment_number("2024-03-01T00:59:59+01:00"), 1709251199);
  EXPECT_EQ(moment_number("2024-02-29T18:29:59-0530"), 1709251199);
  for (const char* text : {"", "12:30", "2024-02-30", "2024-2-3", "2024-02-29T", "2024-02-29T12", "2024-02-29T12:30:1",
                           "2024-02-29T12:30:15x", "2024-02-29T12:30:1.25", "yesterday"}) {
    EXPECT_TRUE(std::isnan(moment_number(text))) << text;
  }
  EXPECT_EQ(rejection([&] { in_order("s,reward,episode,t\n1,0,a,soon\n"); }),
            folder_.path("log.csv") +
                ": row 1, column 't': 'soon' is neither a number nor a date and time such as "
                "2024-02-29T23:59:59");
}

TEST_F(RowOrderTest, EpisodesThatNoMemoryHoldsAreFoundAtTheEnd) {
  const LogColumns columns{.state = {"s"}, .reward = {"reward"}, .episode = "episode"};
  for (const bool again : {false, true}) {
    OrderCheck exact(columns, /*exact=*/true, /*most_open=*/2), quick(columns, /*exact=*/false, 2);
    for (double episode = 0; episode < 10; ++episode) EXPECT_TRUE(exact.add(&episode) && quick.add(&episode));
    const double first = again ? 0 : 10;
    EXPECT_TRUE(exact.add(&first) && quick.add(&first)) << "long forgotten";
    EXPECT_EQ(exact.finish(), !again);
    EXPECT_TRUE(quick.finish());
  }
}

TEST_F(RowOrderTest, RowsAreSortedByEpisodeAndTime) {
  const std::string in_turn = "s,reward,episode\n1,0,b\n2,0,a\n3,0,b\n4,0,a\n5,0,c\n6,0,b\n";
  EXPECT_EQ(sorted(in_turn), "1 3 6 2 4 5 ");
  EXPECT_EQ(sorted(in_turn, 1), sorted(in_turn)) << "through a file";
  EXPECT_EQ(sorted("s,reward,env,episode,t\n1,0,x,1,3\n2,0,y,1,3\n3,0,x,1,1\n4,0,y,1,2\n5,0,x,1,2\n"), "3 5 1 4 2 ");
}

TEST_F(RowOrderTest, TimeMayStartAnewAfterAnEnd) {
  EXPECT_EQ(
      sorted("s,reward,env,t,done\n1,0,x,0,0\n2,0,y,0,0\n3,0,x,1,1\n4,0,y,1,0\n5,0,x,0,0\n6,0,y,2,1\n7,0,x,1,1\n"),
      "1 3 5 7 2 4 6 ");
}

TEST_F(RowOrderTest, AnEndThatIsOutOfPlaceStartsNothingAnew) {
  EXPECT_EQ(sorted("s,reward,episode,t,done\n2,0,a,2,0\n4,0,a,4,1\n1,0,a,1,0\n3,0,a,3,0\n"), "1 2 3 4 ");
}

TEST_F(RowOrderTest, EqualTimesLeaveTheOrderUnknown) {
  EXPECT_EQ(rejection([&] { sorted("s,reward,episode,t\n1,0,a,1\n2,0,a,0\n3,0,a,1\n"); }),
            folder_.path("log.csv") +
                ": rows 1 and 3 belong to one episode and have the same 't', 1: their order is not known "
                "(`episode=NAME` and `env=NAME` tell episodes apart, `time=NAME` is another column of time, and with "
                "`time=none` rows are in the order of the file)");
}

TEST_F(RowOrderTest, ARowThatWasLeftOutIsMissingInEveryEpisodeThatGoesOnAfterIt) {
  bad_rows_ = BadRows::skip;
  EXPECT_EQ(sorted("s,reward,episode\n1,0,a\n2,0,b\nbad,0,a\n3,0,b\n4,0,c\n5,0,a\n6,0,b\n"), "1 | 5 | 2 | 3 6 4 ");
}

TEST_F(RowOrderTest, AStreamMustBeInOrder) {
  auto table = open("s,reward,episode\n1,0,a\n2,0,b\n3,0,a\n");
  const LogColumns columns = find_columns({}, table->columns(), "log.csv");
  CheckedTable rows(std::move(table), columns);
  rows.select({{.name = "s"}});
  TableBlock block;
  EXPECT_TRUE(rows.read(block, 10));
  EXPECT_EQ(block.rows, 2U) << "those before come first";
  EXPECT_EQ(rejection([&] { rows.read(block, 10); }),
            folder_.path("log.csv") +
                ": row 3 goes on with an episode that rows of another one, or of a later time, "
                "have interrupted: a stream is learned from as it comes; write it to a file and "
                "learn from that");
}

}  // namespace
}  // namespace bellwether
