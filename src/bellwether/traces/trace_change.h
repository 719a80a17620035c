#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include <bellwether/traces/entry_list.h>
#include <bellwether/traces/trace_rule.h>

namespace bellwether {

/// What a step adds to a trace beyond its decay, e = f e + a, as a vector with the entries of x:
///
///   a_j = y x_j                          where the trace accumulates
///   a_j = max(0, y x_j - f e_j)          where it replaces, so that e_j = max(f e_j, y x_j)
///
/// For learners that follow sums over traces without forming them. To be called before the trace moves; the views hold
/// until the next call.
class TraceChange {
 public:
  TraceChange(std::size_t dim, TraceRule rule) : rule_(rule), values_(dim) {}

  /// a, a DenseView or SparseView; `e(j)` is the trace.
  template <class X, class Trace>
  auto additions(Motion m, const X& x, Trace&& e) {
    for (std::size_t k = 0; k < x.size; ++k) {
      const double y = m.y * value_of(x, k);
      values_[k] = rule_ == TraceRule::replacing ? std::max(0.0, y - m.f * e(index_of(x, k))) : y;
    }
    return with_values(x, values_.data());
  }

  /// Calls `use(y, u)` with a = y u, which spares a trace that accumulates the products: there u = x.
  template <class X, class Trace, class Use>
  void with_factor(Motion m, const X& x, Trace&& e, Use&& use) {
    if (rule_ == TraceRule::replacing) return use(1.0, additions(m, x, e));
    if constexpr (std::is_same_v<X, BinaryView>) {
      std::fill_n(values_.data(), x.size, 1.0);
      use(m.y, with_values(x, values_.data()));
    } else {
      use(m.y, x);
    }
  }

 private:
  TraceRule rule_;
  std::vector<double> values_;
};

}  // namespace bellwether
