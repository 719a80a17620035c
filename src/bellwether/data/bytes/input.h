#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <bellwether/data/table.h>

namespace bellwether {

/// The bytes of a file or of standard input, "-", decompressed if they are gzip, which their first two bytes tell and
/// not the name. Regular files are read without further ado. What may make its reader wait (a pipe, a fifo, a terminal)
/// is a stream: it is polled, so that nobody waits for longer than some tenths of a second.
///
/// Throws IoError with path and reason when there is no such file, when it is a folder, when it cannot be read, and
/// when compressed data end early or are damaged.
class Input {
 public:
  /// Of `options` only `interrupted` matters here.
  Input(const std::string& path, const TableOptions& options);
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  const std::string& path() const { return path_; }

  /// What messages call it: the path, or "standard input".
  const std::string& name() const { return name_; }

  bool is_stream() const { return !size_.has_value(); }

  /// Reads up to `size` > 0 bytes and says how many; 0 at the end, nothing when a stream had nothing for as long as
  /// `patience` milliseconds. An interruption is an end.
  std::optional<std::size_t> read(char* to, std::size_t size, int patience = 200);

  /// Whether the end was one of the data or an interruption, which may have come in the middle of a word.
  bool interrupted() const { return interrupted_; }

  /// How much of a regular file has been read, before decompression, from 0 to 1.
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

  std::array<char, 2> head_{};  // what was read to tell gzip from anything else, and has not been handed on yet
  std::size_t head_size_ = 0;
  bool recognised_ = false;
  std::unique_ptr<Inflater> inflater_;  // of gzip
};

}  // namespace bellwether
