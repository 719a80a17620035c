#include <bellwether/data/hdf5/minari.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/data/hdf5_writer.h"
#include "support/data/npz_writer.h"
#include "support/data/python_data.h"
#include "support/data/tables.h"
#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::failure;
using testing::Hdf5Writer;
using testing::rejection;
using testing::requests_of;
using testing::write_file;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// All rows of some columns as text, so that empty cells are equal.
std::vector<std::string> rows_of(TableReader& table, std::vector<ColumnRequest> requests, std::size_t block_rows) {
  table.select(std::move(requests));
  std::vector<std::string> rows;
  TableBlock block;
  while (table.read(block, block_rows)) {
    EXPECT_LE(block.rows, block_rows);
    for (std::size_t i = 0; i < block.rows; ++i) {
      std::string text;
      for (std::size_t c = 0; c < block.columns; ++c) text += format_number(block[i][c]) + " ";
      rows.push_back(text);
    }
  }
  return rows;
}

class Minari : public testing::FileTest {
 protected:
  Minari() : FileTest("log.hdf5") {}

  /// What is wrong with the file, if some columns are read to the end; without its folder.
  std::string objection(const std::vector<std::string>& columns = {"rewards", "observations.0"}) const {
    std::string message = rejection([&] { rows_of(*open_minari(file_), requests_of(columns), 3); });
    return short_of(message);
  }
};

TEST_F(Minari, AnEpisodeHasARowForEachObservationWhoseLastHasNoReward) {
  Hdf5Writer(file_).episode(0, 2, 2);
  const auto table = open_minari(file_);
  EXPECT_EQ(table->columns(),
            (std::vector<std::string>{"observations.0", "observations.1", "rewards", "terminations", "episode"}));
  EXPECT_EQ(rows_of(*table, requests_of(table->columns()), 10),
            (std::vector<std::string>{"0 1 0 0 0 ", "2 3 1 0 0 ", "4 5 nan nan 0 "}));
  EXPECT_EQ(table->fraction(), 1);
}

TEST_F(Minari, EpisodesComeInTheOrderOfTheirNumbersInBlocksOfAnySize) {
  {
    Hdf5Writer writer(file_);
    for (const int episode : {10, 2, 0}) writer.episode(episode, static_cast<std::uint64_t>(episode), 1);
    writer.group("metadata");
  }
  std::vector<std::string> expected;
  for (const int episode : {0, 2, 10}) {
    for (int t = 0; t <= episode; ++t) {
      expected.push_back(std::to_string(episode) + " " + (t < episode ? std::to_string(t) : "nan") + " " +
                         std::to_string(t) + " ");
    }
  }
  for (const std::size_t rows : {1U, 3U, 4U, 100U}) {
    EXPECT_EQ(rows_of(*open_minari(file_), requests_of({"episode", "rewards", "observations.0"}), rows), expected);
  }
}

TEST_F(Minari, ADatasetMayBeGivenByItsFolder) {
  std::filesystem::create_directories(folder_.path("dataset/data"));
  Hdf5Writer(folder_.path("dataset/data/main_data.hdf5")).episode(0, 2, 1);
  EXPECT_EQ(open_minari(folder_.path("dataset"))->columns().size(), 4U);
  EXPECT_EQ(open_minari(folder_.path("dataset/data"))->columns().size(), 4U);
  EXPECT_EQ(failure([&] { open_minari(folder_.path()); }),
            folder_.path() + ": is a directory without data/main_data.hdf5, so it is not a Minari dataset in HDF5");
}

TEST_F(Minari, WhatIsNoDatasetIsRejected) {
  EXPECT_EQ(failure([&] { open_minari(file_); }), file_ + ": cannot open: No such file or directory");
  write_file(file_, "");
  EXPECT_EQ(objection(), "log.hdf5 is empty");
  write_file(file_, "a,b\n1,2\n");
  EXPECT_EQ(objection(), "log.hdf5 is not an HDF5 file");
  Hdf5Writer(file_).group("train");
  EXPECT_EQ(objection(), "log.hdf5 holds no episodes (groups episode_0, episode_1, ...)");
}

TEST_F(Minari, AFileThatIsCutOffIsRejected) {
  Hdf5Writer(file_).episode(0, 2000, 2);
  std::filesystem::resize_file(file_, std::filesystem::file_size(file_) / 2);
  EXPECT_EQ(failure([&] { open_minari(file_); }), file_ + " is damaged, cut off or being written: HDF5 cannot open it");
}

TEST_F(Minari, ALayoutThatIsWrongIsRejectedByEpisodeAndArray) {
  Hdf5Writer(file_).numbers("episode_3/observations", {3, 1}, {1, 2, 3});
  EXPECT_EQ(objection(), "log.hdf5: episode_3/rewards is missing, or not an array");
  Hdf5Writer(file_).numbers("episode_3/rewards", {2}, {1, 2});
  EXPECT_EQ(objection(), "log.hdf5: episode_3/observations is missing");
  {
    Hdf5Writer writer(file_);
    writer.numbers("episode_3/observations", {2, 1}, {1, 2});
    writer.numbers("episode_3/rewards", {2}, {1, 2});
  }
  EXPECT_EQ(objection(), "log.hdf5: episode_3/observations has 2 rows, but there are 2 rewards");
  {
    Hdf5Writer writer(file_);
    writer.numbers("episode_3/observations", {2, 1}, {1, 2});
    writer.numbers("episode_3/rewards", {}, {1});
  }
  EXPECT_EQ(objection(), "log.hdf5: episode_3/rewards is a single number, not one for each step");
  {
    Hdf5Writer writer(file_);
    writer.numbers("episode_3/observations", {2, 1}, {1, 2});
    writer.group("episode_3/rewards");
  }
  EXPECT_EQ(objection(), "log.hdf5: episode_3/rewards is missing, or not an array");
  {
    Hdf5Writer writer(file_);
    writer.episode(0, 2, 1);
    writer.numbers("episode_0/actions", {3}, {1, 2, 3});
  }
  EXPECT_EQ(objection(), "log.hdf5: episode_0/actions has 3 rows, but there are 2 rewards");
}

TEST_F(Minari, EpisodesThatDifferAreRejected) {
  {
    Hdf5Writer writer(file_);
    writer.episode(0, 2, 3);
    writer.episode(1, 2, 4);
  }
  EXPECT_EQ(objection(),
            "log.hdf5: episode_1/observations: mixed dimensions: a row has 4 numbers, in the first "
            "episode 3");
  {
    Hdf5Writer writer(file_);
    writer.episode(0, 2, 1);
    writer.numbers("episode_0/actions", {2}, {1, 2});
    writer.episode(1, 2, 1);
  }
  EXPECT_EQ(objection(), "accepted") << "actions are not asked for";
  EXPECT_EQ(objection({"actions"}), "log.hdf5: episode_1/actions is missing, or not an array");
}

TEST_F(Minari, WhatHoldsNoNumbersIsRejectedOnlyWhenItIsSelected) {
  {
    Hdf5Writer writer(file_);
    writer.episode(0, 2, 1);
    writer.texts("episode_0/actions", 2);
    writer.numbers("episode_0/infos/seed", {}, {1});
    writer.numbers("episode_0/infos/cost", {2}, {1, 2});
  }
  EXPECT_EQ(objection(), "accepted");
  EXPECT_EQ(objection({"infos/cost"}), "accepted");
  EXPECT_EQ(objection({"actions"}), "log.hdf5: episode_0/actions does not hold numbers");
  EXPECT_EQ(objection({"infos/seed"}), "log.hdf5: episode_0/infos/seed is not one value for each step");
  EXPECT_EQ(objection({"reward"}),
            "log.hdf5: there is no column 'reward'; did you mean 'rewards'? (columns: observations.0, rewards, "
            "terminations, infos/cost, episode)");
}

TEST_F(Minari, WhatIsInOtherFilesIsNotRead) {
  const std::string secret = folder_.path("secret.hdf5");
  Hdf5Writer(secret).episode(0, 2, 1);
  Hdf5Writer(file_).external_link("episode_0", secret, "episode_0");
  EXPECT_EQ(objection(), "log.hdf5: / has a link to another file, " + secret + ", which is not followed");
  {
    Hdf5Writer writer(file_);
    writer.episode(0, 2, 1);
    writer.external_link("episode_0/infos/secret", secret, "episode_0/rewards");
  }
  EXPECT_NE(objection({"infos/secret"}).find(" has a link to another file, " + secret), std::string::npos);
  {
    Hdf5Writer writer(file_);
    writer.episode(0, 2, 1);
    writer.episode(1, 2, 1);
    writer.external_link("episode_1/actions", secret, "episode_0/rewards");
    writer.numbers("episode_0/actions", {2}, {1, 2});
  }
  EXPECT_NE(objection({"actions"}).find(" has a link to another file, " + secret), std::string::npos);
  {
    Hdf5Writer writer(file_);
    writer.episode(0, 2, 1);
    writer.virtual_numbers("episode_0/actions", 2, secret, "episode_0/rewards");
  }
  EXPECT_EQ(objection(), "log.hdf5: episode_0/actions has its numbers in other files, which are not read");
}

TEST_F(Minari, GroupsThatContainThemselvesAreRejected) {
  {
    Hdf5Writer writer(file_);
    writer.episode(0, 2, 1);
    for (const char* name : {"a", "b", "c"}) {
      writer.group(std::string("episode_0/infos/") + name);
      for (const char* inner : {"x", "y", "z"}) {
        writer.link(std::string("episode_0/infos/") + name + "/" + inner, "episode_0/infos");
      }
    }
  }
  EXPECT_NE(objection().find("is one of more than 10000 arrays and groups, or more than 16 groups deep"),
            std::string::npos);
}

TEST_F(Minari, ArraysHaveNoMoreNumbersThanCanBeStored) {
  {
    Hdf5Writer writer(file_);
    writer.declared_numbers("episode_0/rewards", 1'000'000'000'000);
    writer.declared_numbers("episode_0/observations", 1'000'000'000'001);
  }
  EXPECT_EQ(short_of(failure([&] { open_minari(file_); })),
            "log.hdf5: episode_0/rewards is damaged: it says that it has 8000000000000 bytes, but has 0");
}

TEST_F(Minari, OnlyTheLastRowOfAnEpisodeMayLackItsReward) {
  {
    Hdf5Writer writer(file_);
    writer.numbers("episode_0/observations", {3}, {0, nan, 2});
    writer.numbers("episode_0/rewards", {2}, {1, nan});
    writer.episode(1, 2, 1);
  }
  EXPECT_EQ(objection({"rewards"}), "log.hdf5: row 2, column 'rewards': 'nan' is not finite");
  EXPECT_EQ(objection({"observations"}), "log.hdf5: row 2, column 'observations': 'nan' is not finite");
  const auto table = open_minari(file_, TableOptions{.bad_rows = BadRows::skip});
  table->select(requests_of({"rewards"}));
  TableBlock block;
  ASSERT_TRUE(table->read(block, 10));
  EXPECT_EQ(block.row, (std::vector<std::uint64_t>{1, 3, 4, 5, 6}));
  EXPECT_EQ(table->skipped(), 1U);
}

using MinariFromPython = testing::FromPython;

void expect_truth(const std::string& name) {
  const testing::Truth truth = testing::python_truth(name);
  std::vector<std::string> expected;
  for (const std::vector<double>& row : truth.rows) {
    std::string text;
    for (const double value : row) text += format_number(value) + " ";
    expected.push_back(text);
  }
  for (const std::size_t rows : {7U, 10'000U}) {
    const auto table = open_minari(testing::python_data("minari/bellwether/" + name + "-v0"));
    EXPECT_EQ(table->columns(), truth.columns);
    EXPECT_EQ(rows_of(*table, requests_of(truth.columns), rows), expected);
  }
}

TEST_F(MinariFromPython, CartPoleIsReadAsGymnasiumPlayedIt) {
  const testing::Truth truth = testing::python_truth("cartpole");
  int terminated = 0;
  int truncated = 0;
  for (const auto& row : truth.rows) {
    terminated += row[6] == 1;
    truncated += row[7] == 1;
  }
  EXPECT_GT(terminated, 0);
  EXPECT_GT(truncated, 0);
  expect_truth("cartpole");
}

TEST_F(MinariFromPython, DiscreteObservationsAreOneColumn) { expect_truth("frozen_lake"); }

TEST_F(MinariFromPython, DictionariesAndTuplesAreColumnsByPath) { expect_truth("nested"); }

}  // namespace
}  // namespace bellwether
