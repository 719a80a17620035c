#pragma once

#include <zlib.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <bellwether/data/table.h>

namespace bellwether::testing {

/// A file that holds the text, and its path.
inline std::string write_text(const std::string& path, const std::string& text) {
  std::remove(
      path.c_str());  // a new file is not synced to the disk when it is closed, as one is that was cut to nothing
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

/// As the program gzip writes it.
inline std::string gzip(std::string text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("deflateInit2");
  }
  std::string compressed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(compressed.data());
  stream.avail_out = static_cast<uInt>(compressed.size());
  deflate(&stream, Z_FINISH);
  compressed.resize(stream.total_out);
  deflateEnd(&stream);
  return compressed;
}

/// All rows of the selected columns, read a few at a time.
inline TableBlock read_all(TableReader& reader, std::size_t rows_at_once = 3) {
  TableBlock all, block;
  for (bool first = true; reader.read(block, rows_at_once); first = false) {
    if (first) all.clear(block.columns);
    all.rows += block.rows;
    all.cells.insert(all.cells.end(), block.cells.begin(), block.cells.end());
    all.row.insert(all.row.end(), block.row.begin(), block.row.end());
  }
  return all;
}

/// All rows of these columns, as numbers.
inline TableBlock read_all(TableReader& reader, const std::vector<std::string>& columns) {
  std::vector<ColumnRequest> requests;
  for (const std::string& column : columns) requests.push_back({.name = column});
  reader.select(std::move(requests));
  return read_all(reader);
}

}  // namespace bellwether::testing
