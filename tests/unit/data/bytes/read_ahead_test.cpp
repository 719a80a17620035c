#include <bellwether/data/bytes/read_ahead.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "support/rejection.h"

namespace bellwether {
namespace {

/// Parts of 3 bytes: aaa, bbb, ...; `end` is what comes after `count` of them.
ReadAhead::Make letters(
    std::size_t count, std::atomic<std::size_t>& made, const std::function<void()>& end = [] {}) {
  return [=, &made](char* to) -> ReadAhead::Made {
    if (made == count) {
      end();
      return {0, count};
    }
    std::fill_n(to, 3, static_cast<char>('a' + made));
    ++made;
    return {3, made};
  };
}

std::string rest_of(ReadAhead& bytes, std::size_t at_once) {
  std::string all, part(at_once, '\0');
  while (const std::size_t count = bytes.read(part.data(), at_once)) all.append(part, 0, count);
  return all;
}

TEST(ReadAhead, GivesAllBytesInOrderHoweverManyAreAskedFor) {
  std::string expected;
  for (char c = 'a'; c <= 'z'; ++c) expected.append(3, c);
  for (const std::size_t at_once : {1U, 2U, 3U, 100U}) {
    std::atomic<std::size_t> made = 0;
    ReadAhead bytes(letters(26, made));
    EXPECT_EQ(rest_of(bytes, at_once), expected);
    EXPECT_EQ(rest_of(bytes, at_once), "") << "the end stays the end";
    EXPECT_EQ(bytes.position(), 26U);
  }
}

TEST(ReadAhead, ThePositionIsThatOfTheReaderAndTheThreadIsNotFarAhead) {
  std::atomic<std::size_t> made = 0;
  ReadAhead bytes(letters(26, made));
  EXPECT_EQ(bytes.position(), 0U);
  char byte = 0;
  EXPECT_EQ(bytes.read(&byte, 1), 1U);
  EXPECT_EQ(bytes.position(), 1U);
  while (made < ReadAhead::most_parts) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(made, ReadAhead::most_parts);
}

TEST(ReadAhead, AFailureComesAfterTheBytesBeforeIt) {
  std::atomic<std::size_t> made = 0;
  ReadAhead bytes(letters(2, made, [] { throw IoError("broken"); }));
  std::string part(3, '\0');
  for (const char* expected : {"aaa", "bbb"}) {
    EXPECT_EQ(bytes.read(part.data(), 3), 3U);
    EXPECT_EQ(part, expected);
  }
  for (int i = 0; i < 2; ++i) EXPECT_EQ(testing::failure([&] { bytes.read(part.data(), 3); }), "broken");
}

TEST(ReadAhead, EndsWithoutHavingBeenRead) {
  for (const std::size_t count : {0U, 1U, 26U}) {
    std::atomic<std::size_t> made = 0;
    const ReadAhead bytes(letters(count, made));
  }
}

}  // namespace
}  // namespace bellwether
