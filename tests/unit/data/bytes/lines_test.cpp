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
