#include "batch.h"

#include <algorithm>

#include <fmt/format.h>

namespace bellwether::python {
namespace {

void check_range(const char* argument, const double* values, std::size_t size, double low, double high,
                 const char* range) {
  if (values == nullptr || are_between(values, size, low, high)) return;
  const auto* bad = std::find_if(values, values + size, [&](double v) { return v < low || v > high; });
  throw nb::value_error(
      fmt::format("{}: entry {} is {}, which is outside {}", argument, bad - values, *bad, range).c_str());
}

}  // namespace

ArrayBatch::ArrayBatch(nb::object x, const nb::object& reward, const nb::object& discount, nb::object x_next,
                       const nb::object& rho, const nb::object& pi, const nb::object& interest,
                       const nb::object& lambda, const nb::object& restart)
    : x_("x", std::move(x)) {
  if (x_next.is_none()) {
    chained_ = true;
    if (x_.size() == 0) throw nb::value_error("x has no rows; without x_next it has one more than there are steps");
    size_ = x_.size() - 1;
  } else {
    size_ = x_.size();
    x_next_ = Rows("x_next", std::move(x_next));
    if (x_next_.size() != size_ || x_next_.dim() != x_.dim() || x_next_.layout() != x_.layout()) {
      throw nb::value_error(
          fmt::format("x_next has {} rows of {} features; x has {} of {}: both need the same shape and kind",
                      x_next_.size(), x_next_.dim(), x_.size(), x_.dim())
              .c_str());
    }
  }
  const auto column = [&](const char* name, const nb::object& object) {
    return object.is_none() ? Column() : Column(name, object, size_);
  };
  reward_ = Column("reward", reward, size_);
  discount_ = Column("discount", discount, size_);
  rho_ = column("rho", rho);
  pi_ = column("pi", pi);
  interest_ = column("interest", interest);
  lambda_ = column("lambda_", lambda);
  constexpr double inf = 1e308;
  check_range("discount", discount_.data(), size_, 0, 1, "[0, 1]");
  check_range("rho", rho_.data(), size_, 0, inf, "[0, inf)");
  check_range("pi", pi_.data(), size_, 0, 1, "[0, 1]");
  check_range("interest", interest_.data(), size_, 0, inf, "[0, inf)");
  check_range("lambda_", lambda_.data(), size_, 0, 1, "[0, 1]");
  if (!restart.is_none()) {
    const Column flags("restart", restart, size_);
    restart_.resize(size_);
    std::transform(flags.data(), flags.data() + size_, restart_.begin(), [](double v) { return v != 0 ? 1 : 0; });
  }
}

Batch ArrayBatch::part(std::size_t first, std::size_t count, std::vector<double>& space,
                       std::vector<double>& next_space) const {
  const auto from = [&](const Column& column) { return column.data() == nullptr ? nullptr : column.data() + first; };
  Batch batch;
  batch.size = count;
  batch.reward = from(reward_);
  batch.discount = from(discount_);
  batch.rho = from(rho_);
  batch.pi = from(pi_);
  batch.interest = from(interest_);
  batch.lambda = from(lambda_);
  batch.restart = restart_.empty() ? nullptr : restart_.data() + first;
  if (chained_) {
    const FeatureRows states = x_.view(first, count + 1, space);
    batch.x = states.slice(0, count);
    batch.x_next = states.slice(1, count);
  } else {
    batch.x = x_.view(first, count, space);
    batch.x_next = x_next_.view(first, count, next_space);
  }
  return batch;
}

}  // namespace bellwether::python
