#include <bellwether/data/bytes/lines.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "support/data/files.h"
#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::rejection;
using testing::write_file;

class LinesTest : public testing::FileTest {
 protected:
  LinesTest() : FileTest("log") {}

  Lines lines(const std::string& text, std::size_t chunk) { return {write_file(file_, text), {}, chunk}; }

  /// Everything, a line dropped at a time.
  static std::string all_of(Lines lines) {
    std::string all;
    while (lines.more() != Lines::More::end) {
      EXPECT_TRUE(lines.text().ends_with('\n'));
      while (!lines.text().empty()) {
        const std::string_view line = lines.text().substr(0, lines.text().find('\n') + 1);
        all += line;
        lines.drop(line.data() + line.size());
      }
    }
    return all;
  }
};

TEST_F(LinesTest, AreWholeWhateverTheChunk) {
  const std::string text = "one\ntwo\n\nthree is longer than the others\nfour\n";
  for (std::size_t chunk = 1; chunk < 60; ++chunk) EXPECT_EQ(all_of(lines(text, chunk)), text) << chunk;
}

/// A text of ASCII and a few more characters in UTF-16, with its mark.
std::string utf16(const std::u16string& text, bool big_endian) {
  std::string bytes;
  for (const char16_t unit : u"\uFEFF" + text) {
    const char low = static_cast<char>(unit & 0xFFU), high = static_cast<char>(unit >> 8U);
    bytes += {big_endian ? high : low, big_endian ? low : high};
  }
  return bytes;
}

TEST_F(LinesTest, Utf16IsConvertedWhateverTheChunk) {
  const std::u16string text = u"temp\u00E9rature,\u20AC,\U0001F600\n1,2,3\nlast";
  const std::string expected = "temp\xC3\xA9rature,\xE2\x82\xAC,\xF0\x9F\x98\x80\n1,2,3\nlast\n";
  for (const bool big_endian : {false, true}) {
    for (std::size_t chunk = 1; chunk < 80; ++chunk) {
      EXPECT_EQ(all_of(lines(utf16(text, big_endian), chunk)), expected) << chunk;
    }
  }
  EXPECT_EQ(all_of(lines(utf16(u"a\xD800z\n\xDC00", false), 7)), "a\xEF\xBF\xBDz\n\xEF\xBF\xBD\n") << "half characters";
  EXPECT_EQ(rejection([&] { all_of(lines(utf16(u"a\n", false) + "b", 3)); }),
            file_ + ": ends in the middle of a character of UTF-16");
}

TEST_F(LinesTest, AnArrayIsSplitIntoItsElementsWhateverTheChunk) {
  const std::string text = " [\n {\"a\": [1, 2],\n  \"b\": \"], \\\"{\"},{}\n, {\"c\":1 }] \n";
  const std::string expected = "{\"a\": [1, 2],   \"b\": \"], \\\"{\"}\n{}\n{\"c\":1 }\n";
  const auto split = [&](const std::string& array, std::size_t chunk) {
    Lines all = lines(array, chunk);
    EXPECT_EQ(all.first_character(), '[');
    all.split_array();
    std::string text_of;
    do {
      text_of += all.text();
      all.drop(all.text().data() + all.text().size());
    } while (all.more() != Lines::More::end);
    return text_of;
  };
  for (std::size_t chunk = 1; chunk < 80; ++chunk) EXPECT_EQ(split(text, chunk), expected) << chunk;
  EXPECT_EQ(split("[]", 8), "");
  EXPECT_EQ(split("[1,2]x", 8), "1\n2\nx\n");
  for (const std::size_t chunk : {1, 3, 100}) {
    EXPECT_EQ(rejection([&] { split("[{\"a\":1},", chunk); }), file_ + ": the array is not closed");
  }
}

TEST_F(LinesTest, TheLastIsGivenTheNewlineThatItMayLack) {
  for (std::size_t chunk = 1; chunk < 12; ++chunk) {
    EXPECT_EQ(all_of(lines("one\ntwo", chunk)), "one\ntwo\n");
    EXPECT_EQ(all_of(lines("o", chunk)), "o\n");
    EXPECT_EQ(all_of(lines("", chunk)), "");
  }
}

TEST_F(LinesTest, AByteOrderMarkIsLeftOut) {
  for (std::size_t chunk = 1; chunk < 12; ++chunk) {
    EXPECT_EQ(all_of(lines("\xEF\xBB\xBFone\n\xEF\xBB\xBFtwo\n", chunk)), "one\n\xEF\xBB\xBFtwo\n");
    EXPECT_EQ(all_of(lines("\xEF\xBB\xBF", chunk)), "");
    EXPECT_EQ(all_of(lines("\xEF\xBB", chunk)), "\xEF\xBB\n");
  }
}

TEST_F(LinesTest, StayUntilTheyAreDropped) {
  Lines all = lines("one\ntwo\nthree\nfour\n", 8);
  ASSERT_EQ(all.more(), Lines::More::lines);
  EXPECT_EQ(all.text(), "one\ntwo\n");
  while (all.more() == Lines::More::lines) {
  }
  EXPECT_EQ(all.text(), "one\ntwo\nthree\nfour\n");
}

TEST_F(LinesTest, TheFirstIsTheFirstThatIsNotBlank) {
  for (std::size_t chunk = 1; chunk < 12; ++chunk) {
    Lines all = lines("\n\r\n\none\r\ntwo\n", chunk);
    EXPECT_EQ(all.first(), "one");
    EXPECT_EQ(all.first(), "one") << "looking does not change it";
    Lines blank = lines("\n\r\n", chunk);
    EXPECT_EQ(blank.first(), "");
  }
}

TEST_F(LinesTest, OneThatIsTooLongIsRejected) {
  EXPECT_EQ(rejection([&] { all_of(lines(std::string(Lines::longest + 2, 'a'), Lines::default_chunk)); }),
            file_ + ": a row has more than 16777216 bytes");
}

TEST_F(LinesTest, OfAStreamComeWhenTheyAreWhole) {
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  bool stop = false;
  Lines all(file_, {.interrupted = [&] { return stop; }});
  const int writer = open(file_.c_str(), O_WRONLY);
  EXPECT_EQ(write(writer, "on", 2), 2);
  EXPECT_EQ(all.more(1), Lines::More::nothing_yet);
  EXPECT_EQ(all.text(), "");
  EXPECT_EQ(write(writer, "e\ntw", 4), 4);
  EXPECT_EQ(all.more(1), Lines::More::lines);
  EXPECT_EQ(all.text(), "one\n");
  stop = true;
  EXPECT_EQ(all.more(1), Lines::More::end);
  EXPECT_EQ(all.text(), "one\n") << "half a line is none";
  close(writer);
}

}  // namespace
}  // namespace bellwether
