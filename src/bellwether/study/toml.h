#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bellwether {

/// A value of a TOML file, and the line where it is.
struct TomlNode {
  using Array = std::vector<TomlNode>;
  struct Entry;
  using Table = std::vector<Entry>;  // in the order of the file

  std::variant<std::monostate, std::string, std::int64_t, double, bool, Array, Table> value;  // a date: monostate
  std::size_t line = 0;

  /// The value, if it is of this type; otherwise null.
  template <class T>
  const T* as() const {
    return std::get_if<T>(&value);
  }
  const Array* array() const { return as<Array>(); }
  const Table* table() const { return as<Table>(); }
  const std::string* text() const { return as<std::string>(); }

  bool is_number() const { return as<std::int64_t>() != nullptr || as<double>() != nullptr; }
  double number() const;  // of a number

  /// The value of a key of a table; null when it has none, or this is no table.
  const TomlNode* get(std::string_view key) const;
};

struct TomlNode::Entry {
  std::string key;
  TomlNode node;
};

/// What is wrong with a text that is not TOML, and in which line.
struct TomlError : std::runtime_error {
  TomlError(const std::string& what, std::size_t at) : std::runtime_error(what), line(at) {}
  std::size_t line;
};

/// Reads TOML. Throws TomlError when it is something else.
TomlNode parse_toml(std::string_view text, std::string_view file);

}  // namespace bellwether
