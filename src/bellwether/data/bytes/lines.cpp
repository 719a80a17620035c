#include <bellwether/data/bytes/lines.h>

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace bellwether {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

Lines::Lines(const std::string& path, const TableOptions& options, std::size_t chunk)
    : input_(std::make_unique<Input>(path, options)), chunk_(chunk), buffer_(chunk + padding) {}

void Lines::make_room() {
  std::copy(buffer_.data() + begin_, buffer_.data() + end_, buffer_.data());
  whole_ -= begin_;
  end_ -= begin_;
  begin_ = 0;
  if (end_ > longest) throw InvalidArgument(fmt::format("{}: a row has more than {} bytes", name(), longest));
  // Doubling bounds how often a parser starts a long row again: not once for every chunk.
  if (buffer_.size() - padding - end_ <= chunk_ / 2) buffer_.resize(2 * buffer_.size());
}

Lines::More Lines::more(int wait) {
  if (at_end_) return More::end;
  for (;;) {
    make_room();
    const auto count = input_->read(buffer_.data() + end_, buffer_.size() - padding - end_, wait);
    if (!count) return More::nothing_yet;
    const std::size_t old_end = end_;
    end_ += *count;
    if (*count == 0) {
      at_end_ = true;
      if (end_ == whole_ || input_->interrupted()) return More::end;
      buffer_[end_++] = '\n';
    }
    if (at_start_ && end_ >= byte_order_mark.size()) {
      at_start_ = false;
      if (std::string_view(buffer_.data(), end_).starts_with(byte_order_mark)) begin_ = whole_ = byte_order_mark.size();
    }
    const void* newline = memrchr(buffer_.data() + old_end, '\n', end_ - old_end);
    if (newline != nullptr) {
      whole_ = static_cast<std::size_t>(static_cast<const char*>(newline) - buffer_.data()) + 1;
      return More::lines;
    }
    if (is_stream()) return More::nothing_yet;
  }
}

std::string_view Lines::first() {
  for (;;) {
    const std::string_view all = text();
    const std::size_t begin = all.find_first_not_of("\r\n");
    drop(all.data() + std::min(begin, all.size()));
    if (begin != std::string_view::npos) {
      const std::string_view line = text().substr(0, text().find('\n'));
      return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
    }
    if (more() == More::end) return {};
  }
}

}  // namespace bellwether
