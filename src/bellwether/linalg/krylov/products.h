#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>

namespace bellwether {

// How an iterative solver gets the products that it needs: each function returns whether `out` is complete. If not, the
// solver returns to its caller, and is to be called again.

/// Every product is computed at once.
struct AllAtOnce {
  template <class Equations>
  bool residual(const Equations& equations, const double* v, double* out) const {
    equations.residual(v, out);
    return true;
  }
  template <class Equations>
  bool product(const Equations& equations, const double* v, double* out) const {
    equations.product(v, out);
    return true;
  }
  template <class Equations>
  bool transposed_product(const Equations& equations, const double* u, double* out) const {
    equations.transposed_product(u, out);
    return true;
  }
};

/// How far a pass over the rows of a product has come, and what it carries from row to row.
struct Pass {
  std::uint64_t done = 0;
  double sum = 0, factor = 0, value = 0, weight = 1;

  static constexpr auto state() {
    return std::tuple{&Pass::done, &Pass::sum, &Pass::factor, &Pass::value, &Pass::weight};
  }
};

/// Products are computed in parts, `rows` rows in all before the solver has to return. `pass` keeps the place; a
/// product takes off what it used of `rows`, and begins `pass` anew when it is complete.
struct InParts {
  Pass& pass;
  std::size_t rows;

  template <class Equations>
  bool residual(const Equations& equations, const double* v, double* out) {
    return equations.residual(v, out, pass, rows);
  }
  template <class Equations>
  bool product(const Equations& equations, const double* v, double* out) {
    return equations.product(v, out, pass, rows);
  }
  template <class Equations>
  bool transposed_product(const Equations& equations, const double* u, double* out) {
    return equations.transposed_product(u, out, pass, rows);
  }
};

}  // namespace bellwether
