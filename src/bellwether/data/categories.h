#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <bellwether/data/table.h>

namespace bellwether {

struct Variable;

/// The texts of a column of categories, and the number of each. While it is open, a new text gets the next number; once
/// it is closed, new texts have the number after the last: `texts().size()`, "any other".
///
///     Categories days;
///     days.number("Monday");   // 0
///     days.number("Sunday");   // 1
///     days.close();
///     days.number("Friday");   // 2, and so is any other new text
///
/// Texts are UTF-8; others are taken for Latin-1. Memory is bounded: beyond the first `most` texts, and a megabyte of
/// them, all are "any other".
class Categories {
 public:
  static constexpr std::size_t most = 10'000;
  static constexpr std::size_t most_bytes = 1 << 20;

  /// Open, without texts.
  Categories() = default;

  /// Closed, with these texts, numbered from 0 on.
  explicit Categories(const std::vector<std::string>& texts);

  double number(std::string_view text);
  void close() { open_ = false; }

  const std::vector<std::string>& texts() const { return texts_; }

  /// Whether there were more texts than it can hold.
  bool overflowed() const { return overflowed_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  std::unordered_map<std::string, double, Hash, std::equal_to<>> numbers_;
  std::vector<std::string> texts_;
  std::size_t bytes_ = 0;
  bool open_ = true;
  bool overflowed_ = false;
};

/// Requests for the columns of a state, or of the next state, whose variables are known: cells of categories are texts.
/// Without variables all cells are numbers.
std::vector<ColumnRequest> state_requests(const std::vector<std::string>& names,
                                          const std::vector<Variable>& variables);

/// The value of a variable as messages show it: the text of a category.
std::string shown(const Variable& variable, double value);

}  // namespace bellwether
