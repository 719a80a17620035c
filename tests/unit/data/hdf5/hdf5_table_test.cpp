#include <bellwether/data/hdf5/hdf5_table.h>

#include <gtest/gtest.h>

#include "support/data/hdf5_writer.h"
#include "support/data/python_data.h"
#include "support/data/tables.h"
#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::Hdf5Writer;
using testing::python_data;
using testing::read_all;
using testing::rejection;
using Names = std::vector<std::string>;
using Numbers = std::vector<double>;

class OtherHdf5 : public testing::FileTest {
 protected:
  OtherHdf5() : FileTest("log.h5") {}

  std::string objection(const Names& columns = {"rewards"}) const {
    return short_of(rejection([&] { read_all(*open_hdf5_table(file_), columns); }));
  }
};

TEST_F(OtherHdf5, EachLayoutIsKnownByItsMembers) {
  { Hdf5Writer(file_).episode(0, 2, 1); }
  EXPECT_EQ(open_hdf5_table(file_)->columns().back(), "episode");
  {
    Hdf5Writer writer(file_);
    writer.numbers("rewards", {2}, {1, 2});
    writer.numbers("observations", {2, 2}, {1, 2, 3, 4});
    writer.numbers("other", {3}, {1, 2, 3});
    writer.texts("names", 2);
  }
  auto flat = open_hdf5_table(file_);
  EXPECT_EQ(flat->columns(), (Names{"observations.0", "observations.1", "rewards"}));
  EXPECT_EQ(read_all(*flat, Names{"rewards", "observations.1"}).cells, (Numbers{1, 2, 2, 4}));
  EXPECT_EQ(objection({"other"}), "log.h5: other has 3 rows, but there are 2 rewards");
  EXPECT_EQ(objection({"names"}), "log.h5: names does not hold numbers");
  flat.reset();
  { Hdf5Writer(file_).numbers("x", {1}, {1}); }
  EXPECT_EQ(objection(),
            "log.h5 holds no episodes (groups episode_0, episode_1, ..., as of Minari; arrays rewards_0, ..., as of "
            "d3rlpy; or arrays observations, rewards, ..., as of D4RL)");
}

TEST_F(OtherHdf5, EpisodesOfD3rlpyMayHoldTuples) {
  {
    Hdf5Writer writer(file_);
    for (const std::string i : {"10", "9"}) {
      writer.numbers("observations_" + i + "_0", {2, 1}, {1, 2});
      writer.numbers("observations_" + i + "_1", {2, 2}, {3, 4, 5, 6});
      writer.numbers("rewards_" + i, {2, 1}, {7, 8});
      writer.numbers("terminated_" + i, {1}, {i == "9" ? 1.0 : 0.0});
    }
  }
  const auto table = open_hdf5_table(file_);
  const Names columns{"observations/0", "observations/1.0", "observations/1.1", "rewards",
                      "terminated",     "truncated",        "episode"};
  EXPECT_EQ(table->columns(), columns);
  EXPECT_EQ(read_all(*table, columns).cells, (Numbers{1, 3, 4, 7, 0, 0, 9,  2, 5, 6, 8, 1, 0, 9,  //
                                                      1, 3, 4, 7, 0, 0, 10, 2, 5, 6, 8, 0, 1, 10}));
}

TEST_F(OtherHdf5, SaysWhatIsWrongWithAnEpisode) {
  const auto write = [&](std::uint64_t observations, std::uint64_t width, bool flag) {
    Hdf5Writer writer(file_);
    writer.numbers("observations_0", {2, 2}, {1, 2, 3, 4});
    writer.numbers("rewards_0", {2, 1}, {7, 8});
    writer.numbers("terminated_0", {1}, {0});
    writer.numbers("observations_1", {observations, width}, Numbers(observations * width));
    writer.numbers("rewards_1", {2, 1}, {7, 8});
    if (flag) writer.numbers("terminated_1", {1}, {0});
  };
  write(3, 2, true);
  EXPECT_EQ(objection({"observations.0"}), "log.h5: observations_1 has 3 rows, but there are 2 rewards");
  write(2, 3, true);
  EXPECT_EQ(objection({"observations.0"}),
            "log.h5: observations_1: mixed dimensions: a row has 3 numbers, in the first episode 2");
  write(2, 2, false);
  EXPECT_EQ(objection({"observations.0"}), "log.h5: terminated_1 is missing, or not a flag");
}

using Hdf5FromPython = testing::FromPython;

TEST_F(Hdf5FromPython, EpisodesThatD3rlpyDumpedAreReadAsTheyWerePlayed) {
  const testing::Truth truth = testing::python_truth("other_hdf5");
  Numbers expected;
  for (const Numbers& row : truth.rows) expected.insert(expected.end(), row.begin(), row.end());
  const auto table = open_hdf5_table(python_data("d3rlpy.h5"));
  EXPECT_EQ(table->columns(), truth.columns);
  EXPECT_EQ(read_all(*table, truth.columns).cells, expected);
}

TEST_F(Hdf5FromPython, D4rlAndTheFirstD3rlpyHoldTheSameSteps) {
  const testing::Truth truth = testing::python_truth("other_hdf5");
  const Names columns{"observations.0", "observations.3", "actions", "rewards", "terminals", "timeouts"};
  Numbers expected;
  for (const Numbers& row : truth.rows) {
    expected.insert(expected.end(), {row[0], row[3], row[4], row[5], row[6], row[7]});
  }
  for (const char* file : {"d4rl.hdf5", "d3rlpy_1.h5"}) {
    EXPECT_EQ(read_all(*open_hdf5_table(python_data(file)), columns).cells, expected) << file;
  }
  const TableBlock next = read_all(*open_hdf5_table(python_data("d4rl.hdf5")), Names{"next_observations.2"});
  for (std::size_t i = 0; i + 1 < next.rows; ++i) {
    const bool same_episode = truth.rows[i][8] == truth.rows[i + 1][8];
    EXPECT_TRUE(!same_episode || next.cells[i] == truth.rows[i + 1][2]) << i;
  }
}

}  // namespace
}  // namespace bellwether
