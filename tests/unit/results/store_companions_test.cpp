// What somebody has put beside a file of results, where SQLite keeps files of its own: nothing is touched.
#include <bellwether/results/store_companions.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <sys/stat.h>

#include <gtest/gtest.h>

#include <bellwether/core/files/files.h>
#include <bellwether/results/store_reader.h>
#include <bellwether/results/store_writer.h>

#include "support/rejection.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

namespace fs = std::filesystem;

using testing::failure;

const std::string magic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";

std::string big_endian(std::uint32_t word) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(word >> shift & 0xffU);
  return bytes;
}

/// A journal of a transaction that has changed nothing yet of a database with so many pages.
std::string journal_of(std::uint32_t pages) {
  constexpr std::uint32_t sector = 512;
  std::string header =
      magic + big_endian(0) + big_endian(1234) + big_endian(pages) + big_endian(sector) + big_endian(4096);
  header.resize(sector);
  return header;
}

/// What SQLite writes at the end of a journal that belongs to several databases.
std::string super_journal(const std::string& file) {
  std::uint32_t sum = 0;
  for (const char c : file) sum += static_cast<std::uint32_t>(static_cast<signed char>(c));
  const std::uint32_t page_of_locks = 0x40000000 / 4096 + 1;
  return big_endian(page_of_locks) + file + big_endian(static_cast<std::uint32_t>(file.size())) + big_endian(sum) +
         magic;
}

class StoreCompanions : public ::testing::Test {
 protected:
  StoreCompanions() { testing::write_small_study(file_); }

  /// The error of reading the file, which has to be that of writing to it.
  std::string opening() const {
    const std::string read = failure([&] { testing::content(file_); });
    EXPECT_EQ(failure([&] { const StoreWriter store(file_); }), read);
    return read;
  }

  std::string in_the_way(const std::string& beside) const {
    return file_ + beside + " is not a file that SQLite made, and is in the way of one: move it elsewhere";
  }

  testing::TemporaryFolder folder_;
  std::string file_ = folder_.path("boyan.db");
  std::string victim_ = folder_.path("victim");
};

TEST_F(StoreCompanions, AJournalDeletesNoFileThatItNames) {
  write_file(victim_, "precious");
  const auto pages = static_cast<std::uint32_t>(fs::file_size(file_) / 4096);
  const std::string journal = journal_of(pages) + super_journal(victim_);
  write_file(file_ + "-journal", journal);
  EXPECT_EQ(opening(), file_ +
                           "-journal names another file, which SQLite would delete; no sweep leaves such a journal: "
                           "move it elsewhere");
  EXPECT_EQ(read_file(victim_), "precious");
  EXPECT_EQ(read_file(file_ + "-journal"), journal);
}

TEST_F(StoreCompanions, AJournalOfThisFileAloneIsLeftToSqlite) {
  const std::string before = testing::content(file_);
  write_file(file_ + "-journal", journal_of(static_cast<std::uint32_t>(fs::file_size(file_) / 4096)));
  EXPECT_EQ(testing::content(file_), before);
  EXPECT_FALSE(fs::exists(file_ + "-journal")) << "the transaction was undone";
  for (const std::string& cut : {std::string(), magic}) {
    write_file(file_ + "-journal", cut);
    EXPECT_EQ(opening(), "went well");
  }
}

TEST_F(StoreCompanions, WhatIsNoRegularFileOfOneNameIsNotOpened) {
  for (const std::string beside : {"-journal", "-wal", "-shm"}) {
    const std::string path = file_ + beside;
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    EXPECT_EQ(opening(), in_the_way(beside));
    EXPECT_TRUE(fs::is_fifo(path));
    fs::remove(path);
    fs::create_directory(path);
    EXPECT_EQ(opening(), in_the_way(beside));
    fs::remove(path);
    write_file(victim_, "precious");
    fs::create_symlink(victim_, path);
    EXPECT_EQ(opening(), in_the_way(beside));
    fs::remove(path);
    fs::create_hard_link(victim_, path);
    EXPECT_EQ(opening(), in_the_way(beside));
    fs::remove(path);
    EXPECT_EQ(read_file(victim_), "precious");
  }
  EXPECT_EQ(opening(), "went well");
}

TEST_F(StoreCompanions, AreLookedForWhereALinkLeads) {
  const std::string link = folder_.path("link.db");
  fs::create_symlink(file_, link);
  fs::create_directory(link + "-journal");  // SQLite does not look here
  EXPECT_NE(testing::content(link), "");
  fs::create_directory(file_ + "-journal");
  EXPECT_EQ(failure([&] { testing::content(link); }), in_the_way("-journal"));
}

}  // namespace
}  // namespace bellwether
