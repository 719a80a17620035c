#include <bellwether/core/support/ahead.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace bellwether {
namespace {

TEST(Ahead, ItemsComeInOrderAndTheLastOneStays) {
  for (const std::size_t most : {1U, 2U, 5U}) {
    int made = 0;
    Ahead<int> items(most, [&](int& item) {
      item = made++;
      return made < 100;
    });
    for (int i = 0; i < 100; ++i) ASSERT_EQ(items.next(), i);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(items.next(), 99);
  }
}

TEST(Ahead, AnItemIsLeftAloneWhileTheCallerHasIt) {
  std::atomic<int> made = 0;
  Ahead<std::vector<int>> items(2, [&](std::vector<int>& item) {
    item.assign(1000, made);
    return ++made < 200;
  });
  for (int i = 0; i < 200; ++i) {
    std::vector<int>& item = items.next();
    ASSERT_LE(made, i + 3) << "two items ahead at most, and one more being counted";
    for (const int value : item) ASSERT_EQ(value, i);
    item[0] = -1;
  }
}

TEST(Ahead, AFailureComesAfterTheItemsBeforeItAndStays) {
  int made = 0;
  Ahead<int> items(4, [&](int& item) -> bool {
    if (made == 2) throw std::runtime_error("broken");
    item = made++;
    return true;
  });
  EXPECT_EQ(items.next(), 0);
  EXPECT_EQ(items.next(), 1);
  for (int i = 0; i < 2; ++i) EXPECT_THROW(items.next(), std::runtime_error);
}

TEST(Ahead, EndsWithoutHavingBeenAsked) {
  for (const int count : {1, 2, 1000000}) {
    int made = 0;
    const Ahead<int> items(3, [&](int&) { return ++made < count; });
  }
}

}  // namespace
}  // namespace bellwether
