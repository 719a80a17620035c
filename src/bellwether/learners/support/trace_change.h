#pragma once

#include <algorithm>
#include <vector>

#include <bellwether/learners/support/entry_list.h>
#include <bellwether/learners/support/trace_rule.h>

namespace bellwether {

/// What a step adds to a trace beyond its decay, e = f e + a u, as a vector with the entries of x: u = x and a = y
/// where the trace accumulates; u_j = max(0, y x_j - f e_j) and a = 1 where it replaces. The views hold until the next
/// call.
class TraceChange {
 public:
  TraceChange(std::size_t dim, TraceRule rule)
      : rule_(rule), list_(dim), values_(rule == TraceRule::replacing ? dim : 0) {}

  /// Calls `use(a, u)`, u a DenseView or SparseView. To be called before the trace moves.
  template <std::size_t N, class X, class Use>
  void with(const FollowedTrace<N>& e, Motion m, const X& x, Use&& use) {
    if (rule_ != TraceRule::replacing) return use(m.y, list_.only(x));
    for (std::size_t k = 0; k < x.size; ++k) {
      values_[k] = std::max(0.0, m.y * stored(x, k) - m.f * e.trace_at(place(x, k)));
    }
    use(1.0, at_places_of(x, values_.data()));
  }

 private:
  TraceRule rule_;
  EntryList list_;
  std::vector<double> values_;
};

/// v(s) for every row, with the weights written out once: for learners whose weights cost more to look up than to read.
inline void predict_rows(std::span<const double> w, const FeatureRows& rows, std::span<double> values) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    values[i] = visit(rows.row(i), [&](const auto& x) { return kernels::dot(x, w.data()); });
  }
}

}  // namespace bellwether
