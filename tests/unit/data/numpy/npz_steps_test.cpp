#include <bellwether/data/numpy/npz_steps.h>

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/data/files.h"
#include "support/data/npz_writer.h"
#include "support/data/python_data.h"
#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::python_data;
using testing::python_truth;
using testing::rejection;
using testing::write_file;
using testing::ZipWriter;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class NpzSteps : public testing::FileTest {
 protected:
  NpzSteps() : FileTest("log.npz") {}

  std::string file(const ZipWriter& zip) const { return write_file(file_, zip.bytes()); }

  /// What is wrong with a file, to the last step, without its folder.
  std::string objection(const ZipWriter& zip) const {
    std::string message = rejection([&] {
      const auto reader = open_npz_steps(file(zip));
      StepBlock block;
      while (reader->read(block, 2)) continue;
    });
    return short_of(message);
  }
};

/// Three steps of two dense features, except for the arrays that a test adds itself.
ZipWriter dense(bool reward = true, bool discount = true, bool x_next = true) {
  ZipWriter zip;
  zip.array("x", {1, 2, 3, 4, 5, 6}, 2);
  if (x_next) zip.array("x_next", {3, 4, 5, 6, 0, 0}, 2);
  if (reward) zip.array("reward", {10, 20, 30});
  if (discount) zip.array("discount", {0.9, 0.9, 0});
  return zip;
}

/// Three steps of sparse features: (2: 0.5, 0: 1), (), (1: 4), each followed by the same.
ZipWriter sparse(const std::vector<std::int64_t>& indices = {2, 0, 1},
                 const std::vector<std::int64_t>& ends = {0, 2, 2, 3},
                 const std::vector<double>& values = {0.5, 1, 4}) {
  ZipWriter zip;
  zip.array("reward", {10, 20, 30}).array("discount", {0.9, 0.9, 0});
  zip.integers("x_indices", indices).integers("x_indptr", ends).array("x_data", values);
  zip.integers("x_next_indices", {2, 0, 1}).integers("x_next_indptr", {0, 2, 2, 3}).array("x_next_data", {0.5, 1, 4});
  return zip;
}

TEST_F(NpzSteps, DenseArraysAreStepsAsTheyAre) {
  const auto reader = open_npz_steps(file(dense().array("rho", {1, 2, 3}).array("restart", {0, 1, 0})));
  EXPECT_EQ(reader->layout(), Layout::dense);
  EXPECT_EQ(reader->dim(), 2U);
  StepBlock block;
  ASSERT_TRUE(reader->read(block, 2));
  EXPECT_EQ(reader->fraction(), 2.0 / 3);
  const Batch batch = block.view(0);
  ASSERT_EQ(batch.size, 2U);
  EXPECT_EQ(batch.x.values[3], 4);
  EXPECT_EQ(batch.x_next.values[3], 6);
  EXPECT_EQ(batch.reward[1], 20);
  EXPECT_EQ(batch.discount[1], 0.9);
  EXPECT_EQ(batch.rho[1], 2);
  EXPECT_EQ(batch.restart[1], 1);
  EXPECT_EQ(batch.pi, nullptr);
  EXPECT_EQ(batch.interest, nullptr);
  ASSERT_TRUE(reader->read(block, 2));
  ASSERT_EQ(block.size(), 1U);
  EXPECT_EQ(block.discount[0], 0);
  EXPECT_EQ(block.rewards[0][0], 30);
  EXPECT_FALSE(reader->read(block, 2));
}

TEST_F(NpzSteps, CompressedRowsKeepTheirOrderAndTheirGaps) {
  const auto reader = open_npz_steps(file(sparse()));
  EXPECT_EQ(reader->layout(), Layout::sparse);
  EXPECT_EQ(reader->dim(), 3U) << "found from the indices";
  StepBlock block;
  ASSERT_TRUE(reader->read(block, 2));
  const FeatureRows x = block.view(0).x;
  ASSERT_EQ(x.rows, 2U);
  EXPECT_EQ(x.length(0), 2U);
  EXPECT_EQ(x.indices[0], 2U);
  EXPECT_EQ(x.values[0], 0.5);
  EXPECT_EQ(x.indices[1], 0U);
  EXPECT_EQ(x.length(1), 0U);
  ASSERT_TRUE(reader->read(block, 2));
  EXPECT_EQ(block.view(0).x_next.indices[0], 1U);
  EXPECT_EQ(block.view(0).x_next.values[0], 4);
}

TEST_F(NpzSteps, TheNumberOfSparseFeaturesMayBeGiven) {
  EXPECT_EQ(open_npz_steps(file(sparse().integers("dim", {1000})))->dim(), 1000U);
  EXPECT_EQ(open_npz_steps(file(sparse().integers("x_shape", {3, 70})))->dim(), 70U);
  EXPECT_EQ(open_npz_steps(file(sparse().integers("x_next_shape", {3, 80})))->dim(), 80U);
  EXPECT_EQ(objection(sparse().integers("x_shape", {3, 70}).integers("x_next_shape", {3, 80})),
            "log.npz: 'x_next' has 80 columns, 'x' 70");
  EXPECT_EQ(objection(sparse().integers("x_shape", {4, 70})), "log.npz: 'x_shape' has 4 rows, 'x_indptr' 3");
  EXPECT_EQ(objection(sparse().integers("x_shape", {70})), "log.npz: array 'x_shape' is not rows and columns");
  EXPECT_EQ(objection(sparse().array("dim", {70})), "log.npz: array 'dim' is not an integer");
  EXPECT_EQ(objection(sparse().integers("dim", {0})), "log.npz: array 'dim' = 0 is outside [1, 4294967295]");
  EXPECT_EQ(objection(sparse().integers("dim", {2})), "log.npz: row 1, array 'x_indices': 2 is outside [0, 2)");
}

TEST_F(NpzSteps, WithoutValuesFeaturesAreOnes) {
  ZipWriter zip;
  zip.array("reward", {1}).array("discount", {1});
  zip.integers("x_indices", {3, 1}).integers("x_indptr", {0, 2});
  zip.integers("x_next_indices", {0}).integers("x_next_indptr", {0, 1});
  const auto reader = open_npz_steps(file(zip));
  EXPECT_EQ(reader->layout(), Layout::binary);
  EXPECT_EQ(reader->dim(), 4U);
  StepBlock block;
  ASSERT_TRUE(reader->read(block, 10));
  EXPECT_EQ(block.view(0).x.indices[1], 1U);
  EXPECT_EQ(block.view(0).x.length(0), 2U);
}

TEST_F(NpzSteps, RewardsOfSeveralTargetsAreApart) {
  const auto reader = open_npz_steps(file(dense(false).array("reward", {1, 2, 3, 4, 5, 6}, 2)));
  StepBlock block;
  ASSERT_TRUE(reader->read(block, 10));
  EXPECT_EQ(block.rewards, (std::vector<std::vector<double>>{{1, 3, 5}, {2, 4, 6}}));
}

TEST_F(NpzSteps, ArraysThatDoNotFitAreRejected) {
  EXPECT_EQ(objection(dense(true, true, false).array("x_next", {1, 2, 3, 4}, 2)),
            "log.npz: 'x_next' has 2 rows, 'x' 3");
  EXPECT_EQ(objection(dense(true, true, false).array("x_next", {1, 2, 3}, 1)),
            "log.npz: 'x_next' has 1 columns, 'x' 2");
  EXPECT_EQ(objection(dense(false).array("reward", {1, 2})), "log.npz: 'reward' has 2 rows, 'x' 3");
  EXPECT_EQ(objection(dense().array("rho", {1, 2, 3, 4})), "log.npz: 'rho' has 4 rows, 'x' 3");
  EXPECT_EQ(objection(dense().array("rho", {1, 2, 3, 4, 5, 6}, 2)), "log.npz: array 'rho' has 2 numbers a step");
  EXPECT_EQ(objection(dense(false)), "log.npz: there is no array 'reward' (known: x, x_next, discount)");
  EXPECT_EQ(objection(dense(true, true, false)), "log.npz: there is no array 'x_next' (known: x, reward, discount)");
  EXPECT_EQ(objection(dense(true, true, false).integers("x_next_indices", {}).integers("x_next_indptr", {0, 0, 0, 0})),
            "log.npz: 'x' is dense, 'x_next' binary");
  EXPECT_EQ(objection(ZipWriter().array("x", {}, 2).array("x_next", {}, 2).array("reward", {}).array("discount", {})),
            "log.npz holds no steps: 'x' has no rows");
  EXPECT_EQ(
      objection(dense(false).add("reward.npy", testing::npy_bytes("<U1", "(3,)", std::string(12, '\0')))),
      "log.npz: array 'reward' has dtype '<U1', which is not a type of plain numbers (float32, float64, integers, "
      "bool)");
}

TEST_F(NpzSteps, NumbersOutOfTheirRangeAreRejectedByRow) {
  EXPECT_EQ(objection(dense(false).array("reward", {1, 2, nan})),
            "log.npz: row 3, column 'reward': 'nan' is not finite");
  EXPECT_EQ(objection(dense(false).array("reward", {1, 2, 3, infinity, 5, 6}, 2)),
            "log.npz: row 2, column 'reward.1': 'inf' is not finite");
  EXPECT_EQ(objection(dense(true, false).array("discount", {1, 1.01, 0})),
            "log.npz: row 2, column 'discount' = 1.01 is outside [0, 1]");
  EXPECT_EQ(objection(dense().array("rho", {1, 1, -0.5})), "log.npz: row 3, column 'rho' = -0.5 is outside [0, inf)");
  EXPECT_EQ(objection(dense().array("pi", {1, 1, 2})), "log.npz: row 3, column 'pi' = 2 is outside [0, 1]");
  EXPECT_EQ(objection(dense().array("restart", {0, 1, 2})), "log.npz: row 3, column 'restart': '2' is neither 0 nor 1");
  EXPECT_EQ(objection(dense(true, true, false).array("x_next", {0, 0, 0, 0, 0, nan}, 2)),
            "log.npz: row 3, column 'x_next.1': 'nan' is not finite");
}

TEST_F(NpzSteps, CompressedRowsThatAreWrongAreRejected) {
  EXPECT_EQ(objection(sparse()), "accepted");
  EXPECT_EQ(objection(sparse({2, -1, 1})), "log.npz: row 1, array 'x_indices': -1 is outside [0, 3)");
  EXPECT_EQ(objection(sparse({2, 2, 1})), "log.npz: row 1, array 'x_indices': 2 occurs twice");
  EXPECT_EQ(objection(sparse({2, 0, 1}, {0, 2, 2, 3}, {1, 1, infinity})),
            "log.npz: row 3, array 'x_data': 'inf' is not finite");
  EXPECT_EQ(objection(sparse({2, 0, 1}, {0, 2, 2, 3}, {1, 1})), "log.npz: 'x_data' has 2 entries, 'x_indices' 3");
  EXPECT_EQ(objection(sparse({2, 0, 1}, {0, 2, 1, 3})),
            "log.npz: array 'x_indptr': row 2 ends at entry 1, but begins at 2 and there are 3");
  EXPECT_EQ(objection(sparse({2, 0, 1}, {0, 2, 2, 4})),
            "log.npz: array 'x_indptr': row 3 ends at entry 4, but begins at 2 and there are 3");
  EXPECT_EQ(objection(sparse({2, 0, 1}, {0, 1, 2, 2})), "log.npz: 'x_indptr' ends at entry 2, but there are 3");
  EXPECT_EQ(objection(sparse({2, 0, 1}, {1, 2, 2, 3})), "log.npz: array 'x_indptr' begins with 1, not 0");
  EXPECT_EQ(objection(sparse({2, 0, 1}, {})), "log.npz: array 'x_indptr' is empty");
}

TEST_F(NpzSteps, StepsThatAreWrongAreSkippedWhereThatIsAllowedAndTheNextRestarts) {
  const auto reader =
      open_npz_steps(file(dense(false).array("reward", {1, nan, 3})), TableOptions{.bad_rows = BadRows::skip});
  StepBlock block;
  ASSERT_TRUE(reader->read(block, 10));
  EXPECT_EQ(block.rewards[0], (std::vector<double>{1, 3}));
  EXPECT_EQ(block.restart, (std::vector<std::uint8_t>{0, 1}));
  EXPECT_EQ(block.view(0).x.values[2], 5);
  EXPECT_EQ(reader->skipped(), 1U);
  EXPECT_TRUE(reader->first_skipped().ends_with("log.npz: row 2, column 'reward': 'nan' is not finite"));
}

TEST_F(NpzSteps, AreRecognisedByTheirArrays) {
  EXPECT_TRUE(holds_steps(file(dense())));
  EXPECT_TRUE(holds_steps(file(sparse())));
  EXPECT_FALSE(holds_steps(file(dense(false))));
  EXPECT_FALSE(holds_steps(file(dense(true, false))));
  EXPECT_FALSE(holds_steps(file(dense(true, true, false))));
  EXPECT_FALSE(holds_steps(folder_.path("log.csv")));
}

using NpzStepsFromPython = testing::FromPython;

/// The steps of a file as rows: x, x_next and the numbers, as far as they are there, in the order of the truth.
std::vector<std::vector<double>> rows_of(const std::string& name, Layout layout) {
  const auto reader = open_npz_steps(python_data(name));
  EXPECT_EQ(reader->layout(), layout);
  std::vector<std::vector<double>> rows;
  StepBlock block;
  while (reader->read(block, 64)) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      std::vector<double> row(2 * reader->dim());
      visit(block.view(0).x.row(i), [&](auto x) { x.for_each([&](std::size_t j, double v) { row[j] = v; }); });
      visit(block.view(0).x_next.row(i),
            [&](auto x) { x.for_each([&](std::size_t j, double v) { row[reader->dim() + j] = v; }); });
      for (const auto& rewards : block.rewards) row.push_back(rewards[i]);
      row.push_back(block.discount[i]);
      for (const auto* numbers : {&block.rho, &block.pi, &block.interest}) {
        if (!numbers->empty()) row.push_back((*numbers)[i]);
      }
      if (!block.restart.empty()) row.push_back(block.restart[i]);
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

TEST_F(NpzStepsFromPython, FilesOfNumPyAndSciPyHoldTheStepsThatWereWritten) {
  const auto dense_truth = python_truth("dense").rows;
  EXPECT_EQ(rows_of("dense.npz", Layout::dense), dense_truth);
  EXPECT_EQ(rows_of("compressed.npz", Layout::dense), dense_truth);
  EXPECT_EQ(rows_of("csr.npz", Layout::sparse), dense_truth);
  EXPECT_EQ(rows_of("binary.npz", Layout::binary), python_truth("binary").rows);
  EXPECT_EQ(rows_of("float32.npz", Layout::dense), python_truth("float32").rows);
}

}  // namespace
}  // namespace bellwether
