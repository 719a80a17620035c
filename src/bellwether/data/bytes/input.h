#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <bellwether/data/bytes/read_ahead.h>
#include <bellwether/data/table.h>

namespace bellwether {

/// The bytes of a file, or of standard input for "-". Gzip is decompressed; the first two bytes tell, not the name. A
/// regular file is simply read; if it is gzip, a thread of its own decompresses ahead of the reader. Anything that can
/// make its reader wait (a pipe, a fifo, a terminal) is a stream: it is polled, so that a call returns after some
/// tenths of a second at the latest.
///
/// Throws IoError with path and reason when the file does not exist, is a folder or cannot be read, and when compressed
/// data end early or are damaged.
class Input {
 public:
  /// Only `options.interrupted` is used.
  Input(const std::string& path, const TableOptions& options);
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  const std::string& path() const { return path_; }

  /// The name used in messages: the path, or "standard input".
  const std::string& name() const { return name_; }

  bool is_stream() const { return !size_.has_value(); }

  /// Reads up to `size` > 0 bytes and returns how many: 0 at the end, nullopt when a stream sent nothing for `patience`
  /// milliseconds. An interruption counts as the end.
  std::optional<std::size_t> read(char* to, std::size_t size, int patience = 200);

  /// Whether reading ended because of an interruption, which may have come in the middle of a word.
  bool interrupted() const { return interrupted_; }

  /// The share of a regular file, before decompression, that has been read: from 0 to 1.
  std::optional<double> fraction() const;

 private:
  struct Inflater;

  std::optional<std::size_t> read_raw(char* to, std::size_t size, int patience);
  std::optional<std::size_t> read_plain(char* to, std::size_t size, int patience);
  std::optional<std::size_t> read_gzip(char* to, std::size_t size, int patience);
  bool recognise(int patience);
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  std::string name_;
  std::function<bool()> asked_to_stop_;
  int descriptor_ = 0;
  std::optional<std::uint64_t> size_;  // of regular files
  std::uint64_t position_ = 0;
  bool interrupted_ = false;

  std::array<char, 2> head_{};  // read to recognise gzip, and not handed on yet
  std::size_t head_size_ = 0;
  bool recognised_ = false;
  std::unique_ptr<Inflater> inflater_;  // null unless the bytes are gzip
  std::unique_ptr<ReadAhead> ahead_;    // of a regular file that is gzip; its thread alone reads and decompresses
};

}  // namespace bellwether
