#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <bellwether/core/state.h>
#include <bellwether/traces/entry_list.h>

namespace bellwether {

/// Stores transitions in numbered slots, without allocating after construction.
///
/// The number of entries in a row of sparse features is not known in advance, and room for d of them in every slot
/// could take gigabytes. So all slots start narrow, and all of them are widened when a longer row comes, which moves
/// the rows. Memory is reserved for the widest case, up to a limit, but not touched: the operating system provides only
/// what is used. Beyond the limit, wider slots mean fewer slots; `room_for` says how many.
class TransitionSlots {
 public:
  /// Room for `capacity` transitions of `dim` features, or fewer if they have more than `limit` entries (at least two).
  TransitionSlots(std::size_t capacity, std::size_t dim, std::size_t limit = std::size_t{1} << 27U)
      : capacity_(capacity),
        dim_(dim),
        pool_(std::max(4 * dim, std::min(limit, 2 * capacity * dim))),
        width_(std::min<std::size_t>(dim, 8)),
        slots_(capacity),
        indices_(std::make_unique_for_overwrite<std::uint32_t[]>(pool_)),
        values_(std::make_unique_for_overwrite<double[]>(pool_)) {}

  TransitionSlots(const TransitionSlots& other) : TransitionSlots(other.capacity_, other.dim_, other.pool_) {
    width_ = other.width_;
    size_ = other.size_;
    slots_ = other.slots_;
    for (std::size_t i = 0; i < size_; ++i) move_slot(other, i, i);
  }
  TransitionSlots& operator=(const TransitionSlots&) = delete;

  std::size_t size() const { return size_; }
  void clear() { size_ = 0; }

  /// How many transitions there is room for if one of them is `s`.
  template <class Step>
  std::size_t room_for(const Step& s) const {
    return std::min(capacity_, pool_ / (2 * std::max(width_, needed(s))));
  }

  /// Removes slot i; the last one is moved to it.
  void remove(std::size_t i) {
    --size_;
    if (i == size_) return;
    slots_[i] = slots_[size_];
    move_slot(*this, size_, i);
  }

  /// Stores `s` in slot i <= size(). Requires i < room_for(s) and size() <= room_for(s).
  template <class Step>
  void put(std::size_t i, const Step& s) {
    if (needed(s) > width_) widen(needed(s));
    size_ = std::max(size_, i + 1);
    const std::size_t next = s.gn == 0 ? 0 : s.xn.size;
    slots_[i] = {{s.r, s.gn, s.rho},
                 static_cast<std::uint32_t>(s.x.size),
                 static_cast<std::uint32_t>(next),
                 std::is_same_v<decltype(s.x), DenseView>};
    copy_row(s.x, s.x.size, start(i));
    copy_row(s.xn, next, start(i) + width_);
  }

  /// Reward, discount and ratio of a transition.
  struct Past {
    double r, gn, rho;
  };

  /// Calls `f(x, xn, past)` with the transition in slot i. Features stored from a dense layout are dense, all others
  /// sparse; xn is empty if the discount is 0.
  template <class F>
  decltype(auto) visit(std::size_t i, F&& f) const {
    const Slot& slot = slots_[i];
    const double* x = values_.get() + start(i);
    const std::uint32_t* j = indices_.get() + start(i);
    if (slot.dense) return f(DenseView{x, slot.size}, DenseView{x + width_, slot.next_size}, slot.past);
    return f(SparseView{j, x, slot.size}, SparseView{j + width_, x + width_, slot.next_size}, slot.past);
  }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.width_, self.size_);
    visit.require(self.width_ <= self.dim_ && self.size_ <= self.capacity_ &&
                  self.size_ <= self.pool_ / std::max<std::size_t>(1, 2 * self.width_));
    for (std::size_t i = 0; i < self.size_; ++i) {
      auto& slot = self.slots_[i];
      visit(slot);
      visit.require(slot.size <= self.width_ && slot.next_size <= self.width_);
      for (const auto& [first, n] :
           {std::pair{self.start(i), slot.size}, {self.start(i) + self.width_, slot.next_size}}) {
        visit(std::span(self.values_.get() + first, n));
        if (slot.dense) continue;
        const auto indices = std::span(self.indices_.get() + first, n);
        visit(indices);
        visit.require(all_below(self.dim_, indices));
      }
    }
  }

 private:
  struct Slot {
    Past past;
    std::uint32_t size, next_size;
    bool dense;

    template <class Self, class Visit>
    static void state(Self& self, Visit&& visit) {
      visit(self.past.r, self.past.gn, self.past.rho, self.size, self.next_size, self.dense);
    }
  };

  template <class Step>
  static std::size_t needed(const Step& s) {
    return std::max(s.x.size, s.gn == 0 ? 0 : s.xn.size);
  }

  std::size_t start(std::size_t i) const { return 2 * width_ * i; }

  template <class X>
  void copy_row(const X& x, std::size_t n, std::size_t to) {
    for (std::size_t k = 0; k < n; ++k) values_[to + k] = value_of(x, k);
    if constexpr (!std::is_same_v<X, DenseView>) std::copy_n(x.indices, n, indices_.get() + to);
  }

  /// Copies the rows of slot i of `from` to slot j; both objects have the same width.
  void move_slot(const TransitionSlots& from, std::size_t i, std::size_t j) {
    move_row(from, from.start(i), start(j), from.slots_[i].size, from.slots_[i].dense);
    move_row(from, from.start(i) + width_, start(j) + width_, from.slots_[i].next_size, from.slots_[i].dense);
  }

  /// `to` is not before `first`, or the two do not overlap.
  void move_row(const TransitionSlots& from, std::size_t first, std::size_t to, std::size_t n, bool dense) {
    std::copy_backward(from.values_.get() + first, from.values_.get() + first + n, values_.get() + to + n);
    if (dense) return;
    std::copy_backward(from.indices_.get() + first, from.indices_.get() + first + n, indices_.get() + to + n);
  }

  void widen(std::size_t width) {
    // Twice as wide, so that this happens rarely; but only as wide as needed where twice the width would cost slots.
    const std::size_t wider = std::min(dim_, std::max(width, std::min(2 * width_, pool_ / (2 * capacity_))));
    for (std::size_t i = size_; i-- > 0;) {  // from the last row on, so that no row is overwritten before it moves
      move_row(*this, start(i) + width_, 2 * wider * i + wider, slots_[i].next_size, slots_[i].dense);
      move_row(*this, start(i), 2 * wider * i, slots_[i].size, slots_[i].dense);
    }
    width_ = wider;
  }

  std::size_t capacity_;
  std::size_t dim_;
  std::size_t pool_;   // entries that fit into the memory
  std::size_t width_;  // entries a row may have; a slot has two rows
  std::size_t size_ = 0;
  std::vector<Slot> slots_;
  std::unique_ptr<std::uint32_t[]> indices_;
  std::unique_ptr<double[]> values_;
};

}  // namespace bellwether
