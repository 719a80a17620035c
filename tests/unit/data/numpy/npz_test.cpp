#include <bellwether/data/numpy/npz.h>

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/npz_writer.h"
#include "support/rejection.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

using testing::failure;
using testing::rejection;
using testing::write_file;
using testing::ZipKind;
using testing::ZipWriter;

class Npz : public ::testing::Test {
 protected:
  std::string file(const std::string& bytes) const { return write_file(folder_.path("log.npz"), bytes); }

  /// A message without the folder.
  std::string short_of(std::string message) const {
    const std::size_t at = message.find(folder_.path());
    return at == std::string::npos ? message : message.erase(at, folder_.path().size() + 1);
  }

  std::vector<double> read(const std::string& path, const std::string& array) const {
    NpyReader reader = NpzArchive(path).open(array);
    std::vector<double> numbers(reader.rows() * reader.width());
    reader.read(reader.rows(), numbers.data());
    return numbers;
  }

  testing::TemporaryFolder folder_;
};

std::vector<double> counted(std::size_t n) {
  std::vector<double> numbers(n);
  for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<double>(i);
  return numbers;
}

TEST_F(Npz, ArraysAreReadFromMembersOfEveryKind) {
  for (const ZipKind kind : {ZipKind::stored, ZipKind::deflated, ZipKind::stored_zip64}) {
    ZipWriter zip(kind);
    zip.array("x", counted(50'000), 5).add("readme.txt", "not an array").array("reward", {1, 2});
    const std::string path = file(zip.bytes());
    const NpzArchive archive(path);
    EXPECT_EQ(archive.arrays(), (std::vector<std::string>{"x", "reward"}));
    EXPECT_TRUE(archive.has("reward"));
    EXPECT_FALSE(archive.has("readme"));
    EXPECT_EQ(read(path, "x"), counted(50'000));
    EXPECT_EQ(read(path, "reward"), (std::vector<double>{1, 2}));
  }
}

TEST_F(Npz, ArraysAreReadSideBySide) {
  for (const ZipKind kind : {ZipKind::stored, ZipKind::deflated}) {
    const NpzArchive archive(
        file(ZipWriter(kind).array("a", counted(20'000)).array("b", std::vector<double>(20'000, 7)).bytes()));
    NpyReader a = archive.open("a");
    NpyReader b = archive.open("b");
    for (std::size_t i = 0; i < 20'000; i += 100) {
      std::vector<double> numbers(100);
      a.read(100, numbers.data());
      ASSERT_EQ(numbers[99], static_cast<double>(i + 99));
      b.read(100, numbers.data());
      ASSERT_EQ(numbers[99], 7);
    }
  }
}

TEST_F(Npz, AnArchiveMayEndInAComment) {
  EXPECT_EQ(read(file(ZipWriter().array("x", {3}).bytes("written on a PK\5\6 day")), "x"), std::vector<double>{3});
}

TEST_F(Npz, AnArrayThatIsNotThereIsNamedWithThoseThatAre) {
  const std::string path = file(ZipWriter().array("reward", {3}).bytes());
  EXPECT_EQ(short_of(rejection([&] { read(path, "rewrd"); })),
            "log.npz: there is no array 'rewrd'; did you mean 'reward'? (known: reward)");
}

TEST_F(Npz, WhatIsNoArchiveIsRejected) {
  EXPECT_EQ(short_of(rejection([&] { NpzArchive archive(file("")); })), "log.npz is empty");
  EXPECT_EQ(short_of(rejection([&] { NpzArchive archive(file("a,b\n1,2\n")); })), "log.npz is not a zip archive");
  EXPECT_EQ(short_of(failure([&] { NpzArchive archive(folder_.path("none.npz")); })),
            "none.npz: cannot open: No such file or directory");
  EXPECT_EQ(failure([&] { NpzArchive archive(folder_.path()); }), folder_.path() + ": is a directory");
}

TEST_F(Npz, ADamagedMemberIsFoundAtTheLatestAtItsEnd) {
  for (const ZipKind kind : {ZipKind::stored, ZipKind::deflated}) {
    std::string bytes = ZipWriter(kind).array("x", counted(1000)).bytes();
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 4);
    const std::string message = short_of(failure([&] { read(file(bytes), "x"); }));
    EXPECT_TRUE(message.starts_with("log.npz: 'x.npy' is damaged or cut off: ")) << message;
  }
  std::string bytes = ZipWriter().array("x", counted(1000)).bytes();
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 4);
  EXPECT_EQ(short_of(failure([&] { read(file(bytes), "x"); })), "log.npz: 'x.npy' is damaged or cut off: CRC error");
}

TEST_F(Npz, NoFlippedBitChangesANumberUnnoticed) {
  const std::string good = ZipWriter().array("x", counted(6), 2).array("rho", {1, 2}).bytes();
  const auto everything = [&](const std::string& path) {
    std::map<std::string, std::vector<double>> arrays;
    for (const std::string& array : NpzArchive(path).arrays()) arrays[array] = read(path, array);
    return arrays;
  };
  const auto expected = everything(file(good));
  ASSERT_EQ(expected.size(), 2U);
  std::size_t found = 0;
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::string bytes = good;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
    const std::string path = file(bytes);
    try {
      EXPECT_EQ(everything(path), expected) << "bit " << bit % 8 << " of byte " << bit / 8;
    } catch (const Error&) {
      ++found;
    }
  }
  EXPECT_GT(found, 7 * good.size());  // the others are dates, attributes and the like
}

TEST_F(Npz, AnArchiveThatIsCutOffIsRejectedWhereverItIsCut) {
  for (const ZipKind kind : {ZipKind::stored, ZipKind::deflated, ZipKind::stored_zip64}) {
    const std::string whole = ZipWriter(kind).array("x", counted(10)).array("y", {1}).bytes();
    for (std::size_t size = 4; size < whole.size(); ++size) {
      EXPECT_EQ(short_of(failure([&] { read(file(whole.substr(0, size)), "x"); })),
                "log.npz is damaged or cut off: the list of its members is missing")
          << size;
    }
  }
}

TEST_F(Npz, SizesThatCanNotBeAreDamage) {
  const std::string good = ZipWriter().array("x", counted(10)).bytes();
  const std::size_t entry = good.find("PK\1\2");
  const auto changed = [&](std::size_t at, char byte) {
    std::string bytes = good;
    bytes[at] = byte;
    return short_of(failure([&] { read(file(bytes), "x"); }));
  };
  EXPECT_EQ(changed(entry + 23, '\x7f'),
            "log.npz: 'x.npy' is damaged or cut off: it reaches beyond the end of the file");
  EXPECT_EQ(changed(entry + 27, '\x7f'), "log.npz: 'x.npy' is damaged or cut off: its size is wrong");
  EXPECT_EQ(changed(entry + 42, '\x05'), "log.npz: 'x.npy' is damaged or cut off: it is not where it should be");
  EXPECT_EQ(changed(entry + 45, '\x7f'), "log.npz is damaged or cut off: it ends within a header");
  EXPECT_EQ(changed(entry + 29, '\x7f'), "log.npz is damaged or cut off: the list of its members ends too early");
  EXPECT_EQ(changed(good.size() - 7, '\x7f'), "log.npz is damaged or cut off: the list of its members is too long");
}

TEST_F(Npz, MembersThatAreEncryptedOrPackedOtherwiseAreRejected) {
  const std::string good = ZipWriter().array("x", counted(10)).bytes();
  const std::size_t entry = good.find("PK\1\2");
  std::string encrypted = good;
  encrypted[entry + 8] = 1;
  EXPECT_EQ(short_of(rejection([&] { read(file(encrypted), "x"); })), "log.npz: 'x.npy' is encrypted");
  std::string packed = good;
  packed[entry + 10] = 14;
  EXPECT_EQ(short_of(rejection([&] { read(file(packed), "x"); })),
            "log.npz: 'x.npy' is compressed by method 14; stored and deflated (8) members can be read");
}

}  // namespace
}  // namespace bellwether
