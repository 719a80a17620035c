#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include <bellwether/core/error.h>

/// Saves what has been learned as bytes, for models that are kept and for learning that is resumed.
///
/// A class lists the members that learning changes, once, for writing and for reading alike. Vectors in the list keep
/// their sizes.
///
///     static constexpr auto state() { return std::tuple{&Mean::sum_, &Mean::n_}; }
///
/// Where there is more to say, the function takes the object, which is const when it is written, and `visit`.
/// `visit.fixed` is for vectors that keep their sizes, and a `std::span` for numbers whose count both sides know.
/// `visit.require(condition)` states what the code relies on, such as an index being in range; readers check it,
/// writers do not. A condition that takes time is given as a function, which only readers call. `visit.sized` is for
/// vectors whose sizes are written, but which only fit when they have the size that they have already. Before memory is
/// taken for a count that was read, `visit.expect(count, bytes)` makes sure that so many elements are to come.
///
///     template <class Self, class Visit>
///     static void state(Self& self, Visit&& visit) {
///       visit(self.size_, std::span(self.numbers_.data(), self.size_));
///       visit.fixed(self.w_);
///       visit.require(self.n_ <= self.size_);
///     }
///
/// State is read into an object that was made with the same parameters, so these are not part of it; work space is
/// left out. Numbers, enumerations, strings, arrays, vectors, pairs, optionals, variants and classes with a `state` of
/// their own can be visited.
namespace bellwether {

static_assert(std::endian::native == std::endian::little && sizeof(std::size_t) == 8,
              "models are written as the memory of a 64-bit little-endian machine");

/// Whether all these indices are below `size`.
template <class... Indices>
bool all_below(std::size_t size, const Indices&... indices) {
  const auto below = [size](auto index) { return index < size; };
  return (std::all_of(indices.begin(), indices.end(), below) && ...);
}

template <class T>
concept ListsState = requires {
  T::state();
};
template <class T, class Visit>
concept HasState = ListsState<T> || requires(T& part, Visit& visit) {
  T::state(part, visit);
};

/// Visits the state of `self`, in whichever form its class gives it.
template <class T, class Visit>
void visit_state(T& self, Visit& visit) {
  using Class = std::remove_const_t<T>;
  if constexpr (ListsState<Class>) {
    [[maybe_unused]] const auto visit_member = [&](auto& member) {
      if constexpr (requires { member.get_allocator(); }) visit.fixed(member);
      else visit(member);
    };
    std::apply([&](auto... member) { (visit_member(self.*member), ...); }, Class::state());
  } else {
    Class::state(self, visit);
  }
}

class StateWriter {
 public:
  StateWriter() = default;

  /// With room for so many bytes: a state may fill half of the memory, and to grow takes twice its size.
  explicit StateWriter(std::size_t room) { bytes_.reserve(room); }

  /// A writer that only counts bytes.
  static StateWriter counter() {
    StateWriter writer;
    writer.counts_ = true;
    return writer;
  }
  std::size_t counted() const { return counted_; }

  template <class... T>
  void operator()(const T&... parts) {
    (write(parts), ...);
  }
  template <class... Vector>
  void fixed(const Vector&... vectors) {
    (write_elements(vectors), ...);
  }
  template <class... Vector>
  void sized(const Vector&... vectors) {
    (write(vectors), ...);
  }
  template <class Condition>
  void require(const Condition&) const {}
  void expect(std::uint64_t, std::size_t) const {}

  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  void raw(const void* data, std::size_t size) {
    counted_ += size;
    if (!counts_) bytes_.append(static_cast<const char*>(data), size);
  }

  template <class T>
  void write(const T& part) {
    if constexpr (HasState<T, StateWriter>) {
      visit_state(part, *this);
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      raw(&part, sizeof part);
    } else if constexpr (requires { part.has_value(); }) {
      write(part.has_value());
      if (part) write(*part);
    } else if constexpr (requires { part.first; }) {
      (*this)(part.first, part.second);
    } else if constexpr (requires { part.index(); }) {
      write(std::uint64_t{part.index()});
      std::visit([this](const auto& held) { this->write(held); }, part);
    } else {
      if constexpr (requires(T & numbers) { numbers.resize(0); }) write(std::uint64_t{part.size()});
      write_elements(part);
    }
  }

  template <class Parts>
  void write_elements(const Parts& parts) {
    using T = std::remove_cvref_t<decltype(*parts.data())>;
    if constexpr (std::is_arithmetic_v<T>) {
      if (parts.size() > 0) raw(parts.data(), parts.size() * sizeof(T));
    } else {
      for (const T& part : parts) write(part);
    }
  }

  bool counts_ = false;  // only
  std::size_t counted_ = 0;
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
    (read_elements(vectors), ...);
  }
  template <class Condition>
  void require(const Condition& condition) const {
    bool holds = false;
    if constexpr (std::is_same_v<Condition, bool>) holds = condition;
    else holds = condition();
    if (!holds) throw InvalidArgument("a saved state contradicts itself");
  }

  /// Throws InvalidArgument when fewer than `count` elements of so many bytes each are left.
  void expect(std::uint64_t count, std::size_t bytes) const {
    if (count > bytes_.size() / bytes) throw InvalidArgument("a saved state ends too early");
  }

  template <class... Vector>
  void sized(Vector&... vectors) {
    const auto read_sized = [this](auto& vector) {
      require(count() == vector.size());
      read_elements(vector);
    };
    (read_sized(vectors), ...);
  }

  /// Whether all numbers from here on have to be finite.
  void require_finite(bool required) { finite_ = required; }

  /// Throws InvalidArgument when bytes are left: another kind of object has written them.
  void finish() const {
    if (!bytes_.empty()) throw InvalidArgument("a saved state is longer than what it belongs to");
  }

 private:
  void raw(void* data, std::size_t size) {
    if (size > bytes_.size()) throw InvalidArgument("a saved state ends too early");
    std::memcpy(data, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }

  template <class T>
  void numbers(T* data, std::size_t size) {
    raw(data, size * sizeof(T));
    if constexpr (std::is_floating_point_v<T>) {
      const bool good = std::all_of(data, data + size, [](T number) { return std::isfinite(number); });
      if (!good && finite_) throw InvalidArgument("a saved state has a number that is not finite");
    }
  }

  /// The number of elements, at most the number of bytes left, so that a damaged count allocates little.
  std::size_t count() {
    std::uint64_t n = 0;
    read(n);
    expect(n, 1);
    return n;
  }

  template <class T>
  void read(T& part) {
    if constexpr (HasState<T, StateReader>) {
      visit_state(part, *this);
    } else if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t bit = 0;
      raw(&bit, 1);
      require(bit <= 1);
      part = bit == 1;
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      numbers(&part, 1);
    } else if constexpr (requires { part.has_value(); }) {
      bool there = false;
      read(there);
      part.reset();
      if (there) read(part.emplace());
    } else if constexpr (requires { part.first; }) {
      (*this)(part.first, part.second);
    } else if constexpr (requires { part.index(); }) {
      std::uint64_t index = 0;
      read(index);
      if (index != part.index()) throw InvalidArgument("a saved state belongs to something else");
      std::visit([this](auto& held) { this->read(held); }, part);
    } else {
      if constexpr (requires { part.resize(0); }) part.resize(count());
      read_elements(part);
    }
  }

  template <class Parts>
  void read_elements(Parts& parts) {
    using T = std::remove_reference_t<decltype(*parts.data())>;
    if constexpr (std::is_arithmetic_v<T>) {
      if (parts.size() > 0) numbers(parts.data(), parts.size());
    } else {
      for (T& part : parts) read(part);
    }
  }

  std::string_view bytes_;
  bool finite_ = false;
};

}  // namespace bellwether
