#include <bellwether/core/features.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "support/allocations.h"
#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::allocations;
using testing::rejection;

/// A row written out densely.
std::vector<double> dense(const FeatureRows& rows, std::size_t i) {
  std::vector<double> x(rows.dim, 0.0);
  visit(rows.row(i), [&](auto view) { view.for_each([&](std::size_t j, double v) { x[j] += v; }); });
  return x;
}

/// Rows (1,0,0), (0,1,1), (0,0,0), (1,1,1).
RowBuffer example(Layout layout) {
  RowBuffer rows(layout, 3);
  for (const std::vector<double>& x :
       {std::vector<double>{1, 0, 0}, {0, 1, 1}, {0, 0, 0}, std::vector<double>{1, 1, 1}}) {
    if (layout == Layout::dense) {
      std::ranges::copy(x, rows.add_dense().begin());
      continue;
    }
    for (std::uint32_t j = 0; j < 3; ++j) {
      if (x[j] != 0) rows.add(j, x[j]);
    }
    rows.end_row();
  }
  return rows;
}

class RowBufferInEveryLayout : public ::testing::TestWithParam<Layout> {};
INSTANTIATE_TEST_SUITE_P(Layouts, RowBufferInEveryLayout,
                         ::testing::Values(Layout::dense, Layout::sparse, Layout::binary));

TEST_P(RowBufferInEveryLayout, GivesBackTheRowsThatWereAdded) {
  const RowBuffer rows = example(GetParam());
  ASSERT_EQ(rows.rows(), 4U);
  EXPECT_EQ(rows.view().layout, GetParam());
  EXPECT_EQ(rows.view().dim, 3U);
  EXPECT_EQ(dense(rows.view(), 0), (std::vector<double>{1, 0, 0}));
  EXPECT_EQ(dense(rows.view(), 1), (std::vector<double>{0, 1, 1}));
  EXPECT_EQ(dense(rows.view(), 2), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(dense(rows.view(), 3), (std::vector<double>{1, 1, 1}));
}

TEST_P(RowBufferInEveryLayout, SlicesAreTablesOfTheirOwn) {
  const RowBuffer rows = example(GetParam());
  const FeatureRows part = rows.view().slice(1, 3).slice(1, 2);
  ASSERT_EQ(part.rows, 2U);
  EXPECT_EQ(dense(part, 0), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(dense(part, 1), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(rows.view().slice(4, 0).rows, 0U);
}

TEST_P(RowBufferInEveryLayout, KeepsTheLastRowOnly) {
  RowBuffer rows = example(GetParam());
  rows.keep_last();
  ASSERT_EQ(rows.rows(), 1U);
  EXPECT_EQ(dense(rows.view(), 0), (std::vector<double>{1, 1, 1}));
  rows.keep_last();
  ASSERT_EQ(rows.rows(), 1U);
  EXPECT_EQ(dense(rows.view(), 0), (std::vector<double>{1, 1, 1}));
  rows.append(example(GetParam()).view().row(1));
  ASSERT_EQ(rows.rows(), 2U);
  EXPECT_EQ(dense(rows.view(), 1), (std::vector<double>{0, 1, 1}));
}

TEST_P(RowBufferInEveryLayout, KeepsNothingOfAnEmptyTable) {
  RowBuffer rows(GetParam(), 3);
  rows.keep_last();
  EXPECT_EQ(rows.rows(), 0U);
  rows = example(GetParam());
  rows.clear();
  EXPECT_EQ(rows.rows(), 0U);
}

TEST_P(RowBufferInEveryLayout, StopsAllocatingWhenFilledAndClearedAgain) {
  RowBuffer rows = example(GetParam());
  const RowBuffer source = example(GetParam());
  rows.clear();
  for (std::size_t i = 0; i < 4; ++i) rows.append(source.view().row(i));
  const std::size_t before = allocations();
  rows.clear();
  for (std::size_t i = 0; i < 4; ++i) rows.append(source.view().row(i));
  EXPECT_EQ(allocations(), before);
}

TEST_P(RowBufferInEveryLayout, PassesTheCheckOfRows) {
  EXPECT_EQ(rejection([&] { check_rows(example(GetParam()).view(), "test"); }), "accepted");
}

TEST_P(RowBufferInEveryLayout, CountsFromTheBeginningOfThePart) {
  RowBuffer rows(GetParam(), 8);
  const std::array<std::uint32_t, 2> ones{0, 2};
  for (int row = 0; row < 2; ++row) {
    EXPECT_EQ(rows.part(), 0U) << "a new row begins with its first feature";
    rows.add(1);
    rows.begin_part(2);
    rows.add_ones(ones);
    rows.begin_part(5);
    rows.add(0);
    rows.add_ones({});
    EXPECT_EQ(rows.part(), 5U);
    rows.end_row();
    EXPECT_EQ(dense(rows.view(), static_cast<std::size_t>(row)), (std::vector<double>{0, 1, 1, 0, 1, 1, 0, 0}));
  }
}

TEST_P(RowBufferInEveryLayout, WritesCopiesIntoParts) {
  for (const Layout source : {Layout::dense, Layout::sparse, Layout::binary}) {
    if (GetParam() == Layout::binary && source == Layout::dense) continue;  // which it cannot hold
    const RowBuffer from = example(source);
    RowBuffer rows(GetParam(), 7);
    rows.write(from.view().row(1));
    rows.begin_part(4);
    rows.write(from.view().row(3));
    rows.end_row();
    EXPECT_EQ(dense(rows.view(), 0), (std::vector<double>{0, 1, 1, 0, 1, 1, 1}));
  }
}

TEST(RowBuffer, DensePartsStandBesideOthers) {
  for (const Layout layout : {Layout::dense, Layout::sparse}) {
    RowBuffer rows(layout, 6);
    for (int row = 0; row < 2; ++row) {
      rows.add(0, 0.5);
      rows.begin_part(1);
      const std::span<double> part = rows.dense_part(3);
      ASSERT_EQ(part.size(), 3U);
      for (const double value : part) EXPECT_EQ(value, 0.0) << "zero until it is filled";
      part[0] = -1;
      part[2] = 2;
      rows.begin_part(4);
      rows.add(1, 7);
      rows.end_row();
      EXPECT_EQ(dense(rows.view(), static_cast<std::size_t>(row)), (std::vector<double>{0.5, -1, 0, 2, 0, 7}));
    }
    rows.clear();
    rows.end_row();
    EXPECT_EQ(dense(rows.view(), 0), std::vector<double>(6, 0.0)) << "nothing is left of rows before";
  }
}

TEST(CheckRows, RejectsValuesThatAreNotFinite) {
  RowBuffer rows(Layout::dense, 2);
  rows.add_dense();
  rows.add_dense()[1] = std::nan("");
  EXPECT_EQ(rejection([&] { check_rows(rows.view(), "csv"); }), "csv: row 1 holds nan, which is not finite");
  RowBuffer sparse(Layout::sparse, 2);
  sparse.add(0, -INFINITY);
  sparse.end_row();
  EXPECT_EQ(rejection([&] { check_rows(sparse.view(), "csv"); }), "csv: row 0 holds -inf, which is not finite");
}

TEST(CheckRows, RejectsAnIndexBeyondTheFeatures) {
  for (const Layout layout : {Layout::sparse, Layout::binary}) {
    RowBuffer rows(layout, 2);
    rows.add(2);
    rows.end_row();
    EXPECT_EQ(rejection([&] { check_rows(rows.view(), "csv"); }), "csv: row 0 holds index 2, but there are 2 features");
  }
}

TEST(CheckRows, RejectsAnIndexThatAppearsTwiceInARow) {
  for (const Layout layout : {Layout::sparse, Layout::binary}) {
    RowBuffer rows(layout, 4);
    rows.add(3);
    rows.end_row();
    for (const std::uint32_t j : {3U, 1U, 3U}) rows.add(j);
    rows.end_row();
    EXPECT_EQ(rejection([&] { check_rows(rows.view(), "csv"); }), "csv: row 1 holds index 3 twice");
  }
}

}  // namespace
}  // namespace bellwether
