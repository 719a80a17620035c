#pragma once

namespace bellwether {

/// How a trace moves in a step: e = f e + y x.
template <class Entry>
struct MotionOf {
  double f;
  Entry y;
};
using Motion = MotionOf<double>;

}  // namespace bellwether
