#pragma once

#include <cstdint>
#include <string>

#include <bellwether/core/error.h>
#include <bellwether/data/table.h>

namespace bellwether {

/// Deals with bad rows: leaves them out and counts them, or rejects the file.
class SkippedRows {
 public:
  explicit SkippedRows(BadRows bad_rows) : bad_rows_(bad_rows) {}

  /// Calls `read_row` and returns whether it succeeded. An InvalidArgument passes through, unless bad rows are skipped.
  template <class F>
  bool accept(F&& read_row) {
    try {
      read_row();
      return true;
    } catch (const InvalidArgument& error) {
      if (bad_rows_ == BadRows::reject) throw;
      if (count_++ == 0) first_ = error.what();
      return false;
    }
  }

  std::uint64_t count() const { return count_; }
  const std::string& first() const { return first_; }

 private:
  BadRows bad_rows_;
  std::uint64_t count_ = 0;
  std::string first_;
};

}  // namespace bellwether
