#include <bellwether/data/text/sparse_text_reader.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>

#include "support/data/files.h"
#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::gzip;
using testing::rejection;
using testing::write_file;

using Numbers = std::vector<double>;

/// All steps of a reader, a few at a time, each as text: "rewards discount rho | features | features".
std::vector<std::string> all_of(SparseTextReader& reader) {
  const auto features = [](const FeatureRows& rows, std::size_t i) {
    std::string text = " |";
    rows.as<SparseView>(i).for_each(
        [&](std::size_t index, double value) { text += " " + std::to_string(index) + ":" + format_number(value); });
    return text;
  };
  std::vector<std::string> all;
  for (StepBlock block; reader.read(block, 3);) {
    EXPECT_LE(block.size(), 3U);
    for (std::size_t i = 0; i < block.size(); ++i) {
      std::string text;
      for (std::size_t target = 0; target < reader.targets(); ++target) {
        text += (target > 0 ? "," : "") + format_number(block.view(target).reward[i]);
      }
      const Batch steps = block.view(0);
      text += " " + format_number(steps.discount[i]);
      if (steps.rho != nullptr) text += " " + format_number(steps.rho[i]);
      all.push_back(text + features(steps.x, i) + features(steps.x_next, i));
    }
  }
  return all;
}

class SparseTextReaderTest : public testing::FileTest {
 protected:
  SparseTextReaderTest() : FileTest("log.sparse") {}

  std::vector<std::string> steps(const std::string& text, std::size_t dim = 100, std::size_t chunk = 64) {
    SparseTextReader reader(Lines(write_file(file_, text), {}, chunk), {}, dim);
    EXPECT_EQ(reader.layout(), Layout::sparse);
    EXPECT_EQ(reader.dim(), dim);
    return all_of(reader);
  }

  /// What is wrong with a text, after the name of the file.
  std::string objection(const std::string& text, std::size_t dim = 4096) {
    const std::string message = rejection([&] { steps(text, dim); });
    EXPECT_EQ(message.substr(0, file_.size()), file_) << message;
    return message.substr(std::min(message.size(), file_.size()));
  }
};

using Steps = std::vector<std::string>;

TEST_F(SparseTextReaderTest, ReadsStepsOfAllForms) {
  const std::string text =
      "# a comment | 1\n\n"
      "-1 0.99 | 17 5:0.5 99:-2e-1 | 0\r\n"
      "  2.5\t1|3|  \n"
      "   # another\n"
      "0 0 | 7:1\n"
      "0 0 || 1";
  const Steps expected{"-1 0.99 | 17:1 5:0.5 99:-0.2 | 0:1", "2.5 1 | 3:1 |", "0 0 | 7:1 |", "0 0 | | 1:1"};
  for (std::size_t chunk = 1; chunk < 60; ++chunk) EXPECT_EQ(steps(text, 100, chunk), expected) << chunk;
}

TEST_F(SparseTextReaderTest, NumbersAreTheNearestDoubles) {
  std::vector<std::string> numbers{"0",
                                   "-0",
                                   "1.",
                                   "0.1",
                                   "-1.6400",
                                   "1e3",
                                   "1.5E-3",
                                   "123456789012345",
                                   ".5",
                                   "-.25",
                                   "0.000",
                                   "00.5",
                                   "1e-320",
                                   "12e0",
                                   "9007199254740993",
                                   "0.30000000000000004",
                                   "-12345678.87654321",
                                   "999999999999999.9"};
  Rng rng(1);
  for (int i = 0; i < 2000; ++i) numbers.push_back(fmt::format("{:.{}f}", 100 * rng.normal(), i % 16));
  std::string text;
  for (const std::string& number : numbers) text += number + " 0 | 1:" + number + "\n";
  write_file(file_, text);
  const auto reader = open_sparse(file_, {}, 10);
  StepBlock block;
  ASSERT_TRUE(reader->read(block, numbers.size()));
  ASSERT_EQ(block.size(), numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double expected = std::strtod(numbers[i].c_str(), nullptr);
    EXPECT_EQ(block.rewards[0][i], expected) << numbers[i];
    EXPECT_EQ(std::signbit(block.rewards[0][i]), std::signbit(expected)) << numbers[i];
    EXPECT_EQ(block.x.view().row(i).values[0], expected) << numbers[i];
  }
}

TEST_F(SparseTextReaderTest, RatiosAreOneWhereSomeLinesHaveNone) {
  EXPECT_EQ(steps("1 0.5 | 1 | 2\n1 0.5 0.25 | 1 | 2\n1 0.5 | 1 | 2\n1 0.5 | 1 | 2\n"),
            (Steps{"1 0.5 1 | 1:1 | 2:1", "1 0.5 0.25 | 1:1 | 2:1", "1 0.5 1 | 1:1 | 2:1", "1 0.5 | 1:1 | 2:1"}))
      << "blocks of three: the last has none at all";
}

TEST_F(SparseTextReaderTest, SeveralTargetsHaveRewardsOfTheirOwn) {
  EXPECT_EQ(steps("1,2,-3 0.5 | 1 | 2\n4,5,6e1 0 2 | 1\n"), (Steps{"1,2,-3 0.5 1 | 1:1 | 2:1", "4,5,60 0 2 | 1:1 |"}));
  EXPECT_EQ(objection("1,2 0.5 | 1 | 2\n1 0.5 | 1 | 2\n"), ": row 2: there is 1 reward, on the first row 2");
  EXPECT_EQ(objection("1 0.5 | 1 | 2\n1,2,3 0.5 | 1 | 2\n"), ": row 2: there are 3 rewards, on the first row 1");
}

TEST_F(SparseTextReaderTest, SaysWhatIsWrongWithALine) {
  const std::string good = "# comment\n1 0.9 | 1 | 2\n";
  const auto second = [&](const std::string& line) { return objection(good + line + "\n"); };
  EXPECT_EQ(second("1 0.9 | 5000 | 2"), ": row 2: index 5000 is not below 4096");
  EXPECT_EQ(second("1 0.9 | 1 | 2 4096:0.5"), ": row 2: index 4096:0.5 is not below 4096");
  EXPECT_EQ(second("1 0.9 | 99999999999999999999999 | 2"), ": row 2: index 99999999999999999999999 is not below 4096");
  EXPECT_EQ(second("1 0.9 | 3 7 3:2 | 2"), ": row 2: index 3 occurs twice");
  EXPECT_EQ(second("1 0.9 | 3 | 5 5"), ": row 2: index 5 occurs twice");
  EXPECT_EQ(second("1 1.5 | 3 | 5"), ": row 2: the discount = 1.5 is outside [0, 1]");
  EXPECT_EQ(second("1 0.5 -1 | 3 | 5"), ": row 2: rho = -1 is outside [0, inf)");
  EXPECT_EQ(second("nan 0.5 | 3 | 5"), ": row 2: the reward is not finite");
  EXPECT_EQ(second("1 0.5 inf | 3 | 5"), ": row 2: rho is not finite");
  EXPECT_EQ(second("1 0.5 | 3:nan | 5"), ": row 2: '3:nan' is not finite");
  EXPECT_EQ(second("1 0.5 | 3:1e999 | 5"), ": row 2: '3:1e999' is not finite");
  EXPECT_EQ(second("x 0.5 | 3 | 5"), ": row 2: the reward: 'x' is not a number");
  EXPECT_EQ(second("1, 0.5 | 3 | 5"), ": row 2: there are 2 rewards, on the first row 1");
  EXPECT_EQ(second("1 0.5x | 3 | 5"), ": row 2: the discount: '0.5x' is not a number");
  EXPECT_EQ(second("1 | 3 | 5"), ": row 2: the discount is missing");
  EXPECT_EQ(second("1 0.5 1 2 | 3 | 5"), ": row 2: '|' is missing before the features");
  EXPECT_EQ(second("1 0.5"), ": row 2: '|' and features are missing");
  EXPECT_EQ(second("1 0.5 | 3"), ": row 2: '|' and the features of what follows are missing");
  EXPECT_EQ(second("1 0.5 | 3 | 4 | 5"), ": row 2: there are more than two lists of features");
  EXPECT_EQ(second("1 0.5 | -3 | 4"), ": row 2: '-3' is not index:value");
  EXPECT_EQ(second("1 0.5 | :3 | 4"), ": row 2: ':3' is not index:value");
  EXPECT_EQ(second("1 0.5 | 3: | 4"), ": row 2: '3:' is not index:value");
  EXPECT_EQ(second("1 0.5 | 3:x | 4"), ": row 2: '3:x' is not index:value");
  EXPECT_EQ(second("1 0.5 | 3:1x | 4"), ": row 2: '3:1x' is not index:value");
  EXPECT_EQ(objection(""), ": is empty");
  EXPECT_EQ(objection("# only a comment"), ": is empty");
  EXPECT_EQ(objection("1 0 | 1\n", 0), ": dim = 0 is outside [1, 4294967295]");
}

TEST_F(SparseTextReaderTest, BadRowsAreSkippedAndCounted) {
  write_file(file_, "1 0 | 1\nrubbish\n2 0 | 1 1\n3 0 | 2\n# 4\n5 0 | 9000\n6 0 | 3\n");
  const auto reader = open_sparse(file_, {.bad_rows = BadRows::skip}, 10);
  EXPECT_EQ(all_of(*reader), (Steps{"1 0 | 1:1 |", "3 0 | 2:1 |", "6 0 | 3:1 |"}));
  EXPECT_EQ(reader->skipped(), 3U);
  EXPECT_EQ(reader->first_skipped(), file_ + ": row 2: the reward: 'rubbish' is not a number");
}

TEST_F(SparseTextReaderTest, TheNumberOfFeaturesIsFoundInAFile) {
  for (const bool compressed : {false, true}) {
    const std::string text = "1 0.5 | 3 1 | 4\n1 0.5 | 2 | 41:0.5 7\n1 0 | 3\n";
    write_file(file_, compressed ? gzip(text) : text);
    const auto reader = open_sparse(file_);
    EXPECT_EQ(reader->dim(), 42U);
    EXPECT_EQ(all_of(*reader).size(), 3U) << "and the file is read from its beginning";
  }
  EXPECT_EQ(open_sparse(write_file(file_, "1 0 |\n"))->dim(), 1U);
}

TEST_F(SparseTextReaderTest, OfAStreamTheNumberOfFeaturesMustBeSaid) {
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  EXPECT_EQ(rejection([&] { open_sparse(file_); }),
            file_ + ": dim must be given: a stream cannot be read twice to find the number of features");
}

TEST_F(SparseTextReaderTest, AStreamIsLookedAtAndThenRead) {
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  bool stop = false;
  const TableOptions options{.interrupted = [&] { return stop; }};
  Lines lines(file_, options);
  const int writer = open(file_.c_str(), O_WRONLY);
  const std::string text = "# comment\n1 0.5 | 1 | 2\n3 0.";
  EXPECT_EQ(write(writer, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ASSERT_TRUE(is_sparse_text(lines));
  const auto reader = open_sparse(std::move(lines), options, 10);
  StepBlock block;
  EXPECT_TRUE(reader->read(block, 10));
  EXPECT_EQ(block.size(), 1U);
  EXPECT_TRUE(reader->read(block, 10));
  EXPECT_EQ(block.size(), 0U);
  stop = true;
  EXPECT_FALSE(reader->read(block, 10));
  close(writer);
}

TEST_F(SparseTextReaderTest, IsKnownByItsNameOrItsFirstLine) {
  const std::string steps = "# comment, with commas\n\n  \n  # more\n1 0.9 | 3 | 4\n", table = "a,b\n1,2\n";
  EXPECT_TRUE(is_sparse_text(folder_.path("missing.sparse")));
  EXPECT_TRUE(is_sparse_text(folder_.path("missing.sparse.gz")));
  EXPECT_FALSE(is_sparse_text(folder_.path("missing.csv")));
  EXPECT_FALSE(is_sparse_text(write_file(folder_.path("a.csv"), steps))) << "a name that is known is believed";
  EXPECT_TRUE(is_sparse_text(write_file(folder_.path("a.txt"), steps)));
  EXPECT_TRUE(is_sparse_text(write_file(folder_.path("a.gz"), gzip(steps))));
  EXPECT_FALSE(is_sparse_text(write_file(folder_.path("b.txt"), table)));
  EXPECT_FALSE(is_sparse_text(write_file(folder_.path("c.txt"), "# nothing else | \n")));
  EXPECT_FALSE(is_sparse_text(folder_.path()));
  EXPECT_FALSE(is_sparse_text("-"));
}

TEST_F(SparseTextReaderTest, NumbersReadBackBitForBit) {
  std::mt19937_64 random(3);
  const auto draw = [&] {
    const double value = std::bit_cast<double>(random());
    return format_number(std::isfinite(value) ? value : 0.5);
  };
  std::string text;
  Steps written;
  for (int row = 0; row < 200; ++row) {
    std::string line =
        draw() + "," + draw() + " " + format_number(static_cast<double>(random() % 1000) / 999) + " 0.3 |";
    for (int side = 0; side < 2; ++side) {
      const std::size_t step = 1 + random() % 30;
      for (std::size_t index = random() % 50; index < 100; index += step)
        line += " " + std::to_string(index) + ":" + draw();
      line += side == 0 ? " |" : "";
    }
    written.push_back(line);
    text += line + "\n";
  }
  EXPECT_EQ(steps(text, 100, 100), written);
}

}  // namespace
}  // namespace bellwether
