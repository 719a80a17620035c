#pragma once

namespace bellwether {

/// The products that a learner needs of the gain s = S^-1 e of a sample e d^T that S already holds.
struct GainProducts {
  double pivot;  // 1 + d.S^-1 e with S before the sample: the factor by which the sample multiplies det S
  double ds;     // d.s = 1 - 1/pivot: the share of an error that a step by s removes
  double es;     // e.s
  double sDs;    // s.D s, D the diagonal part of S
};

}  // namespace bellwether
