#include <bellwether/data/bytes/read_ahead.h>

#include <algorithm>

namespace bellwether {

ReadAhead::ReadAhead(const Make& make)
    : parts_(most_parts, [make](Part& part) {
        part.made = make(part.bytes.data());
        return part.made.size > 0;
      }) {}

std::size_t ReadAhead::read(char* to, std::size_t size) {
  if (part_ == nullptr || begin_ == part_->made.size) {
    part_ = &parts_.next();
    begin_ = 0;
  }
  const std::size_t count = std::min(size, part_->made.size - begin_);
  std::copy_n(part_->bytes.begin() + static_cast<std::ptrdiff_t>(begin_), count, to);
  begin_ += count;
  return count;
}

}  // namespace bellwether
