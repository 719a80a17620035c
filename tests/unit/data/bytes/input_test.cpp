#include <bellwether/data/bytes/input.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include <gtest/gtest.h>

#include "support/data/files.h"
#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::failure;
using testing::gzip;
using testing::write_file;

std::string all_of(Input& input, std::size_t at_once = 1000) {
  std::string all, part(at_once, '\0');
  for (;;) {
    const auto count = input.read(part.data(), part.size());
    if (!count) continue;
    if (*count == 0) return all;
    all.append(part, 0, *count);
  }
}

std::string all_of(const std::string& path, std::size_t at_once = 1000) {
  Input input(path, {});
  return all_of(input, at_once);
}

/// Text that compresses badly and is longer than the buffer of the decompressor.
std::string long_text() {
  std::string text;
  for (std::uint32_t i = 0; i < 60000; ++i) text += std::to_string(i * 2654435761U) + "\n";
  return text;
}

class InputTest : public testing::FileTest {
 protected:
  InputTest() : FileTest("log") {}
};

TEST_F(InputTest, GivesTheBytesOfAFile) {
  const std::string text = long_text();
  write_file(file_, text);
  for (const std::size_t at_once : {50U, 100000U}) EXPECT_TRUE(all_of(file_, at_once) == text) << at_once;
}

TEST_F(InputTest, ShortFilesAreNoExceptions) {
  for (const std::size_t at_once : {1U, 2U, 3U, 9U})
    EXPECT_EQ(all_of(write_file(file_, "a,b\n1,2"), at_once), "a,b\n1,2");
  EXPECT_EQ(all_of(write_file(file_, "")), "");
  EXPECT_EQ(all_of(write_file(file_, "\x1f")), "\x1f");
  EXPECT_EQ(all_of(write_file(file_, "a")), "a");
}

TEST_F(InputTest, GzipIsKnownByItsContent) {
  const std::string text = long_text();
  write_file(file_, gzip(text));
  for (const std::size_t at_once : {7U, 100000U, 10000000U}) EXPECT_TRUE(all_of(file_, at_once) == text) << at_once;
}

TEST_F(InputTest, GzipMayBeConcatenatedAndEmpty) {
  write_file(file_, gzip("one ") + gzip("") + gzip("two") + gzip(""));
  EXPECT_EQ(all_of(file_, 1), "one two");
  EXPECT_EQ(all_of(write_file(file_, gzip(""))), "");
}

TEST_F(InputTest, GzipThatEndsEarlyIsAnErrorWhereverItEnds) {
  const std::string whole = gzip("some text that is long enough");
  for (std::size_t size = 2; size < whole.size(); ++size) {
    write_file(file_, whole.substr(0, size));
    EXPECT_EQ(failure([&] { all_of(file_); }), file_ + ": the compressed data end early") << size;
  }
}

TEST_F(InputTest, DamagedGzipIsAnErrorWhereverTheDamageIs) {
  const std::string whole = gzip("some text that is long enough");
  for (std::size_t i = whole.size() - 8; i < whole.size(); ++i) {  // checksum and length
    std::string damaged = whole;
    damaged[i] ^= 1;
    write_file(file_, damaged);
    EXPECT_EQ(failure([&] { all_of(file_); }), file_ + ": the compressed data are damaged") << i;
  }
  EXPECT_EQ(failure([&] { all_of(write_file(file_, whole + "rubbish")); }),
            file_ + ": the compressed data are damaged");
}

TEST_F(InputTest, GzipThatIsDamagedFarBehindGivesTheBytesBeforeAndThenTheErrorForGood) {
  std::string text = long_text();
  for (int i = 0; i < 2; ++i) text += text;  // more than the thread reads ahead
  std::string damaged = gzip(text);
  damaged[damaged.size() - 8] ^= 1;  // the checksum
  write_file(file_, damaged);
  Input input(file_, {});
  std::string all, part(100000, '\0');
  const auto read_on = [&] {
    while (const std::size_t count = input.read(part.data(), part.size()).value()) all.append(part, 0, count);
  };
  EXPECT_EQ(failure(read_on), file_ + ": the compressed data are damaged");
  EXPECT_GT(all.size(), text.size() - ReadAhead::part_size);
  EXPECT_TRUE(text.starts_with(all));
  EXPECT_EQ(failure(read_on), file_ + ": the compressed data are damaged");
}

TEST_F(InputTest, GzipNeedNotBeReadToItsEnd) {
  std::string text = long_text();
  for (int i = 0; i < 2; ++i) text += text;
  write_file(file_, gzip(text));
  std::string part(10, '\0');
  for (const int reads : {0, 1, 3}) {
    Input input(file_, {});
    for (int i = 0; i < reads; ++i) EXPECT_EQ(input.read(part.data(), part.size()), part.size());
  }
  EXPECT_EQ(failure([&] {
              const Input input(file_, {});
              throw IoError("the reader's own");
            }),
            "the reader's own");
}

TEST_F(InputTest, TheFractionIsThatOfTheFileAsItIsStored) {
  for (const bool compressed : {false, true}) {
    const std::string text = long_text();
    write_file(file_, compressed ? gzip(text) : text);
    Input input(file_, {});
    EXPECT_EQ(input.fraction(), 0.0);
    std::string part(text.size() / 2, '\0');
    for (std::size_t count = 0; count < part.size();) count += input.read(part.data(), part.size() - count).value();
    EXPECT_NEAR(input.fraction().value(), 0.5, 0.35);
    all_of(input);
    EXPECT_EQ(input.fraction(), 1.0);
  }
}

TEST_F(InputTest, SaysWhyAFileCanNotBeRead) {
  EXPECT_EQ(failure([&] { Input(file_, {}); }), file_ + ": cannot open: No such file or directory");
  EXPECT_EQ(failure([&] { Input(folder_.path(), {}); }), folder_.path() + ": is a directory");
}

TEST_F(InputTest, AFifoIsWaitedForButNotForLong) {
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  Input input(file_, {});
  EXPECT_TRUE(input.is_stream());
  EXPECT_EQ(input.fraction(), std::nullopt);
  char byte = 0;
  EXPECT_EQ(input.read(&byte, 1, 1), std::nullopt) << "nobody has opened it to write";
  const int writer = open(file_.c_str(), O_WRONLY);
  EXPECT_EQ(input.read(&byte, 1, 1), std::nullopt) << "nothing has been written";
  EXPECT_EQ(write(writer, "a", 1), 1);
  EXPECT_EQ(input.read(&byte, 1), 1U);
  EXPECT_EQ(byte, 'a');
  close(writer);
  EXPECT_EQ(input.read(&byte, 1), 0U);
  EXPECT_FALSE(input.interrupted());
}

TEST_F(InputTest, AStreamMayBeGzipThatComesInPieces) {
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  const std::string text = long_text();
  std::thread writer([&] {
    const std::string bytes = gzip(text);
    const int descriptor = open(file_.c_str(), O_WRONLY);
    const std::size_t first = 1;
    EXPECT_EQ(write(descriptor, bytes.data(), first), 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    for (std::size_t done = first; done < bytes.size();) {
      done += static_cast<std::size_t>(
          write(descriptor, bytes.data() + done, std::min<std::size_t>(5000, bytes.size() - done)));
    }
    close(descriptor);
  });
  EXPECT_TRUE(all_of(file_) == text);
  writer.join();
}

TEST_F(InputTest, AnInterruptionEndsTheWaitingForGood) {
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  bool stop = false;
  Input input(file_, {.interrupted = [&] { return stop; }});
  const int writer = open(file_.c_str(), O_WRONLY);
  char byte = 0;
  EXPECT_EQ(input.read(&byte, 1, 1), std::nullopt);
  stop = true;
  EXPECT_EQ(input.read(&byte, 1, 1), 0U);
  EXPECT_TRUE(input.interrupted());
  EXPECT_EQ(write(writer, "a", 1), 1);
  EXPECT_EQ(input.read(&byte, 1, 1), 0U);
  close(writer);
}

TEST_F(InputTest, StandardInputHasAName) {
  const int saved = dup(STDIN_FILENO);
  write_file(file_, "from a file");
  const int file = open(file_.c_str(), O_RDONLY);
  dup2(file, STDIN_FILENO);
  {
    Input input("-", {});
    EXPECT_EQ(input.name(), "standard input");
    EXPECT_FALSE(input.is_stream()) << "it is a file here";
    EXPECT_EQ(all_of(input), "from a file");
  }
  dup2(saved, STDIN_FILENO);
  close(file);
  close(saved);
}

}  // namespace
}  // namespace bellwether
