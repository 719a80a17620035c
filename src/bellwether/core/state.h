#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <bellwether/core/error.h>

/// Saves what has been learned as bytes, for models that are kept and for learning that is resumed.
///
/// A class lists the members that learning changes, once, for writing and for reading alike:
///
///     template <class Self, class Visit>
///     static void state(Self& self, Visit&& visit) {
///       Base::state(self, visit);
///       visit(self.w_, self.n_);
///     }
///
/// `Self` is const when the state is written. State is read into an object that was made with the same parameters, so
/// these are not part of it. Numbers, enumerations, arrays, vectors, optionals, variants and classes with a `state` of
/// their own can be visited; a `std::span` stands for numbers whose count both sides know, and `visit.fixed` for
/// vectors of such numbers. Work space is left out. `visit.require(condition)` states what the code relies on, such as
/// an index being in range; readers check it, writers do not.
namespace bellwether {

static_assert(std::endian::native == std::endian::little && sizeof(std::size_t) == 8,
              "models are written as the memory of a 64-bit little-endian machine");

/// Whether all these indices are below `size`.
template <class... Indices>
bool all_below(std::size_t size, const Indices&... indices) {
  const auto below = [size](auto index) { return index < size; };
  return (std::all_of(indices.begin(), indices.end(), below) && ...);
}

class StateWriter {
 public:
  template <class... T>
  void operator()(const T&... parts) {
    (write(parts), ...);
  }
  template <class... Vector>
  void fixed(const Vector&... vectors) {
    (write(std::span(vectors)), ...);
  }
  void require(bool) const {}

  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  void raw(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }

  template <class T>
  void write(const T& part) {
    if constexpr (requires { T::state(part, *this); }) {
      T::state(part, *this);
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      raw(&part, sizeof part);
    } else {
      write_all(part);
    }
  }

  template <class T, std::size_t N>
  void write_all(const std::array<T, N>& parts) {
    write_elements(parts.data(), N);
  }
  template <class T, class Allocator>
  void write_all(const std::vector<T, Allocator>& parts) {
    write(std::uint64_t{parts.size()});
    write_elements(parts.data(), parts.size());
  }
  void write_all(const std::string& text) {
    write(std::uint64_t{text.size()});
    raw(text.data(), text.size());
  }
  template <class T>
  void write_all(const std::span<T>& parts) {
    write_elements(parts.data(), parts.size());
  }
  template <class T>
  void write_all(const std::optional<T>& part) {
    write(part.has_value());
    if (part) write(*part);
  }
  template <class A, class B>
  void write_all(const std::pair<A, B>& parts) {
    (*this)(parts.first, parts.second);
  }
  template <class... T>
  void write_all(const std::variant<T...>& part) {
    write(std::uint64_t{part.index()});
    std::visit([this](const auto& held) { this->write(held); }, part);
  }

  template <class T>
  void write_elements(const T* parts, std::size_t count) {
    if constexpr (std::is_arithmetic_v<T>) {
      if (count > 0) raw(parts, count * sizeof(T));
    } else {
      for (std::size_t i = 0; i < count; ++i) write(parts[i]);
    }
  }

  std::string bytes_;
};

/// Reads what a StateWriter wrote. Throws InvalidArgument when the bytes end too early or do not fit.
class StateReader {
 public:
  explicit StateReader(std::string_view bytes) : bytes_(bytes) {}

  template <class... T>
  void operator()(T&&... parts) {
    (read(parts), ...);
  }
  template <class... Vector>
  void fixed(Vector&... vectors) {
    (read_all(std::span(vectors)), ...);
  }
  void require(bool condition) const {
    if (!condition) throw InvalidArgument("a saved state contradicts itself");
  }

  bool at_end() const { return bytes_.empty(); }

  /// Throws InvalidArgument when bytes are left: another kind of object has written them.
  void finish() const {
    if (!at_end()) throw InvalidArgument("a saved state is longer than what it belongs to");
  }

 private:
  void raw(void* data, std::size_t size) {
    if (size > bytes_.size()) throw InvalidArgument("a saved state ends too early");
    std::memcpy(data, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }

  template <class T>
  void read(T& part) {
    if constexpr (requires { std::remove_cv_t<T>::state(part, *this); }) {
      T::state(part, *this);
    } else if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t bit = 0;
      raw(&bit, 1);
      require(bit <= 1);
      part = bit == 1;
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      raw(&part, sizeof part);
    } else {
      read_all(part);
    }
  }

  /// The number of elements, at most the number of bytes left, so that a damaged count allocates little.
  std::size_t count() {
    std::uint64_t n = 0;
    read(n);
    if (n > bytes_.size()) throw InvalidArgument("a saved state ends too early");
    return n;
  }

  template <class T, std::size_t N>
  void read_all(std::array<T, N>& parts) {
    read_elements(parts.data(), N);
  }
  template <class T, class Allocator>
  void read_all(std::vector<T, Allocator>& parts) {
    parts.resize(count());
    read_elements(parts.data(), parts.size());
  }
  void read_all(std::string& text) {
    text.resize(count());
    raw(text.data(), text.size());
  }
  template <class T>
  void read_all(const std::span<T>& parts) {
    read_elements(parts.data(), parts.size());
  }
  template <class T>
  void read_all(std::optional<T>& part) {
    bool there = false;
    read(there);
    part.reset();
    if (there) read(part.emplace());
  }
  template <class A, class B>
  void read_all(std::pair<A, B>& parts) {
    (*this)(parts.first, parts.second);
  }
  template <class... T>
  void read_all(std::variant<T...>& part) {
    std::uint64_t index = 0;
    read(index);
    if (index != part.index()) throw InvalidArgument("a saved state belongs to something else");
    std::visit([this](auto& held) { this->read(held); }, part);
  }

  template <class T>
  void read_elements(T* parts, std::size_t count) {
    if constexpr (std::is_arithmetic_v<T>) {
      if (count > 0) raw(parts, count * sizeof(T));
    } else {
      for (std::size_t i = 0; i < count; ++i) read(parts[i]);
    }
  }

  std::string_view bytes_;
};

}  // namespace bellwether
