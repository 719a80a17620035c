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

/// Passes the bytes from `from` on through a filter.
void Lines::convert(TextFilter& filter, std::size_t from) {
  filtered_.clear();
  filter.convert({buffer_.data() + from, end_ - from}, filtered_);
  if (buffer_.size() < from + filtered_.size() + chunk_ + padding) {
    buffer_.resize(from + filtered_.size() + chunk_ + padding);
  }
  std::copy(filtered_.begin(), filtered_.end(), buffer_.data() + from);
  end_ = from + filtered_.size();
}

void Lines::recognise_encoding() {
  if (end_ < 2) return;
  const std::string_view text(buffer_.data(), end_);
  if (auto decoder = utf16_decoder(text); decoder != nullptr) {
    at_start_ = false;
    filters_.push_back(std::move(decoder));
    convert(*filters_.back(), 0);
  } else if (end_ >= byte_order_mark.size()) {
    at_start_ = false;
    if (text.starts_with(byte_order_mark)) begin_ = whole_ = byte_order_mark.size();
  }
}

/// Reads bytes into the room that was made, and returns how many: 0 at the end, nothing when a stream sent none within
/// `wait` milliseconds.
std::optional<std::size_t> Lines::read_some(int wait) {
  const std::size_t room = buffer_.size() - padding - end_;
  const auto count = input_->read(buffer_.data() + end_, filters_.empty() ? room : std::min(room, chunk_), wait);
  if (!count) return count;
  const std::size_t old_end = end_;
  end_ += *count;
  for (const auto& filter : filters_) convert(*filter, old_end);
  if (at_start_) recognise_encoding();
  if (*count == 0 && !input_->interrupted()) {
    for (const auto& filter : filters_) filter->finish(name());
  }
  return count;
}

Lines::More Lines::more(int wait) {
  if (at_end_) return More::end;
  for (;;) {
    make_room();
    const std::size_t old_end = end_;
    const auto count = read_some(wait);
    if (!count) return More::nothing_yet;
    if (*count == 0) {
      at_end_ = true;
      if (end_ == whole_ || input_->interrupted()) return More::end;
      buffer_[end_++] = '\n';
    }
    const std::size_t from = std::min(old_end, end_);
    const void* newline = memrchr(buffer_.data() + from, '\n', end_ - from);
    if (newline != nullptr) {
      whole_ = static_cast<std::size_t>(static_cast<const char*>(newline) - buffer_.data()) + 1;
      return More::lines;
    }
    if (is_stream()) return More::nothing_yet;
  }
}

char Lines::first_character() {
  for (;;) {
    const std::string_view all(buffer_.data() + begin_, end_ - begin_);
    const std::size_t found = at_start_ ? std::string_view::npos : all.find_first_not_of(" \t\r\n");
    if (found != std::string_view::npos) return all[found];
    if (at_end_) return 0;
    make_room();
    const auto count = read_some(patience);
    if (count && *count == 0) {
      at_start_ = false;
      at_end_ = true;
      if (end_ > whole_ && !input_->interrupted()) {
        buffer_[end_++] = '\n';
        whole_ = end_;
      }
    }
  }
}

void Lines::split_array() {
  filters_.push_back(array_splitter());
  convert(*filters_.back(), begin_);
  if (at_end_) filters_.back()->finish(name());
  whole_ = begin_ + std::string_view(buffer_.data() + begin_, end_ - begin_).rfind('\n') + 1;
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
