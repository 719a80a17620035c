#include "support/data/files.h"

#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace bellwether::testing {

namespace {

std::string compressed(const std::string& bytes, int window_bits) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("deflateInit2");
  }
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace

std::string write_file(const std::string& path, const std::string& bytes) {
  std::filesystem::remove(path);  // writing a new file is much faster than truncating an old one, which is synced
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

std::string deflated(const std::string& bytes) { return compressed(bytes, -MAX_WBITS); }

std::string gzip(const std::string& bytes) { return compressed(bytes, MAX_WBITS + 16); }

std::string FileTest::short_of(std::string message) const {
  const std::size_t at = message.find(folder_.path());
  return at == std::string::npos ? message : message.erase(at, folder_.path().size() + 1);
}

}  // namespace bellwether::testing
