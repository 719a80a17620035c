#include <bellwether/data/numpy/npy.h>

#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/data/files.h"
#include "support/data/npz_writer.h"
#include "support/data/python_data.h"
#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::failure;
using testing::npy_bytes;
using testing::python_data;
using testing::rejection;
using testing::write_file;

class Npy : public testing::FileTest {
 protected:
  Npy() : FileTest("a.npy") {}

  NpyReader open(const std::string& bytes) const {
    const auto file = std::make_shared<RandomAccessFile>(write_file(file_, bytes));
    return {std::make_unique<FilePart>(file, 0, file->size()), "a.npy"};
  }

  std::vector<double> read_all(const std::string& bytes) const {
    NpyReader reader = open(bytes);
    std::vector<double> numbers(reader.rows() * reader.width());
    reader.read(reader.rows(), numbers.data());
    return numbers;
  }
};

std::string bytes_of(std::initializer_list<int> bytes) {
  std::string text;
  for (const int byte : bytes) text += static_cast<char>(byte);
  return text;
}

TEST_F(Npy, NumbersOfEveryTypeAndByteOrderAreRead) {
  EXPECT_EQ(read_all(npy_bytes("|i1", "(2,)", bytes_of({5, 0xff}))), (std::vector<double>{5, -1}));
  EXPECT_EQ(read_all(npy_bytes("|u1", "(2,)", bytes_of({5, 0xff}))), (std::vector<double>{5, 255}));
  EXPECT_EQ(read_all(npy_bytes("|b1", "(3,)", bytes_of({0, 1, 7}))), (std::vector<double>{0, 1, 1}));
  EXPECT_EQ(read_all(npy_bytes("<i2", "(1,)", bytes_of({0xfe, 0xff}))), (std::vector<double>{-2}));
  EXPECT_EQ(read_all(npy_bytes(">i2", "(1,)", bytes_of({0xff, 0xfe}))), (std::vector<double>{-2}));
  EXPECT_EQ(read_all(npy_bytes(">u4", "(1,)", bytes_of({0, 0, 1, 2}))), (std::vector<double>{258}));
  EXPECT_EQ(read_all(npy_bytes("<u8", "(1,)", bytes_of({0, 0, 0, 0, 0, 0, 0, 0x80}))), (std::vector<double>{0x1p63}));
  EXPECT_EQ(read_all(npy_bytes("<f4", "(1,)", bytes_of({0, 0, 0xc0, 0x3f}))), (std::vector<double>{1.5}));
  EXPECT_EQ(read_all(npy_bytes(">f8", "(1,)", bytes_of({0x3f, 0xf8, 0, 0, 0, 0, 0, 0}))), (std::vector<double>{1.5}));
}

TEST_F(Npy, VersionsOneToThreeAreRead) {
  for (const int version : {1, 2, 3}) {
    EXPECT_EQ(read_all(npy_bytes("|u1", "(1,)", "\5", version)), (std::vector<double>{5})) << version;
  }
  EXPECT_EQ(rejection([&] { open(npy_bytes("|u1", "(1,)", "\5", 4)); }),
            "a.npy has version 4 of NumPy's format; 1 to 3 are known");
}

TEST_F(Npy, RowsComeInAnyPortions) {
  std::vector<double> values(30'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  std::string small;
  for (const double v : values) {
    const auto narrow = static_cast<float>(v);
    small.append(reinterpret_cast<const char*>(&narrow), sizeof narrow);
  }
  NpyReader reader = open(npy_bytes("<f4", "(10000, 3)", small));
  EXPECT_EQ(reader.rows(), 10'000U);
  EXPECT_EQ(reader.width(), 3U);
  std::vector<double> numbers(values.size());
  std::size_t row = 0;
  for (const std::size_t rows : {1U, 0U, 7U, 9000U, 992U}) {
    reader.read(rows, numbers.data() + 3 * row);
    row += rows;
  }
  EXPECT_EQ(numbers, values);
}

TEST_F(Npy, WhatIsWrittenIsReadAgain) {
  const std::vector<double> values{1, -2.5, 1e300, 0, 5e-324, 6};
  for (const std::vector<std::size_t>& shape : {std::vector<std::size_t>{6}, {2, 3}, {1, 6, 1}}) {
    std::ostringstream out;
    write_npy(out, values, shape);
    NpyReader reader = open(out.str());
    EXPECT_EQ(std::vector<std::size_t>(reader.header().shape.begin(), reader.header().shape.end()), shape);
    EXPECT_EQ(reader.header().bytes % 64, 0U) << "NumPy aligns the numbers";
    EXPECT_EQ(read_all(out.str()), values);
  }
}

TEST_F(Npy, FortranOrderIsReadWhereThereIsNoOrder) {
  EXPECT_EQ(read_all(npy_bytes("|u1", "(2,)", "\1\2", 1, true)), (std::vector<double>{1, 2}));
  EXPECT_EQ(read_all(npy_bytes("|u1", "(2, 1)", "\1\2", 1, true)), (std::vector<double>{1, 2}));
  EXPECT_EQ(rejection([&] { read_all(npy_bytes("|u1", "(2, 2)", "\1\2\3\4", 1, true)); }),
            "a.npy is in Fortran order, column by column; save it as np.ascontiguousarray(...)");
}

TEST_F(Npy, RecordsHaveTheNumbersOfTheirFieldsSideBySide) {
  const std::string dtype = "[('a', '|u1'), ('', '|V1'), ('b', '<u2', (2,)), ('t', '<U1'), ('in', [('c', '>u2')])]";
  const std::string one = bytes_of({1, 99, 2, 0, 3, 0, 'x', 0, 0, 0, 0, 4});
  const std::string two = bytes_of({5, 99, 6, 0, 7, 0, 'x', 0, 0, 0, 0, 8});
  const NpyReader reader = open(npy_bytes(dtype, "(2,)", one + two));
  EXPECT_TRUE(reader.header().records);
  ASSERT_EQ(reader.header().fields.size(), 3U);
  EXPECT_EQ(reader.header().fields[1].name, "b");
  EXPECT_EQ(reader.header().fields[2].name, "in/c");
  EXPECT_EQ(reader.header().others, std::vector<std::string>{"t"});
  EXPECT_EQ(read_all(npy_bytes(dtype, "(2,)", one + two)), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST_F(Npy, WhatHoldsNoPlainNumbersIsRejectedByFileAndType) {
  for (const std::string dtype : {"|O", "<U5", "|S3", "<c16", "<M8[ns]", "<f2", "<f16", "|V8"}) {
    EXPECT_EQ(
        rejection([&] { read_all(npy_bytes(dtype, "(0,)", "")); }),
        "a.npy has dtype '" + dtype + "', which is not a type of plain numbers (float32, float64, integers, bool)");
  }
}

TEST_F(Npy, WhatIsNoArrayIsRejected) {
  EXPECT_EQ(rejection([&] { open(""); }), "a.npy is empty");
  EXPECT_EQ(rejection([&] { open("position,velocity\n1,2\n"); }), "a.npy is not a NumPy array");
  EXPECT_EQ(rejection([&] { open("\x93NUM"); }), "a.npy is not a NumPy array");
}

TEST_F(Npy, DamageIsFound) {
  const std::string whole = npy_bytes("<f8", "(4,)", std::string(32, '\0'));
  EXPECT_EQ(failure([&] { open(whole.substr(0, whole.size() - 3)); }),
            "a.npy ends too early: 3 bytes of its 4 elements are missing");
  EXPECT_EQ(failure([&] { open(whole.substr(0, 30)); }), "a.npy ends within the header of its array");
  for (const std::string shape : {"(4", "(-1,)", "(99999999999999999999,)", "(4294967296, 4294967296)", "None", ""}) {
    EXPECT_EQ(failure([&] { open(npy_bytes("<f8", shape, "")); }),
              "a.npy is damaged: the header of its array cannot be parsed")
        << shape;
  }
  for (const std::string dtype : {"", "<f", "[('a',)]", "[('a', '<f8', 'b')]", "[('a', '<f8', (4294967296,))]"}) {
    EXPECT_EQ(failure([&] { open(npy_bytes(dtype, "(0,)", "")); }),
              "a.npy is damaged: the header of its array cannot be parsed")
        << dtype;
  }
  EXPECT_EQ(failure([&] { open(npy_bytes(std::string(5000, '['), "(0,)", "")); }),
            "a.npy is damaged: the header of its array cannot be parsed");
  for (const std::string twice : {"(4,), 'descr': '<f4'", "(4,), 'shape': (4,)", "(4,), 'fortran_order': True"}) {
    EXPECT_EQ(failure([&] { open(npy_bytes("<f8", twice, std::string(32, '\0'))); }),
              "a.npy is damaged: the header of its array cannot be parsed")
        << twice;
  }
  std::string long_header = npy_bytes("<f8", "(0,)", "", 2);
  long_header[11] = '\x7f';
  EXPECT_EQ(failure([&] { open(long_header); }), "a.npy is damaged: the header of its array is too long");
}

using NpyFromPython = testing::FromPython;

TEST_F(NpyFromPython, NumbersOfEveryTypeAreReadAsNumPyWroteThem) {
  for (const std::string order : {"little", "big"}) {
    for (const std::string type : {"u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f4", "f8"}) {
      const auto file = std::make_shared<RandomAccessFile>(python_data("numbers_" + order + "_" + type + ".npy"));
      NpyReader reader(std::make_unique<FilePart>(file, 0, file->size()), "numbers");
      std::vector<double> numbers(10);
      ASSERT_EQ(reader.rows(), 10U);
      reader.read(10, numbers.data());
      EXPECT_EQ(numbers, (std::vector<double>{100, 101, 102, 103, 104, 105, 106, 107, 108, 109})) << order << type;
    }
  }
}

}  // namespace
}  // namespace bellwether
