#include <bellwether/learners/least_squares/equations/damped_log.h>

#include <algorithm>

namespace bellwether {

DampedLog::DampedLog(const TransitionLog& log, ThreadTeam& team)
    : prepared_(log, PreparedLog::Numbering::kept, team), sums_(log.features()), b_(log.features()) {
  sums_.take_up(log);
  prepared_.right_side(b_.data());
  for (std::size_t t = 0; t < log.size(); ++t) {
    log.with_x(t, [&](const auto& x) { mean_square_ += kernels::squared_norm(x); });
  }
  mean_square_ /= static_cast<double>(std::max<std::size_t>(1, log.size()));
}

void DampedLog::residual(const double* v, double* out) const {
  prepared_.product(v, out);
  for (std::size_t i = 0; i < size(); ++i) out[i] = b_[i] - out[i];
}

}  // namespace bellwether
