#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

/// The state space of the energy storage problem, and its three exogenous processes: wind, price and demand.
namespace bellwether::energy {

inline constexpr std::size_t storages = 31;  // R = 0, ..., 30
inline constexpr std::size_t winds = 7;      // E = 1, ..., 7
inline constexpr std::size_t prices = 41;    // P = 30, ..., 70
inline constexpr std::size_t demands = 8;    // D = 0, ..., 7
inline constexpr int lowest_wind = 1;
inline constexpr int lowest_price = 30;
inline constexpr std::size_t demand_period = 25;

/// A state (R, E, P, D) as four indices that count from zero.
struct Cell {
  std::size_t storage;
  std::size_t wind;
  std::size_t price;
  std::size_t demand;

  double price_value() const { return static_cast<double>(lowest_price + static_cast<int>(price)); }
};

/// A function of (R, E, P). Each (R, E) has a row of prices, padded to fill whole vector registers.
class Surface {
 public:
  static constexpr std::size_t width = 48;

  double* row(std::size_t storage, std::size_t wind) { return &values_[(storage * winds + wind) * width]; }
  const double* row(std::size_t storage, std::size_t wind) const { return &values_[(storage * winds + wind) * width]; }

  /// Adds a constant to all values (and to the padding, which is never read).
  void add(double constant) {
    for (double& value : values_) value += constant;
  }

 private:
  std::vector<double> values_ = std::vector<double>(storages * winds * width, 0.0);
};

/// Wind, price and demand: three Markov chains, independent of each other and of all decisions.
///
///   E' = clip(E + u, 1, 7)                 u uniform in {-1, 0, 1}
///   P' = clip(P + a + B J, 30, 70)         a ~ N(0, 2.5^2) on {-8..8}, J ~ N(0, 50^2) on {-40..40}, Pr(B = 1) = jump
///   D' = clip(base(k) + e, 0, 7)           e ~ N(0, 2^2) on {-2..2}, base(k) = floor(3 - 4 sin(2 pi k / 25)), k = t+1
///
/// A normal distribution "on" a set of whole numbers is its density there, divided by the sum.
class Processes {
 public:
  explicit Processes(double jump);

  /// base(1), ..., base(25). A table, since 3 - 4 sin(2 pi) is 3 + 9e-16 on one machine and may be below 3 on another.
  static constexpr std::array<int, demand_period> demand_base{2, 1, 0, -1, -1, -1, -1, -1, -1, 0, 1, 2, 3,
                                                              4, 5, 6, 6,  6,  6,  6,  6,  5,  4, 3, 3};

  /// Pr(next | price), all indices from zero.
  double price_probability(std::size_t price, std::size_t next) const { return price_to_[next][price]; }

  /// Pr(D_{t+1} = demand) where hour = t mod 25.
  double demand_probability(std::size_t hour, std::size_t demand) const { return demand_[hour][demand]; }

  /// The next index, by the inverse of the distribution function at u, uniform in [0, 1). Monotone in u.
  std::size_t next_wind(std::size_t wind, double u) const { return count_at_most(u, wind_cdf_[wind]); }
  std::size_t next_demand(std::size_t hour, double u) const { return count_at_most(u, demand_cdf_[hour]); }
  std::size_t next_price(std::size_t price, double u) const {
    std::size_t next = price_guide_[price][static_cast<std::size_t>(u * guides)];
    while (price_cdf_[price][next] <= u) ++next;
    return next;
  }

  /// expected(R, E, P) = sum over E', P' of Pr(E'|E) Pr(P'|P) values(R, E', P'). Wind first: 217 rows of 3, then of 41
  /// terms for each price, instead of 3 * 41.
  void expect(const Surface& values, Surface& expected) const;

 private:
  template <std::size_t n>
  static std::size_t count_at_most(double u, const std::array<double, n>& thresholds) {
    std::int64_t count = 0;  // no early exit: an unpredictable branch costs more
    for (const double threshold : thresholds) count += threshold <= u ? 1 : 0;
    return static_cast<std::size_t>(count);
  }

  std::array<std::array<double, Surface::width>, prices> price_to_{};  // [next][from]
  std::array<std::array<double, demands>, demand_period> demand_{};
  std::array<std::array<double, winds>, winds> wind_cdf_{};
  std::array<std::array<double, demands>, demand_period> demand_cdf_{};
  std::array<std::array<double, prices>, prices> price_cdf_{};
  // Where the search for a price begins: at the outcome of u = i / guides.
  static constexpr std::size_t guides = 128;
  std::array<std::array<std::uint8_t, guides>, prices> price_guide_{};
};

}  // namespace bellwether::energy
