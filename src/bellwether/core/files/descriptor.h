#pragma once

#include <utility>

#include <unistd.h>

namespace bellwether {

/// A file descriptor that is closed by its destructor.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

  bool is_open() const { return number_ >= 0; }
  int operator*() const { return number_; }

 private:
  int number_;
};

}  // namespace bellwether
