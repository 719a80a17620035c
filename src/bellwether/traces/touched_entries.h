#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <bellwether/core/state.h>

namespace bellwether {

/// What a loop over entries may do besides, when that is nothing.
struct DoNothing {
  void operator()(std::size_t, double) const {}
};

/// The indices at which a vector may be non-zero, each once, in the order in which they were added.
///
/// A loop works with a `Cursor`, a copy of what it needs: a number written through a pointer could otherwise be one of
/// the members, and all would be read again for every entry. There is no branch on whether an index is new, since that
/// cannot be predicted.
class TouchedEntries {
 public:
  explicit TouchedEntries(std::size_t dim) : list_(dim + 1), marked_(dim, 0) {}

  struct Cursor {
    std::uint32_t* list;
    std::uint8_t* marked;
    std::size_t count;

    void add(std::size_t j) {
      list[count] = static_cast<std::uint32_t>(j);
      count += marked[j] == 0 ? 1 : 0;
      marked[j] = 1;
    }
  };

  Cursor cursor() { return {list_.data(), marked_.data(), count_}; }

  /// Takes over what a cursor has added.
  void end(const Cursor& cursor) { count_ = cursor.count; }

  /// Calls `keep(j)` for every index; those for which it returns false are no longer in the list.
  template <class Keep>
  void filter(const Keep& keep) {
    const Cursor all = cursor();
    count_ = [all, keep] {
      std::size_t kept = 0;
      for (std::size_t n = 0; n < all.count; ++n) {
        const std::size_t j = all.list[n];
        const bool stays = keep(j);
        all.list[kept] = static_cast<std::uint32_t>(j);
        all.marked[j] = stays ? 1 : 0;
        kept += all.marked[j];
      }
      return kept;
    }();
  }

  /// Calls `f(j)` for every index; the list is empty afterwards.
  template <class F>
  void clear(const F& f) {
    const Cursor all = cursor();
    for (std::size_t n = 0; n < all.count; ++n) {
      const std::size_t j = all.list[n];
      f(j);
      all.marked[j] = 0;
    }
    count_ = 0;
  }

  /// The list has the indices for which `holds(j)`.
  template <class Holds>
  void assign_where(const Holds& holds) {
    std::fill(marked_.begin(), marked_.end(), std::uint8_t{0});
    count_ = 0;
    Cursor all = cursor();
    for (std::size_t j = 0; j < marked_.size(); ++j) {
      if (holds(j)) all.add(j);
    }
    end(all);
  }

  std::span<const std::uint32_t> list() const { return {list_.data(), count_}; }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit.fixed(self.marked_);
    visit(self.count_);
    visit.require(std::count(self.marked_.begin(), self.marked_.end(), 1) == static_cast<std::ptrdiff_t>(self.count_));
    visit(std::span(self.list_.data(), self.count_));
    visit.require(all_below(self.marked_.size(), self.list()));
  }

 private:
  std::vector<std::uint32_t> list_;   // the first count_, and room for one more, which `add` may write
  std::vector<std::uint8_t> marked_;  // 1 for these
  std::size_t count_ = 0;
};

}  // namespace bellwether
