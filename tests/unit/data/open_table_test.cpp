#include <gtest/gtest.h>

#include <bellwether/data/table.h>

#include "support/data/tables.h"
#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::failure;
using testing::gzip;
using testing::read_all;
using testing::rejection;
using testing::TemporaryFolder;
using testing::write_file;

using Names = std::vector<std::string>;

TEST(OpenTable, KnowsTheFormatByTheName) {
  const TemporaryFolder folder;
  const std::string csv = "a,b\n1,2\n", tsv = "a\tb\n1\t2\n", json = "{\"a\":1,\"b\":2}\n";
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
           {"log.csv", csv},
           {"log.csv.gz", gzip(csv)},
           {"LOG.CSV", csv},
           {"semicolons.csv", "a;b\n1;2\n"},
           {"log.tsv", tsv},
           {"log.jsonl", json},
           {"log.ndjson", json},
           {"log.jsonl.gz", gzip(json)},
           {"not compressed.csv.gz", csv},
       }) {
    const auto table = open_table(write_file(folder.path(name), text));
    EXPECT_EQ(table->columns(), (Names{"a", "b"})) << name;
    EXPECT_EQ(read_all(*table, Names{"b", "a"}).cells, (std::vector<double>{2, 1})) << name;
  }
  EXPECT_EQ(open_table(write_file(folder.path("both.csv"), "a,b;c\n"))->columns(), (Names{"a", "b;c"}));
  EXPECT_EQ(open_table(write_file(folder.path("both.tsv"), "a,b\tc\n"))->columns(), (Names{"a,b", "c"}));
}

TEST(OpenTable, KnowsTheFormatByTheFirstLineWhereTheNameDoesNotTell) {
  const TemporaryFolder folder;
  for (const std::string text : {"a,b\n1,2\n", "\na\tb\n1\t2\n", "a;b\n1;2\n", "{\"a\":1,\"b\":2}"}) {
    for (const std::string& bytes : {text, gzip(text)}) {
      const auto table = open_table(write_file(folder.path("log"), bytes));
      EXPECT_EQ(read_all(*table, Names{"a", "b"}).cells, (std::vector<double>{1, 2})) << text;
    }
  }
}

TEST(OpenTable, SaysWhatCannotBeOpened) {
  const TemporaryFolder folder;
  const std::string file = folder.path("log.csv");
  EXPECT_EQ(failure([&] { open_table(file); }), file + ": cannot open: No such file or directory");
  EXPECT_EQ(failure([&] { open_table(file + "/log.csv"); }), file + "/log.csv: cannot open: No such file or directory");
  EXPECT_EQ(rejection([&] { open_table(write_file(file, "")); }), file + ": is empty");
  EXPECT_EQ(rejection([&] { open_table(write_file(file, std::string("PK\0\1", 4))); }),
            file +
                ": is not text (known formats: .csv, .tsv, .jsonl, .ndjson, .json, .npy, .npz, .hdf5, .h5, .sparse, "
                ".parquet, .pq, .feather, .arrow, .ipc; text also with .gz)");
  EXPECT_EQ(rejection([&] { open_table(write_file(file, std::string("SQLite format 3\0\1", 17))); }),
            file + ": is a database, as files of results are, and not a log");
  const std::string json = folder.path("log.jsonl");
  EXPECT_EQ(rejection([&] { open_table(write_file(json, "a,b\n1,2\n")); }),
            json + ": row 1: a line must be an object in braces (at character 1)");
}

}  // namespace
}  // namespace bellwether
