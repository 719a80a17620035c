#include "support/references/reference.h"

namespace bellwether::testing {

const References& references() {
  static const References all = [] {
    References made;
    add_td_references(made);
    add_true_online_references(made);
    add_step_size_references(made);
    add_gradient_references(made);
    add_least_squares_references(made);
    add_stream_references(made);
    add_accelerated_references(made);
    add_compensated_references(made);
    return made;
  }();
  return all;
}

}  // namespace bellwether::testing
