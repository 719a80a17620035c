#include "support/data/npz_writer.h"

#include <zlib.h>

#include "support/data/files.h"

namespace bellwether::testing {

namespace {

void put(std::string& bytes, std::uint64_t number, int size) {
  for (int i = 0; i < size; ++i, number >>= 8U) bytes += static_cast<char>(number);
}

template <class T>
std::string raw(const std::vector<T>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

}  // namespace

std::string npy_bytes(const std::string& dtype, const std::string& shape, const std::string& bytes, int version,
                      bool fortran_order) {
  const std::string quoted = dtype.starts_with('[') ? dtype : "'" + dtype + "'";
  const std::string header = "{'descr': " + quoted + ", 'fortran_order': " + (fortran_order ? "True" : "False") +
                             ", 'shape': " + shape + ", }\n";
  std::string all = "\x93NUMPY";
  all += static_cast<char>(version);
  all += '\0';
  put(all, header.size(), version == 1 ? 2 : 4);
  return all + header + bytes;
}

std::string npy_of(const std::vector<double>& numbers, std::size_t width) {
  const std::string shape = width == 0
                                ? "(" + std::to_string(numbers.size()) + ",)"
                                : "(" + std::to_string(numbers.size() / width) + ", " + std::to_string(width) + ")";
  return npy_bytes("<f8", shape, raw(numbers));
}

std::string npy_of_integers(const std::vector<std::int64_t>& numbers) {
  return npy_bytes("<i8", "(" + std::to_string(numbers.size()) + ",)", raw(numbers));
}

ZipWriter& ZipWriter::add(const std::string& name, const std::string& bytes) {
  const bool large = kind_ == ZipKind::stored_zip64;
  const std::string data = kind_ == ZipKind::deflated ? deflated(bytes) : bytes;
  const std::uint64_t offset = members_.size();
  const auto common = [&](std::string& to) {  // from the needed version to the lengths
    put(to, large ? 45 : 20, 2);
    put(to, 0, 2);
    put(to, kind_ == ZipKind::deflated ? 8 : 0, 2);
    put(to, 0, 4);  // the time
    put(to, crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()), 4);
    put(to, large ? 0xffffffff : data.size(), 4);
    put(to, large ? 0xffffffff : bytes.size(), 4);
    put(to, name.size(), 2);
  };
  const auto sizes = [&](std::string& to, bool with_offset) {
    if (!large) return;
    put(to, 1, 2);
    put(to, with_offset ? 24 : 16, 2);
    put(to, bytes.size(), 8);
    put(to, data.size(), 8);
    if (with_offset) put(to, offset, 8);
  };
  members_ += "PK\3\4";
  common(members_);
  put(members_, large ? 20 : 0, 2);
  members_ += name;
  sizes(members_, false);
  members_ += data;
  directory_ += "PK\1\2";
  put(directory_, 20, 2);
  common(directory_);
  put(directory_, large ? 28 : 0, 2);
  put(directory_, 0, 2 + 2 + 2 + 4);
  put(directory_, large ? 0xffffffff : offset, 4);
  directory_ += name;
  sizes(directory_, true);
  ++count_;
  return *this;
}

std::string ZipWriter::bytes(const std::string& comment) const {
  const bool large = kind_ == ZipKind::stored_zip64;
  std::string end;
  if (large) {
    end += "PK\6\6";
    put(end, 44, 8);
    put(end, 45, 2);
    put(end, 45, 2);
    put(end, 0, 8);
    put(end, count_, 8);
    put(end, count_, 8);
    put(end, directory_.size(), 8);
    put(end, members_.size(), 8);
    end += "PK\6\7";
    put(end, 0, 4);
    put(end, members_.size() + directory_.size(), 8);
    put(end, 1, 4);
  }
  end += "PK\5\6";
  put(end, 0, 4);
  put(end, large ? 0xffff : count_, 2);
  put(end, large ? 0xffff : count_, 2);
  put(end, large ? 0xffffffff : directory_.size(), 4);
  put(end, large ? 0xffffffff : members_.size(), 4);
  put(end, comment.size(), 2);
  return members_ + directory_ + end + comment;
}

}  // namespace bellwether::testing
