#include <bellwether/data/numpy/npz.h>

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bellwether/core/error.h>

#include "support/data/files.h"
#include "support/data/npz_writer.h"
#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::failure;
using testing::rejection;
using testing::write_file;
using testing::ZipKind;
using testing::ZipWriter;

class Npz : public testing::FileTest {
 protected:
  Npz() : FileTest("log.npz") {}

  std::string file(const std::string& bytes) const { return write_file(file_, bytes); }

  std::vector<double> read(const std::string& path, const std::string& array) const {
    NpyReader reader = NpzArchive(path).open(array);
    std::vector<double> numbers(reader.rows() * reader.width());
    reader.read(reader.rows(), numbers.data());
    return numbers;
  }
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
    const NpzArchive archive(path);
    for (const std::string& array : archive.arrays()) arrays[array] = read(path, array);
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
    } catch (const IoError&) {
      ++found;
    } catch (const InvalidArgument&) {
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
                "log.npz is damaged or cut off: the list of its members is missing or wrong")
          << size;
    }
  }
}

TEST_F(Npz, ImpossibleSizesAreDamage) {
  const std::string good = ZipWriter(ZipKind::deflated).array("x", counted(10)).bytes();
  const std::size_t entry = good.find("PK\1\2");
  const auto changed = [&](std::initializer_list<std::size_t> where, char byte) {
    std::string bytes = good;
    for (const std::size_t at : where) bytes[at] = byte;
    return short_of(failure([&] { read(file(bytes), "x"); }));
  };
  const std::string list = "log.npz is damaged or cut off: the list of its members is missing or wrong";
  const std::string contradiction = "log.npz is damaged or cut off: Zip archive inconsistent";
  EXPECT_EQ(changed({entry + 23}, '\x7f'), list);                // the compressed size
  EXPECT_EQ(changed({entry + 42}, '\x05'), list);                // the offset of the member
  EXPECT_EQ(changed({entry + 45}, '\x7f'), list);                // the offset of the member
  EXPECT_EQ(changed({entry + 27}, '\x7f'), contradiction);       // the size
  EXPECT_EQ(changed({entry + 29}, '\x7f'), contradiction);       // the length of the name
  EXPECT_EQ(changed({good.size() - 7}, '\x7f'), contradiction);  // the size of the list
  // The size in both headers: a bomb, and a little more than there is.
  EXPECT_EQ(changed({entry + 27, 25}, '\x7f'), "log.npz: 'x.npy' is damaged or cut off: its size is wrong");
  EXPECT_EQ(changed({entry + 24, 22}, '\x7f'),
            "log.npz: array 'x' ends too early: 22 bytes of its 10 elements are missing");
}

TEST_F(Npz, NamesInTheListAndBeforeTheMemberAgree) {
  std::string bytes = ZipWriter().array("rho", {1, 2}).bytes();
  bytes[bytes.rfind("rho")] = 'n';
  EXPECT_EQ(short_of(failure([&] { NpzArchive archive(file(bytes)); })),
            "log.npz is damaged or cut off: Zip archive inconsistent");
}

TEST_F(Npz, AnArrayIsAsLongAsItsMember) {
  const std::string path = file(ZipWriter().add("x.npy", testing::npy_of({1, 2, 3}) + "more").bytes());
  EXPECT_EQ(short_of(failure([&] { read(path, "x"); })),
            "log.npz: array 'x' is damaged or cut off: the header of the array does not fit its size");
}

TEST_F(Npz, MembersThatAreEncryptedOrPackedOtherwiseAreRejected) {
  const std::string good = ZipWriter().array("x", counted(10)).bytes();
  const std::size_t entry = good.find("PK\1\2");
  std::string encrypted = good;
  encrypted[entry + 8] = encrypted[6] = 1;
  EXPECT_EQ(short_of(rejection([&] { read(file(encrypted), "x"); })), "log.npz: 'x.npy' is encrypted");
  std::string packed = good;
  packed[entry + 10] = packed[8] = 14;
  EXPECT_EQ(short_of(rejection([&] { read(file(packed), "x"); })),
            "log.npz: 'x.npy' is compressed by method 14; stored and deflated (8) members can be read");
}

}  // namespace
}  // namespace bellwether
