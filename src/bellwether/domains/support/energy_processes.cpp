#include <bellwether/domains/support/energy_processes.h>

#include <algorithm>

namespace bellwether::energy {

namespace {

/// exp(-x) for x >= 0: one over the exponential series, whose terms are positive. Unlike the C library's, it has the
/// same bits on every machine.
double exp_of_minus(double x) {
  double sum = 1;
  double term = 1;
  for (int n = 1; sum + term != sum; ++n) {
    term *= x / n;
    sum += term;
  }
  return 1 / sum;
}

/// Probabilities of -radius, ..., radius: the normal density there, divided by the sum.
std::vector<double> normal_on_whole_numbers(double sd, int radius) {
  std::vector<double> p;
  double total = 0;
  for (int x = -radius; x <= radius; ++x) {
    p.push_back(exp_of_minus(x * x / (2 * sd * sd)));
    total += p.back();
  }
  for (double& probability : p) probability /= total;
  return p;
}

std::size_t clipped(int value, std::size_t size) {
  return static_cast<std::size_t>(std::clamp(value, 0, static_cast<int>(size) - 1));
}

/// F(i) = p(0) + ... + p(i), and exactly 1 from the last possible i on, whatever rounding makes of the sum.
template <std::size_t n, class Probability>
void accumulate(std::array<double, n>& cdf, Probability probability) {
  double sum = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (probability(i) > 0) last = i;
    cdf[i] = sum += probability(i);
  }
  std::fill(cdf.begin() + static_cast<std::ptrdiff_t>(last), cdf.end(), 1.0);
}

}  // namespace

Processes::Processes(double jump) {
  constexpr int change_radius = 8;
  constexpr int jump_radius = 40;
  const auto change = normal_on_whole_numbers(2.5, change_radius);
  const auto size = normal_on_whole_numbers(50, jump_radius);
  // Pr(a + B J = move), move = -48, ..., 48
  std::array<double, 2 * (change_radius + jump_radius) + 1> moves{};
  for (std::size_t a = 0; a < change.size(); ++a) {
    moves[a + jump_radius] += (1 - jump) * change[a];
    for (std::size_t j = 0; j < size.size(); ++j) moves[a + j] += jump * change[a] * size[j];
  }
  for (std::size_t from = 0; from < prices; ++from) {
    for (std::size_t m = 0; m < moves.size(); ++m) {
      const int to = static_cast<int>(from + m) - change_radius - jump_radius;
      price_to_[clipped(to, prices)][from] += moves[m];
    }
    auto& cdf = price_cdf_[from];
    accumulate(cdf, [&](std::size_t to) { return price_to_[to][from]; });
    for (std::size_t i = 0; i < guides; ++i) {
      const auto first_above = std::upper_bound(cdf.begin(), cdf.end(), static_cast<double>(i) / guides);
      price_guide_[from][i] = static_cast<std::uint8_t>(first_above - cdf.begin());
    }
  }

  constexpr int noise_radius = 2;
  const auto noise = normal_on_whole_numbers(2, noise_radius);
  for (std::size_t hour = 0; hour < demand_period; ++hour) {
    for (std::size_t e = 0; e < noise.size(); ++e) {
      demand_[hour][clipped(demand_base[hour] + static_cast<int>(e) - noise_radius, demands)] += noise[e];
    }
    accumulate(demand_cdf_[hour], [&](std::size_t d) { return demand_[hour][d]; });
  }

  for (std::size_t from = 0; from < winds; ++from) {
    std::array<double, winds> p{};
    for (int u = -1; u <= 1; ++u) p[clipped(static_cast<int>(from) + u, winds)] += 1.0 / 3;
    accumulate(wind_cdf_[from], [&](std::size_t to) { return p[to]; });
  }
}

void Processes::expect(const Surface& values, Surface& expected) const {
  for (std::size_t r = 0; r < storages; ++r) {
    for (std::size_t e = 0; e < winds; ++e) {
      const double* below = values.row(r, e == 0 ? e : e - 1);
      const double* same = values.row(r, e);
      const double* above = values.row(r, e + 1 == winds ? e : e + 1);
      std::array<double, Surface::width> sum{};
      for (std::size_t to = 0; to < prices; ++to) {
        const double mean = (below[to] + same[to] + above[to]) * (1.0 / 3);
        const double* p = price_to_[to].data();
        for (std::size_t from = 0; from < Surface::width; ++from) sum[from] += p[from] * mean;
      }
      std::copy(sum.begin(), sum.end(), expected.row(r, e));
    }
  }
}

}  // namespace bellwether::energy
