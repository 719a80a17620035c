#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <bellwether/data/bytes/input.h>

namespace bellwether {

/// The text of a file or stream as whole lines, many at a time, for parsers that look for the end of a line by finding
/// it and never by counting. The text at hand always ends with a newline (one is added where the last line has none),
/// and `padding` more bytes may be read, though they mean nothing. A byte-order mark at the beginning is left out, and
/// so is a last line that an interruption cut short.
///
///     while (lines.more() != Lines::More::end) {
///       while (!lines.text().empty()) lines.drop(parse_one_line(lines.text().data()));
///     }
///
/// Memory is one chunk, unless a line is longer; a line, or what a reader keeps together, of more than 16 MiB is an
/// error.
class Lines {
 public:
  static constexpr std::size_t padding = 16;
  static constexpr std::size_t default_chunk = std::size_t{1} << 18U;  // stays in the second cache
  static constexpr std::size_t longest = std::size_t{1} << 24U;
  static constexpr int patience = 200;  // milliseconds

  Lines(const std::string& path, const TableOptions& options, std::size_t chunk = default_chunk);

  const std::string& path() const { return input_->path(); }
  const std::string& name() const { return input_->name(); }
  bool is_stream() const { return input_->is_stream(); }
  bool interrupted() const { return input_->interrupted(); }
  std::optional<double> fraction() const { return input_->fraction(); }

  /// The whole lines at hand; nothing once everything has been dropped.
  std::string_view text() const { return {buffer_.data() + begin_, whole_ - begin_}; }

  /// The text up to here has been dealt with.
  void drop(const char* end) { begin_ = static_cast<std::size_t>(end - buffer_.data()); }

  enum class More : std::uint8_t { lines, nothing_yet, end };

  /// Reads on, so that `text` has at least one line more; it moves, and what was not dropped stays in it. A stream that
  /// does not send another line within `wait` milliseconds has nothing yet. Throws InvalidArgument when a line is too
  /// long.
  More more(int wait = patience);

  /// The first line that is not blank, without its end, and with nothing before it in `text`; empty when there is none.
  /// Waits for it.
  std::string_view first();

 private:
  void make_room();

  std::unique_ptr<Input> input_;
  std::size_t chunk_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, whole_ = 0, end_ = 0;  // text is [begin, whole); [whole, end) is the start of a line
  bool at_start_ = true, at_end_ = false;
};

}  // namespace bellwether
