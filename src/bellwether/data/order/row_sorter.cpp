#include <bellwether/data/order/row_sorter.h>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include <bellwether/core/error.h>

namespace bellwether {

RowSorter::RowSorter(std::size_t width, std::vector<std::size_t> by, std::size_t memory)
    : width_(width),
      by_(std::move(by)),
      most_rows_(std::max<std::size_t>(2, memory / (width * sizeof(double) + sizeof(double*)))) {}

RowSorter::~RowSorter() {
  if (file_ >= 0) close(file_);
}

void RowSorter::fail() const {
  throw IoError(fmt::format("cannot sort the rows in {}: {} (TMPDIR names another folder)", path_,
                            errno == 0 ? "it ends too early" : std::strerror(errno)));
}

bool RowSorter::less(const double* a, const double* b) const {
  for (const std::size_t i : by_) {
    if (a[i] != b[i]) return a[i] < b[i];
  }
  return false;
}

void RowSorter::add(const double* row) {
  const std::size_t most = most_rows_ * width_;
  if (cells_.size() >= most) spill();
  if (cells_.size() >= most / 4) cells_.reserve(most);  // so that memory is not doubled, and copied, beyond that
  cells_.insert(cells_.end(), row, row + width_);
  ++rows_;
}

void RowSorter::sort_memory() {
  order_.clear();
  order_.reserve(cells_.size() / width_);
  for (std::size_t i = 0; i < cells_.size(); i += width_) order_.push_back(cells_.data() + i);
  std::sort(order_.begin(), order_.end(), [this](const double* a, const double* b) { return less(a, b); });
}

void RowSorter::spill() {
  if (file_ < 0) {
    path_ = (std::filesystem::temp_directory_path() / "bellwether-sort-XXXXXX").string();
    file_ = mkstemp(path_.data());
    if (file_ < 0) fail();
    unlink(path_.c_str());
  }
  sort_memory();
  constexpr std::size_t rows_at_once = 4096;
  std::vector<double> buffer;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    buffer.insert(buffer.end(), order_[i], order_[i] + width_);
    if (i % rows_at_once + 1 != rows_at_once && i + 1 != order_.size()) continue;
    const std::string_view bytes(reinterpret_cast<const char*>(buffer.data()),  // NOLINT: numbers as bytes
                                 buffer.size() * sizeof(double));
    for (std::size_t written = 0; written < bytes.size();) {
      const ssize_t count = ::write(file_, bytes.data() + written, bytes.size() - written);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail();
      written += static_cast<std::size_t>(count);
    }
    buffer.clear();
  }
  stretches_.push_back({.first = spilled_, .last = spilled_ + order_.size(), .cells = {}});
  spilled_ += order_.size();
  cells_.clear();
}

void RowSorter::finish() {
  if (file_ < 0) return sort_memory();
  spill();
  std::vector<double>().swap(cells_);  // gives the memory back, which an assignment would not
  std::vector<const double*>().swap(order_);
  for (std::size_t s = 0; s < stretches_.size(); ++s) {
    if (refill(stretches_[s])) heap_.push_back(s);
  }
  const auto later = [this](std::size_t a, std::size_t b) {
    return less(stretches_[b].cells.data() + stretches_[b].at, stretches_[a].cells.data() + stretches_[a].at);
  };
  std::make_heap(heap_.begin(), heap_.end(), later);
}

/// Reads the next rows of a stretch; false when there are none. Together the stretches take no more memory than the
/// rows did before.
bool RowSorter::refill(Stretch& stretch) const {
  const std::uint64_t share = std::max<std::uint64_t>(1, most_rows_ / stretches_.size());
  const std::uint64_t count = std::min(share, stretch.last - stretch.first);
  stretch.at = 0;
  stretch.cells.resize(count * width_);
  auto* const to = reinterpret_cast<char*>(stretch.cells.data());  // NOLINT: numbers as bytes
  const std::size_t bytes = stretch.cells.size() * sizeof(double);
  for (std::size_t done = 0; done < bytes;) {
    const auto from = static_cast<off_t>(stretch.first * width_ * sizeof(double) + done);
    errno = 0;
    const ssize_t got = pread(file_, to + done, bytes - done, from);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail();
    done += static_cast<std::size_t>(got);
  }
  stretch.first += count;
  return count > 0;
}

const double* RowSorter::next() {
  if (file_ < 0) return given_ < order_.size() ? order_[given_++] : nullptr;
  const auto later = [this](std::size_t a, std::size_t b) {
    return less(stretches_[b].cells.data() + stretches_[b].at, stretches_[a].cells.data() + stretches_[a].at);
  };
  if (pending_) {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    Stretch& stretch = stretches_[heap_.back()];
    stretch.at += width_;
    if (stretch.at < stretch.cells.size() || refill(stretch)) std::push_heap(heap_.begin(), heap_.end(), later);
    else heap_.pop_back();
  }
  pending_ = !heap_.empty();
  if (!pending_) return nullptr;
  const Stretch& first = stretches_[heap_.front()];
  return first.cells.data() + first.at;
}

}  // namespace bellwether
