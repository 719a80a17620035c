#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <bellwether/data/arrow/arrow_abi.h>
#include <bellwether/data/arrow/arrow_type.h>

namespace bellwether {

/// A column in a stream of Arrow arrays: the way to it from the struct that a row is, and its values in the array at
/// hand, which has to outlive its use.
class ArrowColumn {
 public:
  /// One step on the way: from a struct to a field, from a list to one of its values, from a number to the value that
  /// it stands for in a dictionary.
  struct Step {
    ArrowType from;
    std::int64_t which = 0;  // the field, or the place in the list
    std::int64_t width = 0;  // of a list: how many values every row has
    bool dictionary = false;
  };

  /// Where the values of rows are.
  static constexpr std::int64_t missing = -1, other_width = -2;

  ArrowColumn(std::string name, std::vector<Step> path, const ArrowType& type)
      : name_(std::move(name)), path_(std::move(path)), type_(type) {}

  const std::string& name() const { return name_; }
  const ArrowType& type() const { return type_; }

  /// Finds its values in an array of rows. Throws InvalidArgument when the array is not what the path says.
  void attach(const ArrowArray& rows);

  /// The positions of the values of rows of that array: `missing`, or `other_width` where a list has not the length
  /// that it had in the first row. Throws InvalidArgument when a position cannot be.
  const std::vector<std::int64_t>& locate(std::int64_t first_row, std::size_t count);

  /// Those that were located last.
  const std::vector<std::int64_t>& positions() const { return positions_; }

  /// Writes the numbers of the rows that were located to cells that are `stride` apart; NaN where there is none.
  void numbers(double* to, std::size_t stride) const;

  /// The text at a position.
  std::string_view text(std::int64_t position) const;

  /// The number at a position, as people write it.
  std::string shown(std::int64_t position) const;

  /// How long the list at a position is; for a column of lists.
  std::int64_t list_length(std::int64_t position) const;

  /// What is wrong with a row whose list has another width: "'x' has 2 values, the first row 3".
  std::string width_objection(std::int64_t row) const;

 private:
  [[noreturn]] void reject(const std::string& why) const;
  std::int64_t next(std::size_t step, std::int64_t index) const;

  std::string name_;
  std::vector<Step> path_;
  ArrowType type_;
  std::vector<const ArrowArray*> arrays_;  // on the way, and the last holds the values
  std::vector<std::int64_t> positions_;
};

/// The columns of a stream, and those that cannot be read: their names, and why.
struct ArrowColumns {
  std::vector<ArrowColumn> columns;
  std::vector<std::pair<std::string, std::string>> unreadable;
};

/// Finds the columns of a stream. Fields of structs have the names of both, `name/field`; values of lists are columns
/// `name.0`, `name.1`, ..., as many as the first list has that is not missing. `first` is the first array with rows;
/// null when there is none. Throws InvalidArgument when the schema cannot be.
ArrowColumns arrow_columns(const ArrowSchema& schema, const ArrowArray* first);

}  // namespace bellwether
