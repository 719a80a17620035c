#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <bellwether/data/bytes/input.h>
#include <bellwether/data/bytes/text_filter.h>

namespace bellwether {

/// The text of a file or stream as whole lines, many at a time, for parsers that stop at a newline and never count
/// characters. The text at hand always ends with a newline (one is added when the last line has none), and `padding`
/// more bytes may be read, although they mean nothing. A byte-order mark at the beginning is dropped, and so is a last
/// line that an interruption cut short. Text that such a mark says is UTF-16 is converted to UTF-8.
///
///     while (lines.more() != Lines::More::end) {
///       while (!lines.text().empty()) lines.drop(parse_one_line(lines.text().data()));
///     }
///
/// Memory is one chunk, or the longest line. A line, or a row of several lines, of more than 16 MiB is an error.
class Lines {
 public:
  static constexpr std::size_t padding = 16;
  static constexpr std::size_t default_chunk = std::size_t{1} << 18U;  // fits the second-level cache
  static constexpr std::size_t longest = std::size_t{1} << 24U;
  static constexpr int patience = 200;  // milliseconds

  Lines(const std::string& path, const TableOptions& options, std::size_t chunk = default_chunk);

  const std::string& path() const { return input_->path(); }
  const std::string& name() const { return input_->name(); }
  bool is_stream() const { return input_->is_stream(); }
  bool interrupted() const { return input_->interrupted(); }
  std::optional<double> fraction() const { return input_->fraction(); }

  /// The whole lines at hand; empty when everything has been dropped.
  std::string_view text() const { return {buffer_.data() + begin_, whole_ - begin_}; }

  /// Drops the text up to `end`, which has been parsed.
  void drop(const char* end) { begin_ = static_cast<std::size_t>(end - buffer_.data()); }

  enum class More : std::uint8_t { lines, nothing_yet, end };

  /// Reads at least one more line. What was not dropped stays in `text`, which moves in memory. Returns nothing_yet
  /// when a stream does not complete a line within `wait` milliseconds. Throws InvalidArgument when a line is too long.
  More more(int wait = patience);

  /// Waits for the first character that is neither a space nor a newline, and returns it; 0 when there is none. Nothing
  /// must have been dropped. A line need not be complete.
  char first_character();

  /// Makes a line of each element of a JSON array, which the text must be, from its beginning on; nothing must have
  /// been dropped.
  void split_array();

  /// Waits for the first line that is not blank and returns it without its newline; empty when there is none. Blank
  /// lines before it are dropped.
  std::string_view first();

 private:
  void make_room();
  std::optional<std::size_t> read_some(int wait);
  void recognise_encoding();
  void convert(TextFilter& filter, std::size_t from);

  std::unique_ptr<Input> input_;
  std::size_t chunk_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, whole_ = 0, end_ = 0;  // text is [begin, whole); [whole, end) is the start of a line
  bool at_start_ = true, at_end_ = false;
  std::vector<std::unique_ptr<TextFilter>> filters_;  // that the bytes pass, one after another
  std::string filtered_;
};

}  // namespace bellwether
