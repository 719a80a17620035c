#include <bellwether/linalg/dense/reserved_vector.h>

#include <gtest/gtest.h>

#include <bellwether/core/state.h>

namespace bellwether {
namespace {

TEST(ReservedVector, HasRoomForMoreThanThereIsMemoryAndNeverMoves) {
  ReservedVector<double> v(std::size_t{1} << 36U);
  const double* first = v.append(1);
  v.append(100'000)[99'999] = 7;
  EXPECT_EQ(v.data(), first);
  EXPECT_EQ(v[100'000], 7);
  EXPECT_EQ(v[5], 0);
  EXPECT_EQ(v.room(), (std::size_t{1} << 36U) - 100'001);
}

TEST(ReservedVector, HasIndependentCopies) {
  ReservedVector<int> v(10);
  v.push_back(3);
  ReservedVector<int> copy(v);
  copy[0] = 4;
  copy.push_back(5);
  EXPECT_EQ(v.size(), 1U);
  EXPECT_EQ(v[0], 3);
  v = copy;
  EXPECT_EQ(v.size(), 2U);
  EXPECT_EQ(v[1], 5);
  const ReservedVector<int> moved(std::move(copy));
  EXPECT_EQ(moved[0], 4);
}

TEST(ReservedVector, ReadsWhatItWroteUnlessItIsTooLong) {
  ReservedVector<int> v(10);
  for (int i = 0; i < 5; ++i) v.push_back(i * i);
  StateWriter out;
  out(v);
  ReservedVector<int> read(5);
  StateReader in(out.bytes());
  in(read);
  in.finish();
  EXPECT_EQ(read.size(), 5U);
  EXPECT_EQ(read[4], 16);
  ReservedVector<int> short_one(4);
  StateReader again(out.bytes());
  EXPECT_THROW(again(short_one), InvalidArgument);
}

}  // namespace
}  // namespace bellwether
