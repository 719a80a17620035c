#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include <bellwether/core/features.h>

namespace bellwether {

/// A copy of a feature vector, to notice when it comes again: x' of one step is x of the next, except where an episode
/// ends or the data are in another order. What was computed from it then has the same bits, so it need not be computed
/// again.
///
///     if (!last_.equal(s.x)) y_ = f(s.x);   // otherwise y_ is known
///     y_ = f(s.xn);
///     last_.remember(s.xn);
///
/// Nothing is allocated after construction.
class LastFeatures {
 public:
  explicit LastFeatures(std::size_t dim) : indices_(dim), values_(dim) {}

  /// Whether x is what was remembered: the same layout, and the same bits in the same order.
  bool equal(const Features& x) const {
    return layout_ == x.layout && size_ == x.size && same(x.indices, indices_) && same(x.values, values_);
  }

  void remember(const Features& x) {
    forget();
    if (x.size > values_.size()) return;  // no feature vector has so many entries
    if (x.indices != nullptr) std::copy_n(x.indices, x.size, indices_.begin());
    if (x.values != nullptr) std::copy_n(x.values, x.size, values_.begin());
    size_ = x.size;
    layout_ = x.layout;
  }

  void forget() { layout_.reset(); }

 private:
  template <class T>
  bool same(const T* entries, const std::vector<T>& remembered) const {
    return entries == nullptr || size_ == 0 || std::memcmp(entries, remembered.data(), size_ * sizeof(T)) == 0;
  }

  std::optional<Layout> layout_;  // empty: nothing is remembered
  std::size_t size_ = 0;
  std::vector<std::uint32_t> indices_;
  std::vector<double> values_;
};

}  // namespace bellwether
