#pragma once

#include <cstdint>
#include <string>

#include <bellwether/core/error.h>
#include <bellwether/data/table.h>

namespace bellwether {

/// What is wrong with one row, so that it could be left out.
class BadRow : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;

  /// The message with the advice to leave such rows out, for users who can.
  InvalidArgument with_advice() const {
    InvalidArgument advised(std::string(what()) + "; with `skip_bad` such rows are left out and counted");
    return advised;
  }
};

/// Deals with bad rows: leaves them out and counts them, or rejects the file.
class SkippedRows {
 public:
  explicit SkippedRows(BadRows bad_rows) : bad_rows_(bad_rows) {}

  /// Calls `read_row` and returns whether it succeeded. An InvalidArgument becomes a BadRow, unless bad rows are
  /// skipped.
  template <class F>
  bool accept(F&& read_row) {
    try {
      read_row();
      return true;
    } catch (const InvalidArgument& error) {
      if (bad_rows_ == BadRows::reject) throw BadRow(error.what());
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
