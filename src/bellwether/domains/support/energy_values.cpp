#include <bellwether/domains/support/energy_values.h>

#include <algorithm>
#include <limits>

namespace bellwether::energy {

namespace {

struct Interval {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

Interval differences(const Surface& a, const Surface& b) {
  Interval all;
  for (std::size_t r = 0; r < storages; ++r) {
    for (std::size_t e = 0; e < winds; ++e) {
      for (std::size_t p = 0; p < prices; ++p) all.include(a.row(r, e)[p] - b.row(r, e)[p]);
    }
  }
  return all;
}

}  // namespace

Values::Values(const Processes& processes, const Policy& policy, Clocks clocks, double discount)
    : policy_(policy), clocks_(clocks), discount_(discount), next_(Clocks::period) {
  double g = 1;  // discount^period
  for (std::size_t k = 0; k < Clocks::period; ++k) g *= discount;

  const Surface zero;
  Surface guess;
  for (;;) {
    pass(processes, guess);
    const Interval moved = differences(next_[0], guess);
    const double shift = (moved.low + moved.high) / 2 / (1 - g);  // the approximate error of the guess:
    const double doubt = (moved.high - moved.low) / 2 / (1 - g);
    if (discount * doubt <= tolerance * differences(next_[0], zero).high) {
      double weight = 1;
      for (std::size_t phase = Clocks::period; phase-- > 0;) next_[phase].add((weight *= discount) * shift);
      return;
    }
    guess = next_[0];
    guess.add(g * shift);
  }
}

void Values::pass(const Processes& processes, const Surface& guess) {
  Surface v;  // averaged over demand
  for (std::size_t phase = Clocks::period; phase-- > 0;) {
    const bool last = phase + 1 == Clocks::period;
    const Surface& W = last ? guess : next_[phase + 1];
    const std::size_t hour = clocks_.policy_hour(last ? 0 : phase + 1);
    const std::size_t demand_hour = clocks_.demand_hour(phase);
    for (std::size_t r = 0; r < storages; ++r) {
      for (std::size_t e = 0; e < winds; ++e) {
        double* mean = v.row(r, e);
        std::fill_n(mean, prices, 0.0);
        for (std::size_t d = 0; d < demands; ++d) {
          const double probability = processes.demand_probability(demand_hour, d);
          if (probability == 0) continue;
          const Decision* decisions = policy_.row(hour, r, e, d);
          const double* column = W.row(0, e);
          for (std::size_t p = 0; p < prices; ++p) {
            const double reward = (lowest_price + static_cast<int>(p)) * decisions[p].units;
            const double after = column[decisions[p].storage * (winds * Surface::width) + p];
            mean[p] += probability * (reward + discount_ * after);
          }
        }
      }
    }
    processes.expect(v, next_[phase]);
  }
}

}  // namespace bellwether::energy
