#pragma once

namespace bellwether {

/// What a learner wants to know of the gain s = S^-1 e of a sample e d^T that S already holds.
struct Gain {
  double pivot;  // 1 + d.S^-1 e with S before the sample: what the sample multiplies the determinant of S by
  double ds;     // d.s = 1 - 1/pivot: the share of an error that a step by s takes away
  double es;     // e.s
  double sDs;    // s.D s, D the diagonal part of S
};

}  // namespace bellwether
